"""Targets by name: which file defines them, what a name stands for, and what is told where it is nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from turnwise.conversations.formats.agentv import load_agentv
from turnwise.conversations.suites import Suite, TargetSpec

CASE = "  - {id: a, criteria: c, input: Hi%s}\n"
EARLY = """\
targets:
  - {name: gpt4_target, provider: openai, model: gpt-4.1, api_key: sk-written}
  - {name: default, provider: mock, response: Hello}
  - {name: main, use_target: gpt4_target}
  - {name: chosen, use_target: "${{ CHOSEN }}"}
  - {name: round, use_target: round}
"""
LATER = """\
- {id: mock, label: quiet, response: Hm}
- {id: "openai:gpt-4.1", label: gpt4_target, config: {temperature: 0}}
- "openai:gpt-4.1-mini"
- {azure: {label: blue, model: m}}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with an eval file in a folder below."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / "evals" / "deep").mkdir(parents=True)
    return tmp_path


def load(project: Path, fields: str = "", top: str = "", **options: Any) -> Suite:
    path = project / "evals" / "deep" / "e.eval.yaml"
    path.write_text(f"{top}tests:\n{CASE % fields}")
    return load_agentv(path, **options)


def target(suite: Suite) -> TargetSpec:
    (case,) = suite.cases
    assert case.target is not None
    return case.target


def define(folder: Path, text: str = EARLY, name: str = ".agentv/targets.yaml") -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


class TestWhichFile:
    @pytest.mark.parametrize("name", [".agentv/targets.yaml", ".agentv/targets.yml", "targets.yaml"])
    @pytest.mark.parametrize("folder", [".", "evals", "evals/deep"])
    def test_it_is_looked_for_from_the_eval_file_up_to_the_repository(
        self, project: Path, folder: str, name: str
    ) -> None:
        define(project / folder, name=name)
        found = target(load(project, ", execution: {target: gpt4_target}"))
        assert found.definition is not None
        assert found.definition["model"] == "gpt-4.1"
        assert found.defined_in == str(Path(folder, name))

    def test_the_nearest_counts(self, project: Path) -> None:
        define(project, "targets: [{name: x, provider: mock, response: far}]")
        define(project / "evals", "targets: [{name: x, provider: mock, response: near}]")
        assert target(load(project, ", target: x")).definition["response"] == "near"  # type: ignore[index]

    def test_nothing_outside_the_repository_is_read(self, project: Path) -> None:
        define(project.parent, name="targets.yaml")
        (project / ".agentv").mkdir()
        (project / ".agentv" / "targets.yaml").symlink_to(project.parent / "targets.yaml")
        assert target(load(project, ", target: gpt4_target")).definition is None
        (project.parent / "targets.yaml").unlink()

    def test_later_versions_call_it_providers(self, project: Path) -> None:
        define(project, LATER, ".agentv/providers.yaml")
        suite = load(project, ", target: quiet")
        assert target(suite).definition == {"provider": "mock", "response": "Hm"}
        assert {name: spec.definition for name, spec in suite.known_targets.items()} == {
            "quiet": {"provider": "mock", "response": "Hm"},
            "gpt4_target": {"provider": "openai:gpt-4.1", "temperature": 0},
            "openai:gpt-4.1-mini": {"provider": "openai:gpt-4.1-mini"},
            "blue": {"provider": "azure", "model": "m"},
        }

    def test_one_that_cannot_be_read_is_told(self, project: Path) -> None:
        define(project, "targets: [{provider: mock}, x: [")
        assert any("targets.yaml: it cannot be read" in told for told in load(project).warnings)
        define(project, "targets: [{provider: mock}, 7]")
        suite = load(project)
        assert len([told for told in suite.warnings if "expected a name and a provider" in told]) == 2


class TestWhatANameStandsFor:
    def test_that_of_the_case_goes_before_that_of_the_suite(self, project: Path) -> None:
        define(project)
        top = "execution: {target: default}\n"
        assert target(load(project, ", execution: {target: gpt4_target}", top)).id == "gpt4_target"
        assert target(load(project, "", top)).id == "default"

    def test_without_a_name_it_is_the_default_where_one_is_defined(self, project: Path) -> None:
        assert load(project).cases[0].target is None
        define(project)
        assert target(load(project)).definition == {
            "name": "default",
            "provider": "mock",
            "response": "Hello",
        }

    def test_one_may_stand_for_another(self, project: Path) -> None:
        define(project)
        assert target(load(project, ", target: main")).definition["model"] == "gpt-4.1"  # type: ignore[index]

    def test_also_by_a_variable_of_the_environment(self, project: Path) -> None:
        define(project)
        chosen = target(load(project, ", target: chosen", environment={"CHOSEN": "gpt4_target"}))
        assert chosen.definition is not None
        for environment, why in (({}, "is not set"), (None, "takes --trust")):
            unknown = target(load(project, ", target: chosen", environment=environment))
            assert "CHOSEN" in unknown.problem
            assert why in unknown.problem

    def test_a_circle_is_told(self, project: Path) -> None:
        define(project)
        assert "circle" in target(load(project, ", target: round")).problem

    def test_a_key_that_is_written_in_the_file_is_not_kept(self, project: Path) -> None:
        define(project)
        assert "sk-written" not in repr(load(project, ", target: gpt4_target"))

    def test_cases_share_their_target(self, project: Path) -> None:
        define(project)
        path = project / "e.yaml"
        path.write_text(f"execution: {{target: main}}\ntests:\n{CASE % ''}{CASE % ''}")
        one, two = load_agentv(path).cases
        assert one.target is two.target


class TestNothing:
    def test_a_name_that_no_file_defines_is_told_with_the_nearest(self, project: Path) -> None:
        define(project)
        told = target(load(project, ", target: gpt4_taget")).problem
        assert told == ".agentv/targets.yaml defines no target gpt4_taget. Did you mean gpt4_target?"
        listed = target(load(project, ", target: zzz")).problem
        assert listed.endswith("It defines gpt4_target, default, main, chosen, round.")

    def test_without_a_file_it_says_which(self, project: Path) -> None:
        told = target(load(project, ", target: gpt4_target")).problem
        assert told == "there is no .agentv/targets.yaml here or above that says what gpt4_target is"

    @pytest.mark.parametrize("name", ["echo", "openai:gpt-4.1", "groq:x"])
    def test_what_means_something_by_itself_stays(self, project: Path, name: str) -> None:
        define(project)
        found = target(load(project, f', target: "{name}"'))
        assert (found.id, found.problem, found.definition) == (name, "", None)
