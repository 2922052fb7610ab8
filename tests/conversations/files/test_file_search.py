"""Files that a case names: where they are looked for, what they become, and the border they stay behind."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from turnwise.conversations.errors import FormatError
from turnwise.conversations.files import file_search
from turnwise.conversations.formats.agentv import load_agentv
from turnwise.conversations.suites import Suite, SuiteCase


def load(path: Path, *names: str, kind: str = "file", **options: Any) -> Suite:
    parts = [{"type": "text", "value": "Look"}, *({"type": kind, "value": name} for name in names)]
    case = {"id": "a", "expected_outcome": "o", "input": [{"role": "user", "content": parts}]}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"evalcases": [case]}))
    return load_agentv(path, **options)


def sent(suite: Suite) -> Any:
    (case,) = suite.cases
    return case.messages[-1]["content"]


def problem_of(suite: Suite) -> str:
    (case,) = suite.cases
    return case.problem


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with a file in each folder that is searched, and a secret beside it."""
    root = tmp_path / "project"
    for place in (".git/HEAD", "near.md", "docs/up.md", "evals/deep/near.md", "work/here.md"):
        (root / place).parent.mkdir(parents=True, exist_ok=True)
        (root / place).write_text(f"{place}\r\nsecond line")
    (tmp_path / "secret.md").write_text("SECRET")
    return root


