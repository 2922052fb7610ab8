"""Files of tests that stand by themselves: each is run as a configuration that names it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from node_here import needs_typescript
from suite_files import prompts

from turnwise.conversations.errors import FormatError
from turnwise.conversations.files import Folder
from turnwise.conversations.formats.promptfoo import PromptText, load_suite, read_prompts
from turnwise.engine.suites.code import SuiteCode

TEST = {"vars": {"q": "hi"}, "assert": [{"type": "contains", "value": "hi"}]}
ALONE = {
    "t.csv": "q,__expected\nhi,contains: hi\n",
    "odd [1].csv": "q,__expected\nhi,contains: hi\n",
    "t.jsonl": f"{json.dumps(TEST)}\n",
    "t.json": json.dumps([TEST]),
    "one.json": json.dumps(TEST),
    "t.yaml": f"- {json.dumps(TEST)}\n",
    "one.yml": json.dumps(TEST),
}


def say(tmp_path: Path) -> list[PromptText]:
    return read_prompts(["Say {{q}}"], Folder(tmp_path, tmp_path), "here")


@pytest.mark.parametrize("name", ALONE)
def test_a_file_of_tests_runs_by_itself(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(ALONE[name])
    suite = load_suite(tmp_path / name, prompts=say(tmp_path))
    assert prompts(suite) == ["Say hi"]
    assert [check.type for check in suite.cases[0].checks] == ["contains"]
    assert (suite.source.name, suite.warnings) == (name, ())


def test_so_does_a_spreadsheet_or_one_of_its_sheets(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.append(["q"])
    book.active.append(["first"])
    for row in (["q"], ["second"]):
        (book["More"] if "More" in book.sheetnames else book.create_sheet("More")).append(row)
    book.save(tmp_path / "t.xlsx")
    for part, asked in (("", "Say first"), ("#More", "Say second"), ("#2", "Say second")):
        assert prompts(load_suite(tmp_path / "t.xlsx", prompts=say(tmp_path), part=part)) == [asked]


@pytest.mark.parametrize(
    ("name", "part", "text"),
    [
        ("g.py", "", "def generate_tests(): return [{'vars': {'q': 'hi'}}]"),
        ("g.py", ":make", "def make(): return [{'vars': {'q': 'hi'}}]"),
        ("g.js", "", "module.exports = async () => [{vars: {q: 'hi'}}];"),
        ("g.js", ":make", "module.exports = {make: () => [{vars: {q: 'hi'}}]};"),
        ("list.mjs", "", "export default [{vars: {q: 'hi'}}];"),
        ("config.js", "", "module.exports = {tests: [{vars: {q: 'hi'}}]};"),
        pytest.param(
            "config.ts",
            "",
            "const q: string = 'hi';\nexport default {tests: [{vars: {q}}]};",
            marks=needs_typescript,
        ),
    ],
)
def test_so_does_code_that_makes_tests_with_trust_alone(
    tmp_path: Path, name: str, part: str, text: str
) -> None:
    path = tmp_path / name
    path.write_text(text)
    code = SuiteCode(path, trusted=True)
    try:
        assert prompts(load_suite(path, prompts=say(tmp_path), part=part, code=code)) == ["Say hi"]
    finally:
        code.close()
    with pytest.raises(FormatError, match="needs code to run"):
        load_suite(path, prompts=say(tmp_path), part=part)


@pytest.mark.parametrize("name", ["empty.csv", "open.csv"])
def test_a_table_that_cannot_be_read_is_named_itself(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty.csv").write_text("")
    (tmp_path / "open.csv").write_text('q\n"a\n')
    (tmp_path / "c.yaml").write_text(f"prompts: [a]\ntests: file://{name}\n")
    for path in ("c.yaml", name):
        with pytest.raises(FormatError) as caught:
            load_suite(tmp_path / path)
        assert caught.value.title.startswith(f"{name} cannot be read")
        assert "c.yaml" not in str(caught.value)
