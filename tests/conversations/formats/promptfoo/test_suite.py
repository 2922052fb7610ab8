from __future__ import annotations

import base64
import json
import math
import random
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from turnwise.conversations.errors import FormatError, NotFoundError, TurnwiseError
from turnwise.conversations.formats.promptfoo import load_suite
from turnwise.conversations.suites import Suite, TargetSpec

FIXTURES = Path(__file__).parents[5] / "shared" / "fixtures" / "promptfoo"

Load = Callable[..., Suite]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Load a configuration with these fields, beside these files."""

    def from_fields(
        files: dict[str, str | bytes] | None = None, compat: bool = False, **fields: Any
    ) -> Suite:
        for name, content in (files or {}).items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        config = {"prompts": ["{{q}}"], "providers": ["echo"], **fields}
        path = tmp_path / "promptfooconfig.yaml"
        path.write_text(json.dumps(config))
        return load_suite(path, compat=compat)

    return from_fields


def prompts(suite: Suite) -> list[str]:
    return [case.prompt for case in suite.cases]


class TestRows:
    def test_a_list_of_texts_is_a_row_for_each_and_the_last_variable_changes_fastest(
        self, load: Load
    ) -> None:
        suite = load(
            prompts=["{{a}}{{b}}{{n}}"], tests=[{"vars": {"a": ["x", "y"], "b": ["1", "2"], "n": [7, 8]}}]
        )
        assert prompts(suite) == ["x17,8", "x27,8", "y17,8", "y27,8"]
        assert [case.index for case in suite.cases] == [0, 1, 2, 3]

    def test_expansion_can_be_turned_off(self, load: Load) -> None:
        test = {"vars": {"q": ["a", "b"]}, "options": {"disableVarExpansion": True}}
        assert prompts(load(tests=[test])) == ["a,b"]

    def test_every_target_gets_every_prompt_it_takes(self, load: Load) -> None:
        suite = load(
            prompts=[{"raw": "A {{q}}", "label": "first"}, {"raw": "B {{q}}", "id": "second"}],
            providers=["echo", {"id": "openai:gpt-4.1", "label": "big", "prompts": ["second"]}],
            tests=[{"vars": {"q": "x"}}, {"vars": {"q": "y"}, "prompts": ["first"]}],
        )
        assert [(case.prompt, case.target.id if case.target else "") for case in suite.cases] == [
            ("A x", "echo"),
            ("B x", "echo"),
            ("B x", "openai:gpt-4.1"),
            ("A y", "echo"),
        ]

    def test_the_default_test_gives_what_a_test_leaves_out(self, load: Load) -> None:
        suite = load(
            defaultTest={
                "vars": {"q": "d", "r": 1},
                "assert": [{"type": "contains", "value": "d"}],
                "threshold": 0.5,
                "metadata": {"k": "d"},
                "options": {"suffix": "!"},
            },
            tests=[
                {"vars": {"q": "t"}, "threshold": 0, "assert": [{"type": "not-equals", "value": "{{r}}"}]}
            ],
        )
        case = suite.cases[0]
        assert case.prompt == "t!"
        assert case.threshold == 0
        assert case.metadata == {"k": "d"}
        assert [(check.type, check.negate, check.value) for check in case.checks] == [
            ("contains", False, "d"),
            ("equals", True, "1"),
        ]

    def test_a_scenario_is_its_tests_for_each_data_set(self, load: Load) -> None:
        suite = load(
            prompts=["{{a}}{{b}}"],
            tests=[{"vars": {"a": "t"}}],
            scenarios=[
                {
                    "config": [{"vars": {"a": "1"}}, {"vars": {"a": "2"}}],
                    "tests": [{"vars": {"b": "x"}, "description": "x"}, {"vars": {"b": "y"}}],
                }
            ],
        )
        assert prompts(suite) == ["t", "1x", "1y", "2x", "2y"]
        assert suite.cases[1].description == "x"
        assert [case.metadata.get("conversationId") for case in suite.cases] == [
            None,
            *["__scenario_0__"] * 2,
            *["__scenario_1__"] * 2,
        ]

    def test_prompts_alone_are_one_case(self, load: Load) -> None:
        assert prompts(load(prompts=["Hello"])) == ["Hello"]

    def test_an_answer_in_the_file_is_the_output(self, load: Load) -> None:
        suite = load(
            tests=[{"vars": {"q": 1}, "providerOutput": "given"}, {"providerOutput": "", "vars": {}}]
        )
        assert [case.output for case in suite.cases] == ["given", None]


class TestChecks:
    def test_values_items_and_metrics_are_filled_and_the_written_value_is_kept(self, load: Load) -> None:
        asserted = [{"type": "contains-any", "value": ["{{q}}", "b"], "metric": "m-{{q}}", "weight": 2}]
        check = load(tests=[{"vars": {"q": "a"}, "assert": asserted}]).cases[0].checks[0]
        assert (check.value, check.metric, check.weight) == (["a", "b"], "m-a", 2)
        assert check.options["written"] == ["{{q}}", "b"]

    def test_a_set_keeps_its_children_and_a_reference_is_replaced(self, load: Load) -> None:
        suite = load(
            assertionTemplates={"paris": {"type": "contains", "value": "Paris"}},
            tests=[
                {
                    "vars": {"q": 1},
                    "assert": [
                        {
                            "type": "assert-set",
                            "threshold": 0.5,
                            "assert": [{"$ref": "#/assertionTemplates/paris", "weight": 3}],
                        }
                    ],
                }
            ],
        )
        check = suite.cases[0].checks[0]
        assert check.threshold == 0.5
        assert [(child.value, child.weight) for child in check.children] == [("Paris", 3)]

    def test_a_file_is_its_content_and_code_stays_a_name(self, load: Load) -> None:
        asserted = [
            {"type": "is-json", "value": "file://schema.json"},
            {"type": "contains", "value": "file://words.txt"},
            {"type": "python", "value": "file://check.py"},
        ]
        files: dict[str, str | bytes] = {"schema.json": '{"type": "object"}', "words.txt": " Hi \n"}
        checks = load(files, tests=[{"vars": {"q": 1}, "assert": asserted}]).cases[0].checks
        assert [check.value for check in checks] == [{"type": "object"}, "Hi", "file://check.py"]

    def test_a_prompt_for_judges_may_lie_in_a_file(self, load: Load) -> None:
        files: dict[str, str | bytes] = {"judge.txt": "Judge {{output}}", "judge.yaml": "- role: system"}
        test = {
            "vars": {"q": 1},
            "options": {"rubricPrompt": "file://judge.txt"},
            "assert": [{"type": "llm-rubric", "value": "x", "rubricPrompt": "file://judge.yaml"}],
        }
        case = load(files, tests=[test]).cases[0]
        assert case.options["rubricPrompt"] == "Judge {{output}}"
        assert case.checks[0].options["rubricPrompt"] == '[{"role":"system"}]'


class TestSources:
    TEST = '{"vars": {"q": "a"}}'

    def test_all_forms_may_be_mixed_and_keep_their_order(self, load: Load) -> None:
        suite = load(
            {
                "a.yaml": "- vars: {q: yes}\n- vars: {q: 012}\n",
                "b.json": self.TEST,
                "c.jsonl": f"{self.TEST}\n\n{self.TEST}\n",
                "d/e.csv": "\ufeffq,__expected\r\nx,contains: x\r\n",
            },
            tests=[{"vars": {"q": "inline"}}, "file://a.yaml", "b.json", "file://*.jsonl", "file://d/*.csv"],
        )
        assert prompts(suite) == ["inline", "yes", "12", "a", "a", "a", "x"]
        assert suite.cases[-1].description == "Row #1"
        assert suite.cases[3].description == ""

    def test_a_file_alone_numbers_its_tests(self, load: Load) -> None:
        assert load({"b.json": self.TEST}, tests="file://b.json").cases[0].description == "Row #1"

    def test_a_path_to_yaml_is_rows(self, load: Load) -> None:
        suite = load({"r.yaml": "- q: a\n  __expected: b\n"}, tests={"path": "file://r.yaml"})
        assert suite.cases[0].checks[0].type == "equals"

    def test_the_columns_of_a_table_mean_what_they_say(self, load: Load) -> None:
        table = (
            "q,__expected1,__expected2,__prefix,__metric,__threshold,__metadata:k,__metadata:tags[],"
            "__config:__expected1:threshold,__description,_expected\n"
            'x,,levenshtein: y,P-,acc, 0 ,v,"a,b\\,c",2,About x,z\n'
        )
        suite = load({"t.csv": table}, tests="file://t.csv")
        case = suite.cases[0]
        assert (case.prompt, case.threshold, case.description) == ("P-x", 0, "About x")
        assert case.metadata == {"k": "v", "tags": ["a", "b,c"]}
        assert [(check.type, check.threshold, check.metric) for check in case.checks] == [
            ("levenshtein", 2, "acc")
        ]
        assert case.vars["_expected"] == "z"
        assert "was __expected meant?" in suite.warnings[0]

    def test_a_row_of_another_width_is_told_and_the_rest_loads(self, load: Load) -> None:
        files: dict[str, str | bytes] = {"t.csv": "q,r\na,b\nc\nd,e\n"}
        suite = load(files, tests="file://t.csv")
        assert prompts(suite) == ["a", "d"]
        assert "t.csv, row 2: expected 2 cells" in suite.settings["rejected"][0]
        with pytest.raises(FormatError, match="row 2"):
            load(files, compat=True, tests="file://t.csv")

    def test_a_spreadsheet_is_rows_of_a_sheet(self, load: Load, tmp_path: Path) -> None:
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
    def test_a_pattern_that_matches_nothing_is_an_error_that_names_it(self, load: Load, tests: Any) -> None:
        with pytest.raises(FormatError, match="none"):
            load(tests=tests)

    def test_as_promptfoo_a_pattern_that_matches_nothing_is_a_warning(self, load: Load) -> None:
        suite = load(tests=["file://none/*.yaml"], compat=True)
        assert not suite.cases
        assert "none/*.yaml" in suite.warnings[0]

    @pytest.mark.parametrize(
        "tests", ["file://gen.py", ["gen.js:make"], {"path": "file://gen.ts", "config": {}}]
    )
    def test_tests_made_by_code_are_not_run(self, load: Load, tests: Any) -> None:
        files: dict[str, str | bytes] = {"gen.py": "raise SystemExit", "gen.js": "x", "gen.ts": "x"}
        with pytest.raises(FormatError, match="not run"):
            load(files, tests=tests)

    @pytest.mark.parametrize(
        "tests",
        ["huggingface://datasets/a/b", "https://docs.google.com/spreadsheets/d/x", ["https://x/t.csv"]],
    )
    def test_nothing_is_fetched(self, load: Load, tests: Any) -> None:
        with pytest.raises(FormatError, match="another computer"):
            load(tests=tests)


class TestVariables:
    def test_files_are_read_and_references_resolved(self, load: Load) -> None:
        picture = b"\x89PNG"
        suite = load(
            {
                "n.txt": "  Ann \n\n",
                "o.yaml": "k: [1, 2]",
                "j.json": '{"k": 1}\n',
                "p.png": picture,
                "v.mp4": b"v",
            },
            prompts=["{{t}} {{o}} {{j}} {{p}} {{v}} {{greet}} {{open}}|"],
            tests=[
                {
                    "vars": {
                        "t": "file://n.txt",
                        "o": "file://o.yaml",
                        "j": "file://j.json",
                        "p": "file://p.png",
                        "v": "file://v.mp4",
                        "greet": "Hi {{t}}!",
                        "open": "{{missing}}\n",
                    }
                }
            ],
        )
        data = base64.b64encode(picture).decode()
        assert prompts(suite) == [
            f'Ann {{"k":[1,2]}} {{"k": 1}} data:image/png;base64,{data} dg== Hi Ann! {{{{missing}}}}|'
        ]
        assert suite.cases[0].vars["greet"] == "Hi {{t}}!"
        assert suite.cases[0].options["filled_vars"]["greet"] == "Hi Ann!"

    def test_a_pattern_is_a_row_a_file(self, load: Load) -> None:
        files: dict[str, str | bytes] = {"g/1.txt": "one", "g/2.txt": "two"}
        test = {"vars": {"q": "file://g/*.txt"}}
        assert prompts(load(files, tests=[test])) == ["one", "two"]
        assert prompts(load(files, tests=[test], compat=True)) == ["two", "one"]

    def test_variables_may_lie_in_files(self, load: Load) -> None:
        files: dict[str, str | bytes] = {"a.yaml": "q: a", "b.yaml": "q: b"}
        assert prompts(load(files, tests=[{"vars": ["a.yaml", "b.yaml"]}, {"vars": "a.yaml"}])) == ["b", "a"]

    @pytest.mark.parametrize(
        "value", ["file://code.py", "file://code.js", "file://missing.txt", "file://x.pdf"]
    )
    def test_a_case_that_cannot_be_filled_stays_with_its_problem(self, load: Load, value: str) -> None:
        suite = load({"code.py": "", "code.js": "", "x.pdf": b"%PDF"}, tests=[{"vars": {"q": value}}])
        assert "vars.q" in suite.cases[0].options["problem"]

    def test_the_text_of_a_document_is_read(self, load: Load, tmp_path: Path) -> None:
        pypdf = pytest.importorskip("pypdf")
        writer = pypdf.PdfWriter()
        writer.add_blank_page(width=72, height=72)
        writer.write(tmp_path / "empty.pdf")
        suite = load(tests=[{"vars": {"q": "file://empty.pdf"}}])
        assert suite.cases[0].options["filled_vars"] == {"q": ""}

    def test_the_environment_is_what_is_given(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SECRET", "from the system")
        path = tmp_path / "c.yaml"
        path.write_text("prompts: ['{{env.SECRET}}{{v}}']\ntests: [{vars: {v: '{{env.SECRET}}'}}]")
        assert load_suite(path).cases[0].prompt == ""
        assert load_suite(path, environment={"SECRET": "s"}).cases[0].prompt == "ss"

    def test_the_environment_of_the_file_comes_first(self, load: Load) -> None:
        assert prompts(load(env={"NAME": "own"}, prompts=["{{env.NAME}}"])) == ["own"]


class TestPrompts:
    def test_prompts_come_from_files(self, load: Load) -> None:
        suite = load(
            {
                "a.txt": "One {{q}}\n---\nTwo {{q}}\n",
                "p/b.json": '[{"role": "user", "content": "{{q}}"}]',
                "p/c.md": "Three {{q}}",
                "d.jsonl": '["{{q}}"]\n',
                "e.yaml": "- role: user\n",
            },
            prompts=["file://a.txt", "p/*", "d.jsonl", "file://e.yaml", "What is 1/2?", "Ask. Me.txt or not"],
            tests=[{"vars": {"q": "x"}}],
        )
        assert [" ".join(prompt.split()) for prompt in prompts(suite)] == [
            "One x",
            "Two x",
            '[ { "role": "user", "content": "x" } ]',
            "Three x",
            '[ "x" ]',
            '[ { "role": "user" } ]',
            "What is 1/2?",
            "Ask. Me.txt or not",
        ]

    @pytest.mark.parametrize("prompt", ["file://p.py", "file://p.js:f", "exec:./p.sh", "langfuse://x:1"])
    def test_a_prompt_made_by_code_is_a_problem_of_its_cases(self, load: Load, prompt: str) -> None:
        suite = load({"p.py": "", "p.js": ""}, prompts=[prompt, "{{q}}"], tests=[{"vars": {"q": "x"}}])
        assert prompts(suite) == ["", "x"]
        assert suite.cases[0].options["problem"]
        assert "problem" not in suite.cases[1].options

    def test_a_broken_template_is_a_problem_of_its_cases(self, load: Load) -> None:
        suite = load(prompts=["{{ q", "{{q}}"], tests=[{"vars": {"q": "x"}}])
        assert "test 1, prompt {{ q: " in suite.cases[0].options["problem"]
        assert "unexpected end" in suite.cases[0].options["problem"]
        assert suite.cases[1].prompt == "x"


class TestBorders:
    @pytest.mark.parametrize(
        "fields",
        [
            {"tests": "file://../outside.yaml"},
            {"tests": ["file://../*.yaml"]},
            {"prompts": ["file://../outside.txt"]},
            {"defaultTest": "file://../outside.yaml"},
            {"providers": ["file://../outside.yaml"]},
            {"tests": [{"vars": "../outside.yaml"}]},
            {"tests": ["/etc/*.yaml"]},
        ],
    )
    def test_no_file_outside_is_read(self, load: Load, tmp_path: Path, fields: dict[str, Any]) -> None:
        for name in ("outside.yaml", "outside.txt"):
            (tmp_path.parent / name).write_text("secret: 1")
        with pytest.raises(FormatError, match="inside"):
            load(**fields)

    @pytest.mark.parametrize("name", ["../outside.txt", "/etc/hostname", "link.txt", "../*.txt"])
    def test_no_variable_or_value_lies_outside(self, load: Load, tmp_path: Path, name: str) -> None:
        (tmp_path.parent / "outside.txt").write_text("secret")
        with suppress(FileExistsError):
            (tmp_path / "link.txt").symlink_to(tmp_path.parent / "outside.txt")
        test = {"vars": {"q": 1}, "assert": [{"type": "contains", "value": f"file://{name}"}]}
        suite = load(tests=[test, {"vars": {"q": "x"}}])
        assert suite.cases[0].options["problem"]
        with suppress(FormatError):
            assert "secret" not in load(tests=[{"vars": {"q": f"file://{name}"}}]).cases[0].prompt

    def test_a_repository_is_the_border_of_what_lies_in_it(self, tmp_path: Path) -> None:
        (tmp_path / ".git").mkdir()
        (tmp_path / "prompt.txt").write_text("Hi")
        (tmp_path / "evals").mkdir()
        path = tmp_path / "evals" / "c.yaml"
        path.write_text("prompts: [file://../prompt.txt]")
        assert load_suite(path).cases[0].prompt == "Hi"


class TestErrors:
    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            ("prompts: [a\n", "c.yaml: expected YAML"),
            ("tests: []", "got no prompts"),
            ("- 1", "got no prompts"),
            ("prompts: []", "at least one prompt"),
            ("prompts: [1]", "prompt 1"),
            ("prompts: [a]\nproviders: [{x: 1, y: 2}]", "provider 1: id"),
            ("prompts: [a]\ntests: 5", "tests: expected a list"),
            ("prompts: [a]\ntests: [5]", "test 1: expected a test"),
            ("prompts: [a]\ntests: [{}]", "test 1: expected one of assert"),
            ("prompts: [a]\ntests: [{vars: 5}]", "test 1: vars"),
            ("prompts: [a]\ntests: [{vars: {a: 1}, assert: 5}]", "test 1: assert"),
            ("prompts: [a]\ntests: [{vars: {a: 1}, threshold: x}]", "test 1: threshold"),
            ("prompts: [a]\ndefaultTest: 5", "defaultTest"),
            ("prompts: [a]\ntests: [{$ref: '#/nope'}]", "points at nothing"),
            ("x: {$ref: '#/x'}\nprompts: [a]", "points at itself"),
        ],
    )
    def test_a_message_names_file_place_and_field(self, tmp_path: Path, text: str, problem: str) -> None:
        path = tmp_path / "c.yaml"
        path.write_text(text)
        with pytest.raises(FormatError) as raised:
            load_suite(path)
        assert problem in str(raised.value)
        assert raised.value.next_step

    def test_one_bad_test_does_not_take_the_others_away(self, load: Load) -> None:
        suite = load(tests=[{"vars": {"q": "a"}}, 5, {"vars": {"q": "b"}}])
        assert prompts(suite) == ["a", "b"]
        assert len(suite.settings["rejected"]) == len(suite.warnings) == 1

    @pytest.mark.parametrize("asserted", [5, {}, {"type": 5}, {"type": "contains", "threshold": "x"}])
    def test_a_bad_assertion_is_a_problem_of_its_case(self, load: Load, asserted: Any) -> None:
        suite = load(tests=[{"vars": {"q": "a"}, "assert": [asserted]}])
        assert "test 1, assert 1" in suite.cases[0].options["problem"]

    def test_what_checks_nothing_is_told_once(self, load: Load) -> None:
        test = {"vars": {"q": "a", "assert": []}, "asserts": [{"type": "contains", "value": "a"}]}
        assert load(tests=[test, test]).warnings == (
            "promptfooconfig.yaml, test 1, vars: assert stands under vars, where it checks nothing",
            "promptfooconfig.yaml, test 1: no test has a field asserts; it is passed over",
        )

    def test_a_missing_file_is_not_found(self, tmp_path: Path) -> None:
        with pytest.raises(NotFoundError):
            load_suite(tmp_path / "none.yaml")

    def test_files_cannot_name_each_other_without_end(self, load: Load) -> None:
        itself = "vars: {q: 1}\nmetadata: {a: [" + "file://a.yaml, " * 100 + "]}"
        files: dict[str, str | bytes] = {"a.yaml": itself}
        with pytest.raises(FormatError, match="without end"):
            load(files, tests="file://a.yaml")

    def test_references_cannot_fill_the_memory(self, load: Load) -> None:
        layers = {f"l{n}": [{"$ref": f"#/l{n + 1}"}] * 10 for n in range(9)} | {"l9": 1}
        with pytest.raises(FormatError, match="a million values"):
            load(**layers)

    def test_lists_cannot_stand_for_endless_rows(self, load: Load) -> None:
        many = [str(number) for number in range(100)]
        with pytest.raises(FormatError, match="more than 100,000 rows"):
            load(tests=[{"vars": {"a": many, "b": many, "c": many}}])


def test_the_targets_of_the_file_can_be_replaced(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("prompts: [a]\nproviders: [file://missing.yaml]\ntests: [{vars: {}}, {vars: {a: 1}}]")
    suite = load_suite(path, targets=(TargetSpec(id="mine"),))
    assert [case.target.id for case in suite.cases if case.target] == ["mine", "mine"]


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.just(math.inf)
    | st.sampled_from(
        ["{{q}}", "{{ q", "file://x", "file://*", "a.csv", "{% if %}", "x.py", "\x1b[2J", "", "é"]
    ),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "vars",
                    "assert",
                    "type",
                    "value",
                    "path",
                    "config",
                    "tests",
                    "prompts",
                    "options",
                    "metadata",
                    "raw",
                    "id",
                    "label",
                    "$ref",
                    "threshold",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    ["prompts", "providers", "tests", "scenarios", "defaultTest", "assertionTemplates", "description"]
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(FIELDS, VALUES, max_size=4))
def test_any_configuration_loads_or_gives_a_worded_error(tmp_path: Path, config: dict[str, Any]) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(json.dumps({"prompts": ["{{q}}"], **config}))
    with suppress(TurnwiseError):
        assert load_suite(path).format == "promptfoo"


@pytest.mark.fixtures
@pytest.mark.skipif(not FIXTURES.is_dir(), reason="the folder ../shared/fixtures is not here")
def test_damaged_copies_of_real_files_load_or_give_a_worded_error(tmp_path: Path) -> None:
    chance = random.Random(3)
    originals = sorted(path for path in FIXTURES.rglob("*.yaml") if path.stat().st_size < 100_000)
    path = tmp_path / "c.yaml"
    for _ in range(500):
        content = bytearray(chance.choice(originals).read_bytes())
        if chance.random() < 0.5:
            del content[chance.randrange(len(content)) :]
        else:
            for _ in range(3):
                content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        path.write_bytes(content)
        with suppress(TurnwiseError):
            load_suite(path)
