"""Evaluators and assertions: what each becomes as a check, and which mean nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats.agentv import load_agentv
from turnwise.conversations.suites import Check, Suite


def load(folder: Path, *evaluators: Any, later: bool = True, **options: Any) -> Suite:
    case: dict[str, Any] = {"id": "a", "input": "x", "expected_outcome": "o"}
    if later:
        document = {"tests": [{**case, "assertions": list(evaluators)}]}
    else:
        document = {"evalcases": [{**case, "evaluators": list(evaluators)}]}
    path = folder / "e.json"
    path.write_text(json.dumps(document))
    return load_agentv(path, **options)


def only(folder: Path, evaluator: Any, **options: Any) -> Check:
    (check,) = load(folder, evaluator, **options).cases[0].checks
    return check


class TestWhatACheckKeeps:
    def test_type_name_weight_least_score_and_all_settings(self, tmp_path: Path) -> None:
        written = {"name": "n", "type": "icontains-any", "value": ["a", "b"], "weight": 2, "min_score": 0.6}
        check = only(tmp_path, {**written, "negate": True})
        assert check == Check(
            type="icontains-any",
            metric="n",
            value=["a", "b"],
            weight=2.0,
            threshold=0.6,
            negate=True,
            config={**written, "negate": True},
        )

    @pytest.mark.parametrize(("required", "least"), [(True, None), (0.7, 0.7), (False, None)])
    def test_required_may_be_the_least_score(
        self, tmp_path: Path, required: Any, least: float | None
    ) -> None:
        check = only(tmp_path, {"type": "is-json", "required": required})
        assert check.threshold == least
        assert check.config["required"] == required

    @pytest.mark.parametrize(
        ("written", "name"),
        [
            ({"type": "contains", "value": "yes"}, "contains-yes"),
            ({"type": "regex", "value": "x" * 40}, f"regex-{'x' * 30}"),
            ({"type": "icontains-all", "value": ["a", "b"]}, "icontains-all-2"),
            ({"type": "is-json"}, "is-json"),
            ({"type": "skill-trigger", "skill": "csv"}, "skill-trigger-csv"),
        ],
    )
    def test_one_without_a_name_is_named_by_what_it_checks(
        self, tmp_path: Path, written: dict[str, Any], name: str
    ) -> None:
        assert only(tmp_path, written).metric == name

    def test_a_type_of_its_own_code_stays(self, tmp_path: Path) -> None:
        assert only(tmp_path, {"type": "word-count", "most": 3}).config["most"] == 3

    def test_texts_are_one_rubric_that_weighs_as_many(self, tmp_path: Path) -> None:
        suite = load(tmp_path, {"type": "is-json"}, "Is kind", "Is brief", {"type": "contains", "value": "x"})
        kinds = [(check.type, check.weight) for check in suite.cases[0].checks]
        assert kinds == [("is-json", 1.0), ("rubrics", 2.0), ("contains", 1.0)]
        assert suite.cases[0].checks[1].config["rubrics"] == [
            {"id": "rubric-1", "outcome": "Is kind", "weight": 1.0, "required": True},
            {"id": "rubric-2", "outcome": "Is brief", "weight": 1.0, "required": True},
        ]

    def test_a_program_is_kept_and_not_run(self, tmp_path: Path) -> None:
        check = only(
            tmp_path, {"name": "c", "type": "code_judge", "script": "./check.py --x", "most": 3}, later=False
        )
        assert check.config["argv"] == ["sh", "-lc", "./check.py --x"]
        assert check.config["resolved_cwd"] == str(tmp_path)
        assert check.config["options"] == {"most": 3}

    def test_a_composite_holds_its_evaluators_as_children(self, tmp_path: Path) -> None:
        (tmp_path / "all.md").write_text("All: {{ output }}")
        check = only(
            tmp_path,
            {
                "name": "both",
                "type": "composite",
                "aggregator": {"type": "llm-grader", "prompt": "all.md"},
                "assertions": [{"type": "latency", "threshold": 5}, "Is kind"],
            },
        )
        assert [child.type for child in check.children] == ["latency", "rubrics"]
        assert check.config["aggregator"]["prompt_text"] == "All: {{ output }}"

    def test_limits_in_either_spelling(self, tmp_path: Path) -> None:
        check = only(tmp_path, {"type": "execution_metrics", "maxTokens": 9, "max_tool_calls": 2})
        assert (check.config["max_tokens"], check.config["max_tool_calls"]) == (9, 2)


class TestPrompts:
    def test_come_from_a_file_or_stand_inline(self, tmp_path: Path) -> None:
        (tmp_path / "judge.md").write_text("Judge {{ output }}\r\n")
        held = only(tmp_path, {"type": "llm-grader", "prompt": "file://judge.md"}).config
        assert (held["prompt_text"], held["prompt_path"]) == (
            "Judge {{ output }}\n",
            str(tmp_path / "judge.md"),
        )
        assert (
            only(tmp_path, {"type": "llm-grader", "prompt": "Is it kind?"}).config["prompt_text"]
            == "Is it kind?"
        )

    @pytest.mark.parametrize("prompt", ["judges/none.md", "./none.md", "none.txt", "file://none.md"])
    def test_a_path_to_nothing_is_the_problem_of_the_case(self, tmp_path: Path, prompt: str) -> None:
        (case,) = load(tmp_path, {"type": "llm-grader", "prompt": prompt}).cases
        assert f"prompt: the file {prompt} cannot be read: it is not there" in case.problem

    def test_so_is_one_of_a_composite(self, tmp_path: Path) -> None:
        of_all = {"type": "llm-grader", "prompt": "./all.md"}
        whole = {"type": "composite", "aggregator": of_all, "assertions": [{"type": "is-json"}]}
        (case,) = load(tmp_path, whole).cases
        assert "aggregator, prompt: the file ./all.md cannot be read" in case.problem

    def test_in_compat_it_is_the_prompt_itself_or_an_error(self, tmp_path: Path) -> None:
        check = only(tmp_path, {"type": "llm-grader", "prompt": "judges/none.md"}, compat=True)
        assert check.config["prompt_text"] == "judges/none.md"
        with pytest.raises(FormatError, match="is not there"):
            load(tmp_path, {"type": "llm-grader", "prompt": "file://none.md"}, compat=True)

    def test_one_that_shows_no_answer_is_an_error(self, tmp_path: Path) -> None:
        (tmp_path / "judge.md").write_text("Is it kind?")
        with pytest.raises(FormatError, match="does not show the judge the answer"):
            load(tmp_path, {"name": "j", "type": "llm_judge", "prompt": "judge.md"}, later=False)

    def test_one_made_by_a_program_names_it(self, tmp_path: Path) -> None:
        (tmp_path / "make.ts").write_text("")
        prompt = {"script": ["bun", "make.ts"], "config": {"strict": True}}
        config = only(tmp_path, {"name": "j", "type": "llm_judge", "prompt": prompt}, later=False).config
        assert config["prompt_argv"] == ["bun", str(tmp_path / "make.ts")]
        assert config["options"] == {"strict": True}


class TestIncludes:
    def test_bring_the_assertions_of_another_file(self, tmp_path: Path) -> None:
        templates = tmp_path / ".agentv" / "templates"
        templates.mkdir(parents=True)
        (templates / "safe.yaml").write_text(
            "assertions: [{type: llm-grader, prompt: file://own.md}, Is kind]"
        )
        (templates / "own.md").write_text("{{ output }}")
        checks = load(tmp_path, {"include": "safe"}, {"type": "is-json"}).cases[0].checks
        assert [check.type for check in checks] == ["llm-grader", "rubrics", "is-json"]
        assert checks[0].config["prompt_text"] == "{{ output }}"

    def test_in_a_circle_are_an_error(self, tmp_path: Path) -> None:
        (tmp_path / "a.yaml").write_text("assertions: [{include: ./a.yaml}]")
        with pytest.raises(FormatError, match="over and over"):
            load(tmp_path, {"include": "./a.yaml"})
        with pytest.raises(FormatError, match="it is not there"):
            load(tmp_path, {"include": "none"})


MEAN_NOTHING: list[tuple[dict[str, Any], str]] = [
    ({"type": "latency"}, "threshold"),
    ({"type": "latency", "threshold": -1}, "threshold"),
    ({"type": "cost", "budget": "1"}, "budget"),
    ({"type": "token_usage"}, "max_total"),
    ({"type": "execution_metrics", "exploration_tolerance": 1}, "max_tool_calls"),
    ({"type": "execution_metrics", "max_tokens": float("inf")}, "max_tokens"),
    ({"type": "tool_trajectory", "mode": "weird"}, "mode"),
    ({"type": "tool_trajectory", "mode": "any_order"}, "minimums"),
    ({"type": "tool_trajectory", "mode": "exact"}, "expected"),
    ({"type": "tool_trajectory", "mode": "exact", "expected": {}}, "expected"),
    ({"type": "field_accuracy", "fields": []}, "fields"),
    ({"type": "field_accuracy", "fields": [{"path": "a", "match": "fuzzy"}]}, "match"),
    ({"type": "composite", "evaluators": []}, "aggregator"),
    ({"type": "composite", "aggregator": {"type": "weighted_average"}}, "evaluators"),
    ({"type": "composite", "evaluators": [], "aggregator": {"type": "weighted_average"}}, "at least one"),
    ({"type": "composite", "evaluators": [], "aggregator": {"type": "vote"}}, "aggregator, type"),
    ({"type": "rubric"}, "rubrics"),
    ({"type": "code_judge"}, "script"),
]


@pytest.mark.parametrize(("written", "field"), MEAN_NOTHING)
def test_one_that_means_nothing_is_an_error_and_in_agentv_left_out(
    tmp_path: Path, written: dict[str, Any], field: str
) -> None:
    named = {"name": "n", **written}
    with pytest.raises(FormatError, match=rf"case a, evaluators\[0\].*{field}"):
        load(tmp_path, named, later=False)
    suite = load(tmp_path, named, later=False, compat=True)
    assert [check.metric for check in suite.cases[0].checks] == ["llm_judge"]
    assert field in suite.warnings[0]


@pytest.mark.parametrize(
    "written",
    [
        {"type": "is-json", "weight": -1},
        {"type": "is-json", "weight": "2"},
        {"type": "contains"},
        {"type": "contains-any", "value": "x"},
        {"type": "code-grader", "command": []},
        {"type": "rubrics", "criteria": []},
        {"type": 3},
        7,
    ],
)
def test_in_later_files_too(tmp_path: Path, written: Any) -> None:
    with pytest.raises(FormatError, match=r"case a, assertions\[0\]"):
        load(tmp_path, written)
