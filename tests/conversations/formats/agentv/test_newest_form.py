"""The form of AgentV 5: what its tests become for each prompt, what is filled in, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.errors import FormatError, TurnwiseError
from turnwise.conversations.formats.agentv import load_agentv, looks_like_agentv
from turnwise.conversations.suites import Check, Suite, SuiteCase

TEST = {"id": "a", "vars": {"input": "Hi"}, "assert": [{"type": "contains", "value": "x"}]}


def load(folder: Path, /, *tests: Any, environment: Any = None, compat: bool = False, **top: Any) -> Suite:
    path = folder / "suite.yaml"
    document = {"name": "five", "prompts": ["{{ input }}"], "tests": list(tests), **top}
    path.write_text(json.dumps({key: item for key, item in document.items() if item is not None}))
    return load_agentv(path, environment=environment, compat=compat)


def only(folder: Path, /, **fields: Any) -> SuiteCase:
    (case,) = load(folder, {**TEST, **fields}).cases
    return case


def checks(folder: Path, *written: Any, **top: Any) -> tuple[Check, ...]:
    (case,) = load(folder, {**TEST, "assert": list(written)}, **top).cases
    return case.checks


class TestPrompts:
    def test_a_prompt_is_filled_with_the_variables_of_a_test(self, tmp_path: Path) -> None:
        test = {**TEST, "vars": {"who": {"name": "Ada"}, "what": "tea"}}
        prompt = "{{ who.name }} and {{ vars.what | upper }}?"
        (case,) = load(tmp_path, test, prompts=[prompt]).cases
        assert case.messages == ({"role": "user", "content": "Ada and TEA?"},)
        assert case.vars == test["vars"]

    def test_a_variable_alone_stays_what_it_is(self, tmp_path: Path) -> None:
        said = [{"role": "system", "content": "Be {{ how }}"}, {"role": "user", "content": "Hi"}]
        case = only(tmp_path, vars={"input": said, "how": "kind"})
        assert [message["content"] for message in case.messages] == ["Be kind", "Hi"]

    def test_what_a_variable_says_of_braces_stays(self, tmp_path: Path) -> None:
        assert (
            only(tmp_path, vars={"input": "Print {{ config.SECRET }}"}).prompt == "Print {{ config.SECRET }}"
        )

    def test_each_of_several_is_a_case_with_its_name_in_the_id(self, tmp_path: Path) -> None:
        (tmp_path / "p.md").write_text("File {{ input }}\r\n")
        prompts = [
            {"id": "terse", "label": "Terse", "prompt": "Short: {{ input }}"},
            "file://p.md",
            [{"role": "user", "content": "Chat {{ input }}"}],
        ]
        cases = load(tmp_path, TEST, prompts=prompts).cases
        assert [case.prompt for case in cases] == ["Short: Hi", "File Hi", "Chat Hi"]
        assert [case.id for case in cases][:2] == ["a__prompt_terse", "a__prompt_p.md"]
        assert [case.prompt_label for case in cases] == ["Terse", "p.md", "chat"]

    def test_the_names_of_prompts_without_one_are_agentvs(self, tmp_path: Path) -> None:
        """It makes them of the SHA-256 of the JSON of a prompt."""
        cases = load(tmp_path, TEST, prompts=["A", "B"]).cases
        assert [case.id for case in cases] == [
            "a__prompt_prompt-798640599597",
            "a__prompt_prompt-955cca1ceba4",
        ]

    def test_lists_of_texts_are_a_case_for_each(self, tmp_path: Path) -> None:
        test = {**TEST, "vars": {"a": ["1", "2"], "b": ["x", "y"], "c": [{"role": "user"}]}}
        cases = load(tmp_path, test, prompts=["{{ a }}{{ b }}"]).cases
        assert [case.prompt for case in cases] == ["1x", "1y", "2x", "2y"]

    def test_without_any_prompt_md_stands_in(self, tmp_path: Path) -> None:
        (tmp_path / "PROMPT.md").write_text("Do it.\n")
        (case,) = load(tmp_path, {**TEST, "vars": {}}, prompts=None, providers=["echo"]).cases
        assert case.prompt == "Do it."

    @pytest.mark.parametrize("prompt", [{"function": "file://p.js"}, {"command": ["make"]}, "file://none.md"])
    def test_one_that_cannot_be_had_is_the_problem_of_its_cases(self, tmp_path: Path, prompt: Any) -> None:
        bad, good = load(tmp_path, TEST, prompts=[prompt, "{{ input }}"]).cases
        assert "prompts[0]" in bad.problem
        assert good.problem == ""

    def test_a_variable_that_is_not_there_is_told(self, tmp_path: Path) -> None:
        (case,) = load(tmp_path, TEST, prompts=["{{ inptu }}"]).cases
        assert case.problem == "suite.yaml, case a, prompt: nothing stands for {{ inptu }}"


class TestDefaults:
    def test_what_holds_for_all_goes_beneath_what_a_test_says(self, tmp_path: Path) -> None:
        default = {
            "vars": {"tone": "kind", "input": "none"},
            "assert": ["Is {{ tone }}", {"type": "is-json"}],
            "threshold": 0.4,
            "metadata": {"set": "one"},
        }
        suite = load(
            tmp_path, TEST, {**TEST, "id": "b", "execution": {"skip_defaults": True}}, default_test=default
        )
        first, second = suite.cases
        assert [check.type for check in first.checks] == ["contains", "llm-rubric", "is-json"]
        assert first.checks[1].config["rubrics"][0]["outcome"] == "Is kind"
        assert (first.threshold, first.metadata, first.prompt) == (0.4, {"set": "one"}, "Hi")
        assert [check.type for check in second.checks] == ["contains"]

    def test_they_may_lie_in_a_file_that_has_a_name(self, tmp_path: Path) -> None:
        (tmp_path / "d.yaml").write_text("{vars: {input: Filed}}")
        (tmp_path / ".agentv").mkdir()
        (tmp_path / ".agentv" / "config.yaml").write_text("refs: {usual: file://d.yaml}")
        test = {**TEST, "vars": {}}
        for named in ("file://d.yaml", "ref://usual"):
            assert load(tmp_path, test, default_test=named).cases[0].prompt == "Filed"
        with pytest.raises(FormatError, match="Did you mean usual"):
            load(tmp_path, test, default_test="ref://usul")
        with pytest.raises(FormatError, match="it is not there"):
            load(tmp_path, test, default_test="file://none.yaml")

    def test_the_environment_is_filled_in(self, tmp_path: Path) -> None:
        test = {**TEST, "vars": {"input": "{{ env.WHO }} {{ env.NONE | default('x') }}"}}
        assert load(tmp_path, test, environment={"WHO": "Ada"}).cases[0].prompt == "Ada x"
        (case,) = load(tmp_path, test, environment=None).cases
        assert "the variable WHO of the environment is seen with --trust alone" in case.problem
        (case,) = load(tmp_path, test, environment={}).cases
        assert "the variable WHO is not set" in case.problem

    def test_evaluate_options_set_the_pace(self, tmp_path: Path) -> None:
        suite = load(tmp_path, TEST, evaluate_options={"repeat": 3, "max_concurrency": 2, "cache": True})
        assert suite.settings["evaluateOptions"] == {"repeat": 3, "maxConcurrency": 2}
        assert any("evaluate_options: not followed: cache" in told for told in suite.warnings)


class TestWhereTestsStand:
    def test_in_files_of_yaml_json_lines_and_tables(self, tmp_path: Path) -> None:
        (tmp_path / "y.yaml").write_text(json.dumps([{**TEST, "id": "y"}]))
        (tmp_path / "j.json").write_text(json.dumps({"tests": [{**TEST, "id": "j"}]}))
        (tmp_path / "l.jsonl").write_text(json.dumps({**TEST, "id": "l"}) + "\n")
        (tmp_path / "c.csv").write_text(
            "id,vars.input,__expected,__expected2,__metric,__threshold,__metadata:source,__metadata:tags[],lang\n"
            'c,"Say hi",icontains:hello,"not-contains-any: a, b",greeting,0.7,csv,"one,two",en\n'
        )
        names = ["y.yaml", "file://j.json", {"include": "l.jsonl", "type": "tests"}, "file://c.csv"]
        cases = load(tmp_path, *names).cases
        assert [case.id for case in cases] == ["y", "j", "l", "c"]
        row = cases[-1]
        assert (row.prompt, row.threshold) == ("Say hi", 0.7)
        assert row.vars == {"input": "Say hi", "lang": "en"}
        assert row.metadata == {"source": "csv", "tags": ["one", "two"]}
        assert [(check.type, check.value, check.negate, check.metric) for check in row.checks] == [
            ("icontains", "hello", False, "greeting"),
            ("contains-any", ["a", "b"], True, "greeting"),
        ]

    def test_scenarios_cross_their_configurations_with_their_tests(self, tmp_path: Path) -> None:
        scenario = {
            "config": [{"id": "es", "vars": {"to": "Spanish"}}, {"vars": {"to": "French"}}],
            "tests": [
                {"vars": {"input": "hello"}, "assert": ["Is {{ to }}"]},
                {"id": "own", "vars": {"input": "bye"}, "assert": ["c"]},
            ],
        }
        (tmp_path / "scenarios.yaml").write_text(json.dumps([scenario]))
        for listed in ([scenario], ["file://scen*.yaml"]):
            cases = load(tmp_path, tests=None, scenarios=listed, prompts=["{{ input }} in {{ to }}"]).cases
            assert [(case.id, case.prompt) for case in cases] == [
                ("es__scenario_test_1", "hello in Spanish"),
                ("own", "bye in Spanish"),
                ("scenario-1-2-1", "hello in French"),
                ("own", "bye in French"),
            ]

    def test_turns_bring_their_assertions(self, tmp_path: Path) -> None:
        turns = [{"input": "Say {{ word }}", "assert": [{"type": "contains", "value": "{{ word }}"}]}]
        case = only(tmp_path, mode="conversation", turns=turns, vars={"input": "x", "word": "red"})
        assert case.turn_by_turn is not None
        (turn,) = case.turn_by_turn.turns
        assert (turn.input, turn.checks[0].value) == ("Say red", "red")


class TestProviders:
    def test_they_are_the_targets_by_label_and_may_stand_in_the_file(self, tmp_path: Path) -> None:
        (tmp_path / ".agentv").mkdir()
        (tmp_path / ".agentv" / "providers.yaml").write_text("- {id: mock, label: llm, response: there}")
        suite = load(
            tmp_path, TEST, providers=["llm", {"id": "mock", "label": "here", "config": {"response": "h"}}]
        )
        assert [(case.target.id, case.target.definition) for case in suite.cases if case.target] == [
            ("llm", {"provider": "mock", "response": "there"}),
            ("here", {"provider": "mock", "response": "h"}),
        ]
        (case,) = load(tmp_path, TEST, providers="llmm").cases
        assert case.target is not None
        assert "Did you mean llm?" in case.target.problem

    def test_defaults_name_the_usual_one(self, tmp_path: Path) -> None:
        (case,) = load(tmp_path, TEST, defaults={"provider": "openai:gpt-5"}).cases
        assert case.target is not None
        assert case.target.id == "openai:gpt-5"


class TestAssertions:
    def test_texts_are_one_rubric_of_their_kind(self, tmp_path: Path) -> None:
        first, second = checks(tmp_path, "Is kind", {"type": "is-json"}, "Is short")
        assert (first.type, first.weight, second.type) == ("llm-rubric", 2.0, "is-json")
        assert [one["outcome"] for one in first.config["rubrics"]] == ["Is kind", "Is short"]

    def test_a_rubric_is_words_or_criteria_and_may_have_a_prompt(self, tmp_path: Path) -> None:
        words, listed, asked, both = checks(
            tmp_path,
            {"type": "llm-rubric", "value": "Is kind"},
            {"type": "llm-rubric", "metric": "m", "value": [{"outcome": "Is short", "weight": 2}]},
            {"type": "llm-rubric", "prompt": "Judge {{ output }} of {{ input }}"},
            {"type": "llm-rubric", "prompt": "Judge {{ output }}", "value": "Is kind"},
        )
        assert words.config["prompt_text"] == "Is kind"
        assert (listed.metric, listed.config["rubrics"][0]["weight"]) == ("m", 2)
        assert asked.config["prompt_text"] == "Judge {{ output }} of Hi"
        assert both.config["criterion"] == "Is kind"

    def test_rubric_prompt_of_the_defaults_is_the_prompt_of_all(self, tmp_path: Path) -> None:
        default = {"options": {"rubric_prompt": "All: {{ output }} {{ criteria }}"}}
        (check,) = checks(tmp_path, {"type": "llm-rubric", "value": "Is kind"}, default_test=default)
        assert (check.config["prompt_text"], check.config["criterion"]) == (
            "All: {{ output }} {{ criteria }}",
            "Is kind",
        )

    def test_a_set_holds_its_members(self, tmp_path: Path) -> None:
        members = [
            {"type": "contains", "value": "a", "weight": 3},
            {"type": "assert-set", "assert": ["Is kind"]},
        ]
        (check,) = checks(
            tmp_path, {"type": "assert-set", "metric": "gate", "threshold": 0.7, "assert": members}
        )
        assert (check.type, check.metric) == ("assert-set", "gate")
        assert check.config["aggregator"] == {"type": "set", "threshold": 0.7}
        assert [(child.type, child.weight) for child in check.children] == [
            ("contains", 3.0),
            ("assert-set", 1.0),
        ]
        assert check.children[1].children[0].type == "llm-rubric"

    def test_a_script_is_a_program(self, tmp_path: Path) -> None:
        (check,) = checks(tmp_path, {"type": "script", "command": ["python3", "g.py"], "algorithm": "exact"})
        assert (check.type, check.config["argv"]) == ("script", ["python3", "g.py"])
        assert check.config["options"]["algorithm"] == "exact"

    def test_negated_types_and_thresholds(self, tmp_path: Path) -> None:
        skill, tool, code = checks(
            tmp_path,
            {"type": "not-skill-used", "value": "s"},
            {"type": "not-trajectory:tool-used", "value": "t"},
            {"type": "javascript", "value": "1", "threshold": 0.3},
        )
        assert (skill.type, skill.negate, tool.type, tool.negate) == (
            "skill-used",
            True,
            "trajectory:tool-used",
            True,
        )
        assert code.threshold == 0.3

    def test_a_template_of_assertions_is_read(self, tmp_path: Path) -> None:
        (tmp_path / ".agentv" / "templates").mkdir(parents=True)
        (tmp_path / ".agentv" / "templates" / "safe.yaml").write_text("assert: [{type: is-json}, Is safe]")
        assert [check.type for check in checks(tmp_path, {"include": "safe"})] == ["is-json", "llm-rubric"]

    def test_a_mark_that_nothing_stands_for_is_told(self, tmp_path: Path) -> None:
        case = only(tmp_path, **{"assert": [{"type": "contains", "value": "{{ wnated }}"}]})
        assert "assert: nothing stands for {{ wnated }}" in case.problem

    @pytest.mark.parametrize(
        ("written", "said"),
        [
            ({"type": "llm-grader"}, "Write llm-rubric"),
            ({"type": "composite"}, "Write assert-set"),
            ({"type": "tool_trajectory"}, "trajectory:tool-used"),
            ({"type": "contains_any", "value": ["x"]}, "Write contains-any"),
            ({"type": "levenshtein", "value": "x"}, "refuses promptfoo's levenshtein"),
            ({"type": "llm-rubric", "value": "x", "target": "t"}, "Write provider"),
            ({"type": "llm-rubric", "criteria": "x"}, "Write value"),
            ({"type": "llm-rubric"}, "expected a value or a prompt"),
            ({"type": "contains", "value": "x", "required": 0.5}, "min_score: 0.5"),
            ({"type": "is-json", "postprocess": "x"}, "Write transform"),
            ({"type": "assert-set"}, "list of evaluators"),
            ({"value": "x"}, "expected a type"),
        ],
    )
    def test_what_agentv_5_does_not_read_is_refused_by_name(
        self, tmp_path: Path, written: dict[str, Any], said: str
    ) -> None:
        with pytest.raises(FormatError) as caught:
            checks(tmp_path, written)
        assert said in str(caught.value)
        assert "suite.yaml, case a, assertions[0]" in str(caught.value)


class TestWhatMeansNothing:
    @pytest.mark.parametrize(
        ("key", "instead"),
        [("targets", "providers"), ("execution", "evaluate_options"), ("input", "prompts")],
    )
    def test_what_was_taken_away_is_refused_with_what_stands_for_it(
        self, tmp_path: Path, key: str, instead: str
    ) -> None:
        with pytest.raises(FormatError, match=f"reads no {key}") as caught:
            load(tmp_path, TEST, **{key: {"x": 1}})
        assert instead in caught.value.next_step

    def test_a_misspelt_field_makes_its_cases_fail_with_the_nearest_name(self, tmp_path: Path) -> None:
        assert "no field asserts. Did you mean assert?" in only(tmp_path, asserts=[]).problem
        (case,) = load(tmp_path, TEST, default_tst={}).cases
        assert "no field default_tst. Did you mean default_test?" in case.problem

    def test_what_is_not_followed_is_told(self, tmp_path: Path) -> None:
        suite = load(
            tmp_path, {**TEST, "depends_on": ["b"]}, environment={}, extensions=["agentv:agent-rules"]
        )
        told = " ".join(suite.warnings)
        assert "not followed: extensions" in told
        assert "not followed: depends_on" in told

    @pytest.mark.parametrize("at", ["test", "all", "check"])
    def test_an_answer_that_is_to_be_transformed_is_not_checked_as_it_is(
        self, tmp_path: Path, at: str
    ) -> None:
        transform = "file://t.ts"
        test: dict[str, Any] = {**TEST, **({"options": {"transform": transform}} if at == "test" else {})}
        if at == "check":
            test["assert"] = [{"type": "is-json", "transform": transform}]
        top = {"default_test": {"options": {"transform": transform}}} if at == "all" else {}
        (case,) = load(tmp_path, test, **top).cases
        assert "transform" in case.problem

    def test_it_is_told_as_agentvs(self, tmp_path: Path) -> None:
        load(tmp_path, TEST)
        assert looks_like_agentv(tmp_path / "suite.yaml")


WORDS = st.sampled_from(["", "x", "{{ x }}", "{{ env.X }}", "{{", "{% if %}", "file://x", "ref://x"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(WORDS, inner, max_size=2),
    max_leaves=5,
)
KINDS = st.sampled_from(["llm-rubric", "assert-set", "script", "contains", "not-skill-used", "javascript"])
ASSERTION = VALUES | st.fixed_dictionaries(
    {"type": KINDS | VALUES},
    optional=dict.fromkeys(["value", "prompt", "assert", "threshold", "metric", "weight", "command"], VALUES),
)
TESTS = st.lists(
    VALUES
    | st.fixed_dictionaries(
        {"id": st.just("a") | VALUES, "vars": st.just({"input": "Hi"}) | VALUES},
        optional={
            "assert": st.lists(ASSERTION, max_size=2) | VALUES,
            **dict.fromkeys(["options", "execution", "run", "turns", "providers", "metadata"], VALUES),
        },
    ),
    max_size=2,
)


@given(
    document=st.fixed_dictionaries(
        {"name": st.just("five"), "tests": TESTS | VALUES},
        optional=dict.fromkeys(
            [
                "prompts",
                "providers",
                "default_test",
                "scenarios",
                "assert",
                "evaluate_options",
                "defaults",
                "tags",
            ],
            VALUES,
        ),
    )
)
def test_only_our_own_errors_come_out(tmp_path_factory: pytest.TempPathFactory, document: Any) -> None:
    path = tmp_path_factory.mktemp("any") / "suite.json"
    path.write_text(json.dumps({"prompts": ["{{ input }}"], **document}))
    for compat in (False, True):
        try:
            load_agentv(path, compat=compat)
        except TurnwiseError:
            continue
