"""load_agentv: the forms of AgentV's eval files, what each case becomes, and what is refused by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.errors import FormatError, NotFoundError, TurnwiseError
from turnwise.conversations.formats.agentv import load_agentv
from turnwise.conversations.suites import Suite, SuiteCase


def load(folder: Path, document: Any, name: str = "evals.json", **options: Any) -> Suite:
    path = folder / name
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return load_agentv(path, **options)


def only(folder: Path, case: dict[str, Any], *, key: str = "evalcases", **options: Any) -> SuiteCase:
    usual = {"id": "a", "input": "Hi", **({"expected_outcome": "greets"} if key == "evalcases" else {})}
    (found,) = load(folder, {key: [usual | case]}, **options).cases
    return found


BRIEF = """
description: Sums
evalcases:
  - id: addition
    expected_outcome: Correctly calculates 15 + 27 = 42
    input: What is 15 + 27?
    expected_output: "42"
    sidecar: {difficulty: easy}
  - id: complex-case
    expected_outcome: Provides detailed explanation
    input:
      - role: system
        content: You are a tutor.
      - role: user
        content: Explain quicksort
    execution:
      target: gpt4_target
      evaluators:
        - {name: depth_check, type: llm_judge, prompt: ./judges/depth.md}
"""


class TestTheBriefsForm:
    def test_its_own_examples(self, tmp_path: Path) -> None:
        (tmp_path / "judges").mkdir()
        (tmp_path / "judges" / "depth.md").write_text("How deep is {{ candidate_answer }}?\r\n")
        suite = load(tmp_path, BRIEF, "dataset.yaml")
        addition, complex_case = suite.cases
        assert (suite.format, suite.description, suite.settings["form"]) == ("agentv", "Sums", "evalcases")
        assert addition.id == "addition"
        assert addition.prompt == "What is 15 + 27?"
        assert addition.messages == ({"role": "user", "content": "What is 15 + 27?"},)
        assert addition.expected == ({"role": "assistant", "content": "42"},)
        assert addition.reference == "42"
        assert addition.criterion == "Correctly calculates 15 + 27 = 42"
        assert addition.metadata == {"difficulty": "easy"}
        assert [check.type for check in addition.checks] == ["llm_judge"]
        assert complex_case.prompt == "You are a tutor. Explain quicksort"
        assert [message["role"] for message in complex_case.messages] == ["system", "user"]
        assert complex_case.target is not None
        assert complex_case.target.id == "gpt4_target"
        (depth,) = complex_case.checks
        assert (depth.type, depth.metric) == ("llm_judge", "depth_check")
        assert depth.config["prompt_text"] == "How deep is {{ candidate_answer }}?\n"
        assert not suite.warnings

    def test_an_object_as_input_is_one_message_of_it(self, tmp_path: Path) -> None:
        case = only(tmp_path, {"input": {"q": 1}})
        assert case.messages == ({"role": "user", "content": '{\n  "q": 1\n}'},)
        with pytest.raises(FormatError, match="case a, input"):
            only(tmp_path, {"input": {"q": 1}}, compat=True)

    def test_the_longer_aliases_win(self, tmp_path: Path) -> None:
        long = {
            "input_messages": [{"role": "user", "content": "long"}],
            "expected_messages": [{"role": "assistant", "content": "answer"}],
        }
        case = only(tmp_path, {"input": "short", "expected_output": "no", **long})
        assert (case.prompt, case.reference) == ("long", "answer")

    def test_the_reference_is_the_last_messages_content_or_its_tool_calls(self, tmp_path: Path) -> None:
        calls = {"role": "assistant", "tool_calls": [{"tool": "search"}]}
        assert only(tmp_path, {"expected_output": {"a": 1}}).reference == '{\n  "a": 1\n}'
        assert json.loads(only(tmp_path, {"expected_output": [calls]}).reference) == [{"tool": "search"}]
        last = {"role": "assistant", "content": "done"}
        assert only(tmp_path, {"expected_output": [calls, last]}).reference == "done"

    @pytest.mark.parametrize(
        ("wrong", "field"),
        [
            ({"id": 7}, "number 1, id"),
            ({"id": ""}, "number 1, id"),
            ({"expected_outcome": None}, "case a, expected_outcome"),
            ({"expected_outcome": 3}, "case a, expected_outcome"),
            ({"input": None}, "case a, input"),
            ({"input": 42}, "case a, input"),
            ({"input": []}, "case a, input"),
            ({"input": [{"role": "robot", "content": "x"}]}, r"case a, input\[0\], role"),
            ({"input": [{"role": "user", "content": 3}]}, r"case a, input\[0\], content"),
            ({"expected_output": 42}, "case a, expected_output"),
            ({"rubrics": "polite"}, "case a, rubrics"),
            ({"execution": {"threshold": 3}}, "case a, execution, threshold"),
        ],
    )
    def test_an_incomplete_case_is_an_error_and_the_rest_loads(
        self, tmp_path: Path, wrong: dict[str, Any], field: str
    ) -> None:
        whole = {"id": "a", "expected_outcome": "o", "input": "x"}
        suite = load(tmp_path, {"evalcases": [whole | wrong, whole | {"id": "b"}]})
        assert [(case.id, case.index) for case in suite.cases] == [("b", 1)]
        (told,) = suite.settings["rejected"]
        assert told in suite.warnings
        with pytest.raises(FormatError, match=f"evals.json, (case )?{field}") as caught:
            load(tmp_path, {"evalcases": [whole | wrong]})
        assert caught.value.next_step

    def test_all_that_a_case_lacks_is_told_at_once(self, tmp_path: Path) -> None:
        with pytest.raises(FormatError) as caught:
            load(tmp_path, {"evalcases": [{"note": "x"}]})
        assert [line.split(",")[2].split(":")[0].strip() for line in caught.value.detail.splitlines()] == [
            "id",
            "input",
            "expected_outcome",
        ]

    def test_two_cases_of_one_id_are_told_and_both_load(self, tmp_path: Path) -> None:
        whole = {"id": "a", "expected_outcome": "o", "input": "x"}
        suite = load(tmp_path, {"evalcases": [whole, whole]})
        assert len(suite.cases) == 2
        assert suite.warnings == ("evals.json, case a: another case before it has the id a",)


class TestJsonLines:
    CASE = '{"id": "a", "expected_outcome": "o", "input": "x"}\n'

    def test_a_yaml_file_beside_it_says_what_holds_for_all(self, tmp_path: Path) -> None:
        latency = {"name": "quick", "type": "latency", "threshold": 9}
        beside = {"dataset": "d", "description": "D", "execution": {"target": "t", "evaluators": [latency]}}
        (tmp_path / "data.yaml").write_text(json.dumps(beside))
        suite = load(tmp_path, self.CASE, "data.jsonl")
        (case,) = suite.cases
        assert (suite.description, suite.settings["dataset"]) == ("D", "d")
        assert [check.metric for check in case.checks] == ["quick"]
        assert [target.id for target in suite.targets] == ["t"]

    def test_a_broken_line_is_an_error_with_its_number(self, tmp_path: Path) -> None:
        text = f"{self.CASE}\n{{no\n[1]\n{self.CASE.replace('a', 'b')}"
        suite = load(tmp_path, self.CASE + "{no\n[1]\n", "data.jsonl")
        assert len(suite.cases) == 1
        assert [told.splitlines()[1].split(":")[0] for told in suite.settings["rejected"]] == [
            "data.jsonl, line 2",
            "data.jsonl, line 3",
        ]
        with pytest.raises(FormatError, match="line 3"):
            load(tmp_path, text, "data.jsonl", compat=True)

    def test_a_file_of_results_is_told_apart(self, tmp_path: Path) -> None:
        with pytest.raises(FormatError) as caught:
            load(tmp_path, '{"test_id": "a", "score": 1}\n{"test_id": "b", "score": 0}\n', "results.jsonl")
        assert "results are none" in caught.value.next_step


class TestTheLaterForms:
    @pytest.mark.parametrize("key", ["eval_cases", "cases", "tests"])
    def test_cases_under_any_of_their_names(self, tmp_path: Path, key: str) -> None:
        name = "outcome" if key == "eval_cases" else "criteria"
        assert only(tmp_path, {name: "greets"}, key=key).criterion == "greets"

    def test_a_case_adds_to_the_suites_assertions(self, tmp_path: Path) -> None:
        tests = [
            {"id": "a", "input": "x", "assertions": [{"type": "contains", "value": "y"}]},
            {"id": "b", "input": "x", "criteria": "c", "execution": {"skip_defaults": True}},
        ]
        first, second = load(tmp_path, {"assertions": [{"type": "is-json"}], "tests": tests}).cases
        assert [check.metric for check in first.checks] == ["contains-y", "is-json"]
        assert [check.type for check in second.checks] == ["llm_judge"]

    def test_a_case_of_the_briefs_form_replaces_the_suites_evaluators(self, tmp_path: Path) -> None:
        suite = {"execution": {"evaluators": [{"name": "cheap", "type": "cost", "budget": 1}]}}
        own = {"evaluators": [{"name": "quick", "type": "latency", "threshold": 1}]}
        case = {"id": "a", "expected_outcome": "o", "input": "x"}
        cases = [case, case | own, case | {"execution": {"target": "t"}}]
        loaded = load(tmp_path, suite | {"evalcases": cases})
        assert [check.metric for found in loaded.cases for check in found.checks] == [
            "cheap",
            "quick",
            "cheap",
        ]

    def test_input_of_the_suite_comes_first(self, tmp_path: Path) -> None:
        (tmp_path / "data.csv").write_text("a,b")
        suite = {"input": [{"role": "system", "content": "S"}], "input_files": ["data.csv"]}
        first, second = load(
            tmp_path,
            suite
            | {
                "tests": [
                    {"id": "a", "input": "U", "criteria": "c"},
                    {"id": "b", "input": "V", "criteria": "c", "execution": {"skip_defaults": True}},
                ]
            },
        ).cases
        assert [message["content"] for message in first.messages] == [
            "S",
            '<file path="data.csv">\na,b\n</file>\nU',
        ]
        assert [message["content"] for message in second.messages] == ["V"]

    def test_cases_in_files_folders_and_patterns(self, tmp_path: Path) -> None:
        (tmp_path / "more").mkdir()
        (tmp_path / "more" / "one.yaml").write_text("- {id: one, criteria: c, input: x}")
        (tmp_path / "more" / "two.jsonl").write_text('{"id": "two", "criteria": "c", "input": "x"}\n')
        (tmp_path / "inside" / "named").mkdir(parents=True)
        (tmp_path / "inside" / "named" / "case.yaml").write_text("{criteria: c, input: x}")
        (tmp_path / "inside" / "empty").mkdir()

        def names(tests: Any) -> list[str]:
            return [case.id for case in load(tmp_path, {"tests": tests}).cases]

        assert names("./more/one.yaml") == ["one"]
        assert names("./inside/") == ["named"]
        assert names(["file://more/two.jsonl", {"id": "own", "criteria": "c", "input": "x"}]) == [
            "two",
            "own",
        ]
        assert names(["file://more/*"]) == ["one", "two"]
        with pytest.raises(FormatError, match="no file matches"):
            names(["file://none/*.yaml"])

    def test_variables_of_the_environment_and_of_the_case(self, tmp_path: Path) -> None:
        case = {
            "id": "a",
            "criteria": "${{ GOAL }} for {{ who.name }}",
            "input": "{{ question }}",
            "vars": {"who": {"name": "Ada"}, "question": "Why?"},
            "execution": {"threshold": "${{ LEAST }}"},
        }
        suite = load(tmp_path, {"tests": [case]}, environment={"GOAL": "kind", "LEAST": "0.5"})
        (found,) = suite.cases
        assert (found.criterion, found.prompt, found.threshold) == ("kind for Ada", "Why?", 0.5)

    @pytest.mark.parametrize(
        ("environment", "why"), [({}, "is not set"), (None, "of the environment is seen with --trust alone")]
    )
    def test_a_variable_that_is_not_there_is_the_problem_of_the_cases_that_ask_for_it(
        self, tmp_path: Path, environment: dict[str, str] | None, why: str
    ) -> None:
        first = {"id": "a", "input": "x", "criteria": "${{ GOAL }}"}
        tests = [first, {"id": "b", "input": "x", "criteria": "c"}]
        asks, does_not = load(tmp_path, {"tests": tests}, environment=environment).cases
        assert asks.problem == f"evals.json, case a: ${{{{ GOAL }}}}: the variable GOAL {why}"
        assert does_not.problem == ""
        for suite in ({"input": "${{ GOAL }}"}, {"assertions": ["${{ GOAL }}"]}):
            cases = load(tmp_path, {"tests": tests[1:] * 2, **suite}, environment=environment).cases
            assert all("GOAL" in case.problem for case in cases)
        named = load(tmp_path, {"tests": tests[1:], "execution": {"target": "${{ WHO }}"}})
        assert (named.cases[0].problem, len(named.warnings)) == ("", 1)

    def test_in_compat_it_is_empty(self, tmp_path: Path) -> None:
        tests = [{"id": "a", "input": "x", "criteria": "${{ GOAL }}!"}]
        suite = load(tmp_path, {"tests": tests}, compat=True)
        assert (suite.cases[0].criterion, suite.cases[0].problem) == ("!", "")
        assert "GOAL" in suite.warnings[0]

    def test_a_prompt_that_the_suite_asks_for_in_vain_is_the_problem_of_every_case(
        self, tmp_path: Path
    ) -> None:
        judged = [{"type": "llm-grader", "prompt": "./none.md"}]
        tests = [{"id": name, "input": "x", "criteria": "c"} for name in "ab"]
        cases = load(tmp_path, {"assertions": judged, "tests": tests}).cases
        assert ["./none.md" in case.problem for case in cases] == [True, True]

    def test_each_target_of_a_suite_gets_each_case(self, tmp_path: Path) -> None:
        tests = [{"id": "a", "input": "x", "criteria": "c"}]
        suite = load(tmp_path, {"execution": {"targets": ["one", {"name": "two"}]}, "tests": tests})
        assert [(case.id, case.target.id) for case in suite.cases if case.target] == [
            ("a", "one"),
            ("a", "two"),
        ]
        assert [target.id for target in suite.targets] == ["one", "two"]

    def test_metadata_of_suite_and_case_go_together(self, tmp_path: Path) -> None:
        """As AgentV 4.42.4 merges them: lists one after the other, objects into each other."""
        case = {"id": "a", "input": "x", "criteria": "c"}
        own = {"tags": ["b", "c"], "governance": {"controls": ["two"], "tier": "low"}, "of": "case"}
        suite = load(
            tmp_path,
            {
                "metadata": {"tags": ["a", "b"], "of": "suite"},
                "governance": {"owner": "team", "controls": ["one"]},
                "tests": [{**case, "metadata": own}, {**case, "id": "b"}],
            },
        )
        assert [one.metadata for one in suite.cases] == [
            {
                "tags": ["a", "b", "c"],
                "governance": {"controls": ["one", "two"], "tier": "low", "owner": "team"},
                "of": "case",
            },
            {
                "tags": ["a", "b"],
                "governance": {"owner": "team", "controls": ["one"]},
                "of": "suite",
            },
        ]
        assert suite.warnings == ()

    def test_metadata_of_the_suite_is_each_cases(self, tmp_path: Path) -> None:
        tests = [{"id": "a", "input": "x", "criteria": "c", "metadata": {"tier": 1}}]
        (case,) = load(tmp_path, {"metadata": {"team": "t", "tier": 0}, "tests": tests}).cases
        assert case.metadata == {"team": "t", "tier": 1}


class TestConversations:
    CASE: ClassVar[dict[str, Any]] = {
        "mode": "conversation",
        "input": [{"role": "system", "content": "Be brief."}],
        "turns": [
            {"input": "What is 15% of 200?", "assertions": ["Says 30", {"type": "contains", "value": "30"}]},
            {"input": {"double": True}, "expected_output": "60"},
        ],
        "aggregation": "min",
        "on_turn_failure": "stop",
        "window_size": 2,
    }

    def test_turns_hold_what_is_sent_and_their_checks(self, tmp_path: Path) -> None:
        case = only(tmp_path, self.CASE, key="tests")
        assert case.turn_by_turn is not None
        first, second = case.turn_by_turn.turns
        assert case.turn_by_turn.aggregation == "min"
        assert case.turn_by_turn.stops_at_failure
        assert case.turn_by_turn.window_size == 2
        assert (first.input, second.input) == ("What is 15% of 200?", '{\n  "double": true\n}')
        assert [check.type for check in first.checks] == ["rubrics", "contains"]
        assert second.expected_output == "60"
        assert second.checks == ()
        assert case.checks == ()

    def test_a_criterion_is_judged_over_all_turns(self, tmp_path: Path) -> None:
        case = only(tmp_path, self.CASE | {"criteria": "Stays right"}, key="tests")
        assert [check.type for check in case.checks] == ["llm_judge"]

    @pytest.mark.parametrize(
        ("wrong", "field"),
        [
            ({"turns": []}, "turns"),
            ({"turns": ["x"]}, r"turns\[0\]"),
            ({"turns": [{"input": 3}]}, r"turns\[0\], input"),
            ({"aggregation": "median"}, "aggregation"),
            ({"window_size": 0}, "window_size"),
            ({"mode": "chat"}, "mode"),
        ],
    )
    def test_what_cannot_be_run_is_an_error(self, tmp_path: Path, wrong: dict[str, Any], field: str) -> None:
        with pytest.raises(FormatError, match=f"case a, {field}"):
            only(tmp_path, self.CASE | wrong, key="tests")


class TestFilesOfOtherKinds:
    @pytest.mark.parametrize(
        ("document", "said"),
        [
            ({"prompts": ["{{x}}"], "providers": ["echo"], "tests": []}, "promptfoo"),
            ({"skill_name": "s", "evals": [{"id": 1, "prompt": "x"}]}, "Agent Skills"),
            ({"targets": []}, "expected a list of AgentV's cases"),
            ([{"id": "a"}], "tests: ./evals.json"),
        ],
    )
    def test_are_refused_by_name(self, tmp_path: Path, document: Any, said: str) -> None:
        with pytest.raises(FormatError) as caught:
            load(tmp_path, document)
        assert said in str(caught.value)
        assert "evals.json" in caught.value.detail
        assert caught.value.next_step

    @pytest.mark.parametrize("name", ["a.eval.ts", "evals.py", "EVAL.js"])
    def test_code_is_refused_as_such(self, tmp_path: Path, name: str) -> None:
        with pytest.raises(FormatError, match="code"):
            load(tmp_path, "export default {}", name)

    def test_a_file_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(NotFoundError):
            load_agentv(tmp_path / "none.yaml")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
TYPES = (
    *("llm_judge", "rubric", "rubrics", "code_judge", "composite", "tool_trajectory", "field_accuracy"),
    *("latency", "cost", "token_usage", "execution_metrics", "contains", "regex", "nope"),
)
EVALUATOR = st.fixed_dictionaries(
    {},
    optional={
        "name": VALUES,
        "type": st.sampled_from(TYPES) | VALUES,
        **dict.fromkeys(
            ["prompt", "script", "weight", "threshold", "budget", "fields", "mode", "minimums", "expected"],
            VALUES,
        ),
        **dict.fromkeys(["rubrics", "criteria", "evaluators", "aggregator", "include", "min_score"], VALUES),
    },
)
RUBRIC = VALUES | st.fixed_dictionaries(
    {}, optional=dict.fromkeys(["id", "outcome", "weight", "score_ranges", "min_score"], VALUES)
)
MESSAGE = VALUES | st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "system", "tool"]) | VALUES},
    optional={
        "content": VALUES
        | st.lists(
            st.fixed_dictionaries({"type": st.sampled_from(["text", "file", "image"]), "value": VALUES})
        ),
        "tool_calls": VALUES,
    },
)
EVAL_CASE = VALUES | st.fixed_dictionaries(
    {"id": st.text(min_size=1, max_size=3), "input": st.text(max_size=5) | st.lists(MESSAGE, max_size=3)},
    optional={
        "expected_outcome": st.text(min_size=1, max_size=4) | VALUES,
        "criteria": st.text(min_size=1, max_size=4) | VALUES,
        "expected_output": VALUES | st.lists(MESSAGE, max_size=2),
        "rubrics": VALUES | st.lists(RUBRIC, max_size=3),
        "evaluators": st.lists(EVALUATOR | st.text(max_size=4), max_size=3),
        "assertions": st.lists(EVALUATOR | st.text(max_size=4), max_size=3),
        "mode": st.just("conversation") | VALUES,
        "turns": VALUES
        | st.lists(st.fixed_dictionaries({"input": VALUES, "assertions": VALUES}), max_size=2),
        **dict.fromkeys(["execution", "vars", "metadata", "sidecar", "input_files", "window_size"], VALUES),
    },
)
DOCUMENT = VALUES | st.dictionaries(
    st.sampled_from(
        ["evalcases", "tests", "cases", "execution", "assertions", "input", "prompts", "evaluator"]
    ),
    st.lists(EVAL_CASE, max_size=3) | VALUES,
    max_size=4,
)


def loaded_or_told(path: Path, *, compat: bool = False) -> Suite | str:
    try:
        return load_agentv(path, compat=compat)
    except TurnwiseError as error:
        return str(error)


class TestWhateverAFileHolds:
    @given(document=DOCUMENT, compat=st.booleans())
    def test_only_our_own_errors_come_out(
        self, tmp_path_factory: pytest.TempPathFactory, document: Any, compat: bool
    ) -> None:
        path = tmp_path_factory.getbasetemp() / "any.yaml"
        path.write_text(json.dumps(document))
        found = loaded_or_told(path, compat=compat)
        if isinstance(found, str):
            assert "any.yaml" in found
        else:
            assert all(case.id and case.checks for case in found.cases if "turns" not in case.options)

    @given(
        text=st.text() | st.text("{}[]:-, \n\"'&*!|>ab#?%@"),
        name=st.sampled_from(["one.yaml", "two.json", "three.jsonl"]),
    )
    def test_nor_from_text_that_is_no_document(
        self, tmp_path_factory: pytest.TempPathFactory, text: str, name: str
    ) -> None:
        path = tmp_path_factory.getbasetemp() / name
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        found = loaded_or_told(path)
        assert name in found if isinstance(found, str) else not found.cases


@pytest.mark.parametrize("weight", [10**400, "9" * 400])
def test_a_weight_that_no_float_can_hold_is_told(tmp_path: Path, weight: int | str) -> None:
    asked = [{"role": "user", "content": "Hi"}]
    rubric = {"id": "r", "outcome": "greets", "weight": "WEIGHT"}
    cases = [
        {"id": "a", "outcome": "x", "input_messages": asked, "rubrics": [rubric]},
        {"id": "b", "outcome": "x", "input_messages": asked},
    ]
    written = json.dumps({"evalcases": cases}).replace('"WEIGHT"', str(weight))
    suite = load(tmp_path, written, "a.eval.json" if isinstance(weight, int) else "a.eval.yaml")
    assert len(suite.cases) == 1
    assert any("weight: expected a number from 0 up" in warning for warning in suite.warnings), suite.warnings


class TestWhatWouldBeLost:
    """What AgentV passes over without a word is the problem of the cases that asked for it."""

    @pytest.mark.parametrize(
        ("case", "said"),
        [
            ({"execution": ["gpt4"]}, "execution: expected an object; got a list"),
            ({"sidecar": "python"}, "sidecar: expected an object"),
            ({"metadata": 3}, "metadata: expected an object; got a number"),
            ({"vars": ["x"]}, "vars: expected an object; got a list"),
            ({"execution": {"targets": [7]}}, "target: expected a name; got a number"),
            (
                {"assertions": ["c"], "evaluators": [{"type": "is-json"}]},
                "evaluators counts for nothing beside assertions",
            ),
            (
                {"input": [{"role": "user", "content": [{"type": "json", "value": {"a": 1}}]}]},
                "a part of type json holds no text in value",
            ),
        ],
    )
    def test_in_a_case(self, tmp_path: Path, case: dict[str, Any], said: str) -> None:
        found = only(tmp_path, {"criteria": "c", **case}, key="tests")
        assert said in found.problem
        suite = load(tmp_path, {"tests": [{"id": "a", "input": "Hi", "criteria": "c", **case}]}, compat=True)
        assert suite.cases[0].problem == ""

    @pytest.mark.parametrize(
        ("document", "said"),
        [
            ({"threshold": "0.5"}, "threshold: expected a number from 0 to 1"),
            ({"execution": {"threshold": 80}}, "execution, threshold: expected a number from 0 to 1"),
            ({"execution": "fast"}, "execution: expected an object"),
            (
                {"assertions": ["c"], "execution": {"evaluators": [{"type": "is-json"}]}},
                "execution, evaluators counts for nothing beside assertions",
            ),
        ],
    )
    def test_beside_the_cases(self, tmp_path: Path, document: dict[str, Any], said: str) -> None:
        tests = [{"id": name, "input": "Hi", "criteria": "c"} for name in "ab"]
        cases = load(tmp_path, {**document, "tests": tests}).cases
        assert [said in case.problem for case in cases] == [True, True]

    @pytest.mark.parametrize(
        ("evaluator", "said"),
        [
            ({"type": "contains", "value": "x", "negate": "yes"}, "negate: expected true or false"),
            (
                {"type": "contains", "value": "x", "min_score": 80},
                "min_score: expected a number over 0, up to 1",
            ),
            (
                {
                    "type": "composite",
                    "aggregator": {"type": "weighted_average", "weights": {"saftey": 3}},
                    "assertions": [{"name": "safety", "type": "is-json"}],
                },
                "Did you mean safety?",
            ),
            (
                {
                    "type": "composite",
                    "aggregator": {"type": "weighted_average", "weights": {"safety": "3"}},
                    "assertions": [{"name": "safety", "type": "is-json"}],
                },
                "safety: expected a number",
            ),
            (
                {"type": "rubrics", "criteria": [{"outcome": "x", "operator": "contradict"}]},
                "Did you mean contradiction?",
            ),
        ],
    )
    def test_a_check_that_would_be_another_is_an_error(
        self, tmp_path: Path, evaluator: dict[str, Any], said: str
    ) -> None:
        with pytest.raises(FormatError) as caught:
            only(tmp_path, {"criteria": "c", "assertions": [evaluator]}, key="tests")
        assert said in str(caught.value)
        assert only(tmp_path, {"criteria": "c", "assertions": [evaluator]}, key="tests", compat=True)

    def test_checks_of_execution_count_in_a_case_too(self, tmp_path: Path) -> None:
        case = {"criteria": "c", "execution": {"assertions": [{"type": "is-json"}]}}
        assert [check.type for check in only(tmp_path, case, key="tests").checks] == ["is-json"]
