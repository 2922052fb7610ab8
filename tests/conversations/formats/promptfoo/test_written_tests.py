"""Where tests come from: inline, and files of every kind."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from suite_files import Load, prompts

from turnwise.conversations.errors import FormatError

TEST = '{"vars": {"q": "a"}}'


def test_all_forms_may_be_mixed_and_keep_their_order(load: Load) -> None:
    suite = load(
        {
            "a.yaml": "- vars: {q: yes}\n- vars: {q: 012}\n",
            "b.json": TEST,
            "c.jsonl": f"{TEST}\n\n{TEST}\n",
            "d/e.csv": "\ufeffq,__expected\r\nx,contains: x\r\n",
        },
        tests=[{"vars": {"q": "inline"}}, "file://a.yaml", "b.json", "file://*.jsonl", "file://d/*.csv"],
    )
    assert prompts(suite) == ["inline", "yes", "12", "a", "a", "a", "x"]
    assert suite.cases[-1].description == "Row #1"
    assert suite.cases[3].description == ""


def test_a_file_alone_numbers_its_tests(load: Load) -> None:
    assert load({"b.json": TEST}, tests="file://b.json").cases[0].description == "Row #1"


def test_a_path_to_yaml_is_rows(load: Load) -> None:
    suite = load({"r.yaml": "- q: a\n  __expected: b\n"}, tests={"path": "file://r.yaml"})
    assert suite.cases[0].checks[0].type == "equals"


def test_the_columns_of_a_table_mean_what_they_say(load: Load) -> None:
    table = (
        "q,__expected1,__expected2,__prefix,__metric,__threshold,__metadata:k,__metadata:tags[],"
        "__config:__expected1:threshold,__description\n"
        'x,,levenshtein: y,P-,acc, 0 ,v,"a,b\\,c",2,About x\n'
    )
    suite = load({"t.csv": table}, tests="file://t.csv")
    case = suite.cases[0]
    assert (case.prompt, case.threshold, case.description) == ("P-x", 0, "About x")
    assert case.metadata == {"k": "v", "tags": ["a", "b,c"]}
    assert [(check.type, check.threshold, check.metric) for check in case.checks] == [
        ("levenshtein", 2, "acc")
    ]


@pytest.mark.parametrize(
    ("column", "told"),
    [
        ("_expected", "Did you mean __expected?"),
        ("__expectd", "Did you mean __expected?"),
        ("__metdata:topic", "Did you mean __metadata?"),
        ("_threshold", "Did you mean __threshold?"),
        ("output;__expected", "Part the columns by commas, each with a name of its own."),
    ],
)
def test_a_column_that_would_be_no_check_takes_its_table_away(load: Load, column: str, told: str) -> None:
    files: dict[str, str | bytes] = {"t.csv": f"q,{column}\na,equals: b\nc,equals: d\n"}
    suite = load(files, tests=["t.csv", {"vars": {"q": "inline"}}])
    assert prompts(suite) == ["inline"]
    (rejected,) = suite.settings["rejected"]
    assert f"t.csv, column {column}: " in rejected
    assert told in rejected


def test_as_promptfoo_a_column_that_would_be_no_check_is_a_variable(load: Load) -> None:
    suite = load({"t.csv": "q,_expected,__expectd\na,b,c\n"}, tests="t.csv", compat=True)
    assert suite.cases[0].vars == {"q": "a", "_expected": "b", "__expectd": "c"}
    assert [warning.rpartition(". ")[2] for warning in suite.warnings] == ["Did you mean __expected?"] * 2


def test_variables_may_be_called_as_settings_are(load: Load) -> None:
    table = "q,expected,metric,threshold,__mine\na,b,c,d,e\n"
    assert load({"t.csv": table}, tests="t.csv").cases[0].vars["expected"] == "b"


def test_a_setting_of_a_column_is_named_in_full(load: Load) -> None:
    with pytest.raises(FormatError, match="__config:__expected:threshold"):
        load({"t.csv": "q,__config:threshold\na,1\n"}, tests="t.csv")


def test_a_row_of_another_width_is_told_and_the_rest_loads(load: Load) -> None:
    files: dict[str, str | bytes] = {"t.csv": "q,r\na,b\nc\nd,e\n"}
    suite = load(files, tests="file://t.csv")
    assert prompts(suite) == ["a", "d"]
    assert "t.csv, row 2: expected 2 cells" in suite.settings["rejected"][0]
    with pytest.raises(FormatError, match="row 2"):
        load(files, compat=True, tests="file://t.csv")


def test_a_spreadsheet_is_rows_of_a_sheet(load: Load, tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["q"])
    book.create_sheet("Second").append(["q", "__expected"])
    book["Second"].append([3, "equals: 3"])
    book.save(tmp_path / "t.xlsx")
    for sheet in ("Second", "2"):
        case = load(tests=f"file://t.xlsx#{sheet}").cases[0]
        assert (case.prompt, case.checks[0].value) == ("3", "3")
    with pytest.raises(FormatError, match="one of the sheets"):
        load(tests="file://t.xlsx#Third")


@pytest.mark.parametrize("tests", ["file://none/*.yaml", ["file://none/*.yaml"], ["none.csv"]])
def test_a_pattern_that_matches_nothing_is_an_error_that_names_it(load: Load, tests: Any) -> None:
    with pytest.raises(FormatError, match="none"):
        load(tests=tests)


def test_as_promptfoo_a_pattern_that_matches_nothing_is_a_warning(load: Load) -> None:
    suite = load(tests=["file://none/*.yaml"], compat=True)
    assert not suite.cases
    assert "none/*.yaml" in suite.warnings[0]


@pytest.mark.parametrize("tests", ["file://gen.py", ["gen.js:make"], {"path": "file://gen.ts", "config": {}}])
def test_tests_made_by_code_are_not_run(load: Load, tests: Any) -> None:
    files: dict[str, str | bytes] = {"gen.py": "raise SystemExit", "gen.js": "x", "gen.ts": "x"}
    with pytest.raises(FormatError, match="not run"):
        load(files, tests=tests)


@pytest.mark.parametrize(
    "tests",
    ["huggingface://datasets/a/b", "https://docs.google.com/spreadsheets/d/x", ["https://x/t.csv"]],
)
def test_nothing_is_fetched(load: Load, tests: Any) -> None:
    with pytest.raises(FormatError, match="another computer"):
        load(tests=tests)


def test_a_threshold_is_a_whole_cell_and_a_setting_names_its_column(load: Load) -> None:
    table = "q,__threshold\na,.5\nb,50%\nc,0x1\nd, 1e-1 \n"
    assert [case.threshold for case in load({"t.csv": table}, tests="t.csv").cases] == [0.5, None, None, 0.1]
    for column in ("__config:expected:threshold", "__config:__expected0:threshold"):
        with pytest.raises(FormatError, match="__expected"):
            load({"t.csv": f"q,__expected,{column}\na,equals:a,1\n"}, tests="t.csv")


def test_a_blank_setting_is_an_error_for_promptfoo_alone(load: Load) -> None:
    files: dict[str, str | bytes] = {"t.csv": "q,__expected,__config:__expected:threshold\na,equals:a,\n"}
    assert load(files, tests="t.csv").cases[0].checks[0].threshold is None
    with pytest.raises(FormatError, match="threshold"):
        load(files, tests="t.csv", compat=True)


def test_promptfoo_passes_over_a_column_of_metadata_without_a_key_only_once(load: Load) -> None:
    files: dict[str, str | bytes] = {"t.csv": "q,__metadata\na,x\nb,y\n"}
    assert [dict(case.vars) for case in load(files, tests="t.csv").cases] == [{"q": "a"}, {"q": "b"}]
    rows = load(files, tests="t.csv", compat=True).cases
    assert [dict(case.vars) for case in rows] == [{"q": "a"}, {"q": "b", "__metadata": "y"}]