class TestWhereFilesAreLookedFor:
    def test_the_eval_files_folder_comes_before_those_above(self, project: Path) -> None:
        suite = load(project / "evals" / "deep" / "e.json", "near.md", "docs/up.md", "../../near.md")
        assert sent(suite) == (
            'Look\n<file path="near.md">\nevals/deep/near.md\nsecond line\n</file>\n'
            '<file path="docs/up.md">\ndocs/up.md\nsecond line\n</file>\n'
            '<file path="../../near.md">\nnear.md\nsecond line\n</file>'
        )
        assert suite.cases[0].prompt == "Look"

    def test_a_slash_begins_at_the_repository(self, project: Path) -> None:
        assert "near.md\nsecond" in sent(load(project / "evals" / "deep" / "e.json", "/near.md"))
        assert "deep" not in sent(load(project / "evals" / "deep" / "e.json", "/near.md"))
        assert "deep" in sent(load(project / "evals" / "deep" / "e.json", "/near.md", compat=True))

    def test_the_working_folder_comes_last_and_in_compat_alone(
        self, project: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(project / "work")
        assert "work/here.md" in sent(load(project / "evals" / "e.json", "here.md", compat=True))
        assert sent(load(project / "evals" / "e.json", "here.md")) == "Look"

    def test_a_missing_file_is_the_problem_of_its_case_and_in_compat_a_warning(self, project: Path) -> None:
        told = "e.json, case a, input[0]: the file none.md cannot be read: it is not there"
        assert problem_of(load(project / "e.json", "none.md")) == told
        suite = load(project / "e.json", "none.md", compat=True)
        assert (sent(suite), suite.warnings, problem_of(suite)) == ("Look", (told,), "")

    def test_bytes_that_are_no_text_are_a_problem_too(self, project: Path) -> None:
        (project / "binary").write_bytes(b"\xff\x00")
        assert "UTF-8" in problem_of(load(project / "e.json", "binary"))


class TestTheBorder:
    @pytest.mark.parametrize(
        "name", ["../secret.md", "../../secret.md", "file://../secret.md", "link.md", "out/secret.md"]
    )
    def test_nothing_outside_is_read(self, project: Path, name: str) -> None:
        (project / "link.md").symlink_to(project.parent / "secret.md")
        (project / "out").symlink_to(project.parent)
        for compat in (False, True):
            suite = load(project / "e.json", name, compat=compat)
            assert sent(suite) == "Look"
            told = suite.warnings[0] if compat else problem_of(suite)
            assert "no such file inside project" in told

    def test_nor_by_an_absolute_name(self, project: Path) -> None:
        suite = load(project / "e.json", str(project.parent / "secret.md"), compat=True)
        assert sent(suite) == "Look"

    def test_nor_from_the_working_folder(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(project.parent)
        assert sent(load(project / "e.json", "secret.md")) == "Look"

    def test_the_border_may_be_narrower_than_the_repository(self, project: Path) -> None:
        assert sent(load(project / "evals" / "e.json", "near.md", root=project / "evals")) == "Look"

    def test_nor_as_a_prompt_an_include_a_list_or_a_sidecar(self, project: Path) -> None:
        judge = {"type": "llm-grader", "prompt": "../secret.md"}
        base = {"id": "a", "criteria": "c", "input": "x"}
        path = project / "e.json"
        path.write_text(json.dumps({"tests": [{**base, "assertions": [judge]}]}))
        (case,) = load_agentv(path).cases
        assert case.checks[0].config["prompt_text"] == "../secret.md"
        assert "../secret.md cannot be read" in case.problem
        for tests in (
            [{**base, "assertions": [{"include": "../secret.md"}]}],
            "../secret.md",
            ["file://../*.md"],
        ):
            path.write_text(json.dumps({"tests": tests}))
            with pytest.raises(FormatError, match=r"inside|not there|no file"):
                load_agentv(path)
        (project / "d.yaml").symlink_to(project.parent / "secret.md")
        (project / "d.jsonl").write_text('{"id": "a", "expected_outcome": "o", "input": "x"}\n')
        assert "SECRET" not in repr(load_agentv(project / "d.jsonl"))

    def test_cases_hold_no_more_than_memory(self, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(file_search, "_MOST_BROUGHT", 40)
        suite = load(project / "e.json", "near.md", "near.md", "near.md")
        assert "hold over 40 characters" in problem_of(suite)

    @pytest.mark.parametrize("field", ["input", "expected_output"])
    def test_nor_by_what_is_written_once_and_used_often(
        self, project: Path, monkeypatch: pytest.MonkeyPatch, field: str
    ) -> None:
        monkeypatch.setattr(file_search, "_MOST_BROUGHT", 1_000)
        usual = {"id": "a", "criteria": "c", "input": "x", "vars": {"long": "x" * 100}}
        for value in ("{{ long }}" * 20, [{"role": "user", "content": "{{ long }}"}] * 20):
            path = project / "e.json"
            path.write_text(json.dumps({"tests": [usual | {field: value}]}))
            with pytest.raises(FormatError, match="case a: the cases hold over"):
                load_agentv(path)


class TestGuidelines:
    def guided(self, project: Path, **options: Any) -> SuiteCase:
        (project / "python.instructions.md").write_text("Use Python.")
        (case,) = load(project / "e.json", "python.instructions.md", **options).cases
        return case

    def test_go_before_the_conversation(self, project: Path) -> None:
        case = self.guided(project)
        assert [message["role"] for message in case.messages] == ["system", "user"]
        assert "Use Python." in case.messages[0]["content"]
        assert case.messages[1]["content"] == "Look"
        assert case.options["guideline_files"] == [str(project / "python.instructions.md")]

    def test_are_what_the_nearest_configuration_says(self, project: Path) -> None:
        (project / ".agentv").mkdir()
        (project / ".agentv" / "config.yaml").write_text('guideline_patterns: ["rules/*.md"]')
        assert self.guided(project).options["input_files"]

    def test_are_none_in_agentv_without_a_configuration(self, project: Path) -> None:
        assert self.guided(project, compat=True).options["input_files"]


def test_images_are_sent_as_parts(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"png")
    text, image = sent(load(tmp_path / "e.json", "a.png", kind="image"))
    assert text == {"type": "text", "text": "Look"}
    assert image["image_url"]["url"] == f"data:image/png;base64,{base64.b64encode(b'png').decode()}"


def test_files_of_an_expected_answer_are_part_of_the_reference(tmp_path: Path) -> None:
    (tmp_path / "answer.md").write_text("It is 4.")
    content = [{"type": "text", "value": "Because"}, {"type": "file", "value": "answer.md"}]
    expected = [{"role": "assistant", "content": content}]
    case = {"id": "a", "expected_outcome": "o", "input": "x", "expected_output": expected}
    path = tmp_path / "e.json"
    path.write_text(json.dumps({"evalcases": [case]}))
    assert load_agentv(path).cases[0].reference == 'Because\n<file path="answer.md">\nIt is 4.\n</file>'
    assert json.loads(load_agentv(path, compat=True).cases[0].reference)[1]["resolvedPath"].endswith(
        "answer.md"
    )
