"""Every key of AgentV's files, misspelt at every place where it may stand: none passes, each is told."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from misspelt import misspelt

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats import looks_like_agentv
from turnwise.conversations.formats.agentv import keys, load_agentv, newest_keys
from turnwise.conversations.words import nearest

Fields = dict[str, Any]
EARLY = {"id": "a", "expected_outcome": "it is polite", "input": "hi", "expected_output": "hello"}
LATER = {
    "id": "a",
    "criteria": "it is polite",
    "input": "hi",
    "assertions": [{"type": "contains", "value": "x"}],
}
RANGES = [{"score_range": [0, 10], "outcome": "any"}]
MINIMAL: Mapping[str, Fields] = {
    "code_judge": {"script": ["./judge"]},
    "rubric": {"rubrics": ["polite"]},
    "rubrics": {"criteria": ["polite"]},
    "composite": {"evaluators": [{"type": "is_json"}], "aggregator": {"type": "weighted_average"}},
    "tool_trajectory": {"mode": "any_order", "minimums": {"search": 1}},
    "field_accuracy": {"fields": [{"path": "a", "match": "exact"}]},
    "latency": {"threshold": 1},
    "cost": {"budget": 1},
    "token_usage": {"max_total": 1},
    "execution_metrics": {"max_tokens": 1},
    "skill_trigger": {"skill": "s"},
    **{f"{mode}contains_{which}": {"value": ["a"]} for mode in ("", "i") for which in ("any", "all")},
    **{
        kind: {"value": "a"}
        for kind in ("contains", "icontains", "starts_with", "ends_with", "equals", "regex")
    },
}
"""What an evaluator of a kind must say."""


def early(**fields: Any) -> Fields:
    return {"evalcases": [{**EARLY, **fields}]}


def later(**fields: Any) -> Fields:
    return {"tests": [{**LATER, **fields}]}


def judged_by(evaluator: Fields) -> Fields:
    return early(execution={"evaluators": [evaluator]})


Place = tuple[str, Callable[[Fields], Fields]]
CASE = "e.json, case a"
EVALUATOR = f"{CASE}, execution, evaluators[0]"
PLACES: dict[str, list[Place]] = {
    "TOP": [("e.json", lambda one: {**early(), **one}), ("e.json", lambda one: {**later(), **one})],
    "CASE": [(CASE, lambda one: early(**one)), (CASE, lambda one: later(**one))],
    "EXECUTION": [
        (f"{CASE}, execution", lambda one: early(execution=one)),
        (f"{CASE}, execution", lambda one: later(execution=one)),
        ("e.json, execution", lambda one: {**early(), "execution": one}),
    ],
    "TURN": [
        (
            f"{CASE}, turns[0]",
            lambda one: later(mode="conversation", turns=[{"input": "hi", **one}]),
        )
    ],
    "MESSAGE": [
        (f"{CASE}, input[0]", lambda one: early(input=[{"role": "user", "content": "hi", **one}])),
        (
            f"{CASE}, input_messages[0]",
            lambda one: early(input_messages=[{"role": "user", "content": "", **one}]),
        ),
        (
            f"{CASE}, expected_messages[0]",
            lambda one: early(expected_messages=[{"role": "assistant", "content": "a", **one}]),
        ),
        ("e.json, input[0]", lambda one: {**later(), "input": [{"role": "user", "content": "hi", **one}]}),
    ],
    "PART": [
        (
            f"{CASE}, input[0]",
            lambda one: early(input=[{"role": "user", "content": [{"type": "text", "value": "a", **one}]}]),
        )
    ],
    "RUBRIC": [
        (f"{CASE}, rubrics[0]", lambda one: early(rubrics=[{"outcome": "polite", **one}])),
        (
            f"{EVALUATOR}, rubrics[0]",
            lambda one: judged_by({"type": "rubric", "rubrics": [{"outcome": "polite", **one}]}),
        ),
    ],
    "RANGE": [
        (
            f"{CASE}, rubrics[0], score_ranges[0]",
            lambda one: early(rubrics=[{"outcome": "polite", "score_ranges": [{**RANGES[0], **one}]}]),
        )
    ],
    "AGGREGATOR": [
        (
            f"{EVALUATOR}, aggregator",
            lambda one: judged_by(
                {
                    "type": "composite",
                    "evaluators": [{"type": "is_json"}],
                    "aggregator": {"type": "weighted_average", **one},
                }
            ),
        )
    ],
    "PROMPT_SCRIPT": [
        (
            f"{EVALUATOR}, prompt",
            lambda one: judged_by({"type": "llm_judge", "prompt": {"command": ["sh"], **one}}),
        )
    ],
    "FIELD": [
        (
            f"{EVALUATOR}, fields[0]",
            lambda one: judged_by(
                {"type": "field_accuracy", "fields": [{"path": "a", "match": "exact", **one}]}
            ),
        )
    ],
    "CALL": [
        (
            f"{EVALUATOR}, expected[0]",
            lambda one: judged_by(
                {"type": "tool_trajectory", "mode": "exact", "expected": [{"tool": "a", **one}]}
            ),
        )
    ],
    "EVALUATOR": [
        (EVALUATOR, lambda one: judged_by({"type": "contains", "value": "a", **one})),
        (f"{CASE}, assertions[0]", lambda one: later(assertions=[{"type": "equals", "value": "a", **one}])),
        (
            "e.json, assertions[0]",
            lambda one: {**later(), "assertions": [{"type": "equals", "value": "a", **one}]},
        ),
        (
            f"{CASE}, turns[0], assertions[0]",
            lambda one: later(
                mode="conversation",
                turns=[{"input": "hi", "assertions": [{"type": "equals", "value": "a", **one}]}],
            ),
        ),
        (
            f"{EVALUATOR}, evaluators[0]",
            lambda one: judged_by(
                {
                    "type": "composite",
                    "evaluators": [{"type": "equals", "value": "a", **one}],
                    "aggregator": {"type": "weighted_average"},
                }
            ),
        ),
    ],
    "OPEN": [],
}
"""Where the keys of each table may stand: the words for the place, and a file with one key there."""


def newest(**fields: Any) -> Fields:
    test = {"id": "a", "vars": {"q": "hi"}, "assert": ["it is polite"]}
    return {"prompts": ["{{q}}"], "default_test": {}, "tests": [{**test, **fields}]}


NEWEST_TOP: list[Place] = [("e.json", lambda one: {**newest(), **one})]
NEWEST_TEST: list[Place] = [(CASE, lambda one: newest(**one))]
NEWEST_DEFAULTS: list[Place] = [("e.json, default_test", lambda one: {**newest(), "default_test": one})]
NEWEST_PLACES: dict[str, list[Place]] = {
    "TOP": NEWEST_TOP,
    "TOP_UNUSED": NEWEST_TOP,
    "TEST": NEWEST_TEST,
    "TEST_UNUSED": NEWEST_TEST,
    "DEFAULTS": NEWEST_DEFAULTS,
    "DEFAULTS_UNUSED": NEWEST_DEFAULTS,
    "OPTIONS": [(f"{CASE}, options", lambda one: newest(options=one))],
    "EXECUTION": [(f"{CASE}, execution", lambda one: newest(execution=one))],
    "RUN": [(f"{CASE}, run", lambda one: newest(run=one))],
    "SCENARIO": [
        (
            "e.json, scenario 1",
            lambda one: {**newest(), "tests": None, "scenarios": [{"config": [{}], "tests": [], **one}]},
        )
    ],
}
"""The same for the form of AgentV 5."""


def tables(module: ModuleType = keys) -> dict[str, frozenset[str]]:
    """Return the tables of keys that the loader reads by."""
    found = vars(module).items()
    return {name: value for name, value in found if isinstance(value, frozenset) and name[0] != "_"}


def told(path: Path, document: Fields) -> str:
    """Return what keeps every case of a file from passing."""
    path.write_text(json.dumps(document))
    try:
        suite = load_agentv(path)
    except FormatError as error:
        return str(error)
    assert all(case.problem for case in suite.cases), document
    found = [*suite.settings["rejected"], *(case.problem for case in suite.cases)]
    assert found, f"{document} would pass"
    return "\n".join(found)


def test_every_table_of_keys_has_its_places_here() -> None:
    assert tables().keys() == PLACES.keys()
    assert tables(newest_keys).keys() == NEWEST_PLACES.keys()


@pytest.mark.parametrize("table", sorted(PLACES))
def test_no_misspelt_key_passes_and_each_is_told(tmp_path: Path, table: str) -> None:
    known = tables()[table]
    every = known | keys.EVALUATORS["contains"] if table == "EVALUATOR" else known
    for key in sorted(known):
        for slip in misspelt(key, every):
            for place, file_with in PLACES[table]:
                if slip[0] in "$_." and place == "e.json":
                    continue
                found = told(tmp_path / "e.json", file_with({slip: "a"}))
                assert f"{place}: " in found, (slip, found)
                assert f"no field {slip}" in found, (slip, found)
                assert f"Did you mean {nearest(slip, every)}?" in found, (slip, found)


@pytest.mark.parametrize("table", sorted(NEWEST_PLACES))
def test_no_misspelt_key_of_the_newest_form_passes(tmp_path: Path, table: str) -> None:
    found_in = tables(newest_keys)
    beside = found_in.get(f"{table}_UNUSED", frozenset()) | found_in[table.removesuffix("_UNUSED")]
    every = found_in[table] | beside
    for key in sorted(found_in[table]):
        for slip in misspelt(key, every):
            for place, file_with in NEWEST_PLACES[table]:
                if slip[0] in "$_.":
                    continue
                found = told(tmp_path / "e.json", file_with({slip: "a"}))
                assert f"{place}: " in found, (slip, found)
                assert f"no field {slip}. Did you mean {nearest(slip, every)}?" in " ".join(
                    found.replace("\n", ". ").split()
                ), (slip, found)


@pytest.mark.parametrize("kind", sorted(keys.EVALUATORS))
def test_no_misspelt_key_of_an_evaluator_passes(tmp_path: Path, kind: str) -> None:
    known = keys.EVALUATOR | keys.EVALUATORS[kind]
    for key in sorted(keys.EVALUATORS[kind]):
        for slip in misspelt(key, known):
            evaluator = {"type": kind, **MINIMAL.get(kind, {})}
            evaluator.pop(key, None)
            for place, document in (
                (EVALUATOR, judged_by({**evaluator, slip: "a"})),
                (f"{CASE}, assertions[0]", later(assertions=[{**evaluator, slip: "a"}])),
            ):
                found = told(tmp_path / "e.json", document)
                assert f"{place}: an evaluator of type {kind} has no field {slip}" in found
                assert f"Did you mean {nearest(slip, known)}?" in found, (slip, found)


@pytest.mark.parametrize("key", sorted(EARLY))
def test_what_a_case_must_have_is_told_with_the_misspelling(tmp_path: Path, key: str) -> None:
    for slip in misspelt(key, keys.CASE):
        case = {slip if name == key else name: value for name, value in EARLY.items()}
        found = told(tmp_path / "e.json", {"evalcases": [case]})
        assert f"a case has no field {slip}. Did you mean {nearest(slip, keys.CASE)}?" in found


@pytest.mark.parametrize("key", ["evalcases", "eval_cases", "tests", "cases"])
def test_a_misspelt_list_of_cases_is_still_agentv_and_is_told(tmp_path: Path, key: str) -> None:
    lists = ("evalcases", "eval_cases", "tests", "cases")
    for slip in misspelt(key, lists):
        path = tmp_path / "e.yaml"
        path.write_text(json.dumps({slip: [EARLY]}, indent=1))
        assert looks_like_agentv(path), slip
        path.write_text(f"{slip}:\n- id: a\n  expected_outcome: good\n  input: hi\n")
        assert looks_like_agentv(path), slip
        with pytest.raises(FormatError, match=r"AgentV's cases.*got ") as error:
            load_agentv(path)
        assert error.value.next_step == f"Did you mean {nearest(slip, lists)}?"


def test_a_misspelt_type_is_told_with_the_nearest_name(tmp_path: Path) -> None:
    found = told(tmp_path / "e.json", judged_by({"type": "llm_jugde"}))
    assert "Did you mean llm_judge?" in found


def test_as_agentv_a_misspelt_key_is_told_and_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "e.json"
    path.write_text(json.dumps(early(rubric=["polite"], expected_ouput="a", execution={"evaluator": []})))
    suite = load_agentv(path, compat=True)
    assert not suite.cases[0].problem
    assert [warning.rpartition(". ")[2] for warning in suite.warnings] == [
        "Did you mean rubrics?",
        "Did you mean expected_output?",
        "Did you mean evaluators?",
    ]


def test_what_a_program_or_a_prompt_reads_is_no_slip(tmp_path: Path) -> None:
    path = tmp_path / "e.json"
    path.write_text(
        json.dumps(judged_by({"type": "llm_judge", "prompt": "{{output}} {{style}}", "style": "x"}))
    )
    suite = load_agentv(path)
    assert not suite.warnings
    assert not suite.cases[0].problem
