"""Suites: the targets that are given, and what is told where a configuration cannot be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from suite_files import Load, prompts

from turnwise.conversations.errors import FormatError, NotFoundError
from turnwise.conversations.files import Folder
from turnwise.conversations.formats.promptfoo import load_suite, read_prompts
from turnwise.conversations.suites import TargetSpec


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("prompts: [a\n", "c.yaml: expected YAML"),
        ("tests: []", "expected at least one test; got none"),
        ("tests:\nprompts: [a]", "expected at least one test; got none"),
        ("tests: []\nprompts: [a]\ndefaultTest: {vars: {a: 1}}", "expected at least one test; got none"),
        ("providers: [echo]", "expected at least one test; got none"),
        ("description: d\nversion: 1", "expected prompts and tests; got description, version"),
        ("5", "expected prompts and tests; got a number"),
        ("- 1", "test 1: expected a test with vars and assert; got a number"),
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
def test_a_message_names_file_place_and_field(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(text)
    with pytest.raises(FormatError) as raised:
        load_suite(path)
    assert problem in str(raised.value)
    assert raised.value.next_step


def test_one_bad_test_does_not_take_the_others_away(load: Load) -> None:
    suite = load(tests=[{"vars": {"q": "a"}}, 5, {"vars": {"q": "b"}}])
    assert prompts(suite) == ["a", "b"]
    assert len(suite.settings["rejected"]) == len(suite.warnings) == 1


@pytest.mark.parametrize("asserted", [5, {}, {"type": 5}, {"type": "contains", "threshold": "x"}])
def test_a_bad_assertion_is_a_problem_of_its_case(load: Load, asserted: Any) -> None:
    suite = load(tests=[{"vars": {"q": "a"}, "assert": [asserted]}])
    assert "test 1, assert 1" in suite.cases[0].problem


def test_as_promptfoo_what_checks_nothing_is_told_once(load: Load) -> None:
    test = {"vars": {"q": "a", "assert": []}, "asserts": [{"type": "contains", "value": "a"}]}
    assert load(tests=[test, test], compat=True).warnings == (
        "promptfooconfig.yaml, test 1: a test has no field asserts; it is passed over. Did you mean assert?",
        "promptfooconfig.yaml, test 1, vars: assert stands under vars, where it checks nothing",
    )


def test_prompts_alone_are_one_test(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("prompts: [a]")
    assert prompts(load_suite(path)) == ["a"]


@pytest.mark.parametrize("text", ["prompts: [a]\ntests: []", "providers: [echo]"])
def test_as_promptfoo_a_file_without_tests_is_one(tmp_path: Path, text: str) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(text)
    assert len(load_suite(path, compat=True).cases) == 1


class TestWithoutPrompts:
    def test_the_variable_prompt_is_asked(self, tmp_path: Path) -> None:
        path = tmp_path / "c.yaml"
        path.write_text("tests:\n  - vars: {prompt: 'Say {{word}}', word: hi}\n")
        suite = load_suite(path)
        assert (prompts(suite), suite.warnings) == (["Say hi"], ())

    @pytest.mark.parametrize("written", ["", "prompts:\n", "prompts: ''\n"])
    def test_where_there_is_none_that_is_told(self, tmp_path: Path, written: str) -> None:
        path = tmp_path / "c.yaml"
        path.write_text(f"{written}tests:\n  - vars: {{question: x}}\n")
        suite = load_suite(path)
        assert prompts(suite) == [""]
        assert "c.yaml: it names no prompts and no test has a variable prompt" in suite.warnings[0]
        assert "--prompt" in suite.warnings[0]

    def test_a_default_test_may_hold_the_only_one(self, tmp_path: Path) -> None:
        path = tmp_path / "c.yaml"
        path.write_text("defaultTest: {vars: {prompt: hi}}")
        assert prompts(load_suite(path)) == ["hi"]

    def test_prompts_that_are_given_go_before_those_of_the_file(self, tmp_path: Path) -> None:
        path = tmp_path / "c.yaml"
        path.write_text("prompts: [own]\ntests:\n  - vars: {q: x}\n")
        given = read_prompts(["One {{q}}", "Two {{q}}"], Folder(tmp_path, tmp_path), "here")
        assert prompts(load_suite(path, prompts=given)) == ["One x", "Two x"]


def test_a_missing_file_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        load_suite(tmp_path / "none.yaml")


def test_files_cannot_name_each_other_without_end(load: Load) -> None:
    itself = "vars: {q: 1}\nmetadata: {a: [" + "file://a.yaml, " * 100 + "]}"
    files: dict[str, str | bytes] = {"a.yaml": itself}
    with pytest.raises(FormatError, match="without end"):
        load(files, tests="file://a.yaml")


def test_references_cannot_fill_the_memory(load: Load) -> None:
    layers = {f"l{n}": [{"$ref": f"#/l{n + 1}"}] * 10 for n in range(9)} | {"l9": 1}
    with pytest.raises(FormatError, match="a million values"):
        load(**layers)


def test_lists_cannot_stand_for_endless_rows(load: Load) -> None:
    many = [str(number) for number in range(100)]
    with pytest.raises(FormatError, match="more than 100,000 rows"):
        load(tests=[{"vars": {"a": many, "b": many, "c": many}}])


def test_the_targets_of_the_file_can_be_replaced(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text("prompts: [a]\nproviders: [file://missing.yaml]\ntests: [{vars: {}}, {vars: {a: 1}}]")
    suite = load_suite(path, targets=(TargetSpec(id="mine"),))
    assert [case.target.id for case in suite.cases if case.target] == ["mine", "mine"]


def test_extensions_are_told_as_not_run_without_trust(load: Load) -> None:
    suite = load({"hooks.py": ""}, tests=[{"vars": {"q": 1}}], extensions=["file://hooks.py:beforeAll"])
    [warning] = suite.warnings
    assert "hooks.py:beforeAll is code, which is not run without --trust" in warning
    assert suite.settings["extensions"] == ()


@pytest.mark.parametrize("extension", ["hooks.py", {"path": "hooks.py"}, "file://none.py:beforeAll"])
def test_an_extension_that_is_no_script_is_an_error(load: Load, extension: Any) -> None:
    with pytest.raises(FormatError, match="extensions: expected"):
        load({"hooks.py": ""}, tests=[{"vars": {"q": 1}}], extensions=[extension])
