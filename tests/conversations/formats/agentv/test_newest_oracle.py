"""What AgentV's own loader made of an eval file of its version 5, and what is made of it here.

agentv_5_suite.yaml was given to the loader of AgentV 5.3.1-next.1; agentv_5_cases.json is what it returned.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from turnwise.conversations.formats.agentv import load_agentv
from turnwise.conversations.suites import Check, SuiteCase

HERE = Path(__file__).parent
CASES: list[dict[str, Any]] = json.loads((HERE / "agentv_5_cases.json").read_text())

LISTED = "a variable that lists texts is a case for each; AgentV sends all of them each time"


def case_of(place: int) -> SuiteCase:
    return load_agentv(HERE / "agentv_5_suite.yaml", root=HERE).cases[place]


def told(check: Check) -> dict[str, Any]:
    """Return a check in the words of AgentV's dump."""
    found: dict[str, Any] = {"type": check.type, "name": check.metric, "weight": check.weight}
    found |= {"negated": check.negate, "required": bool(check.config.get("required"))}
    found["rubrics"] = [one["outcome"] for one in check.config.get("rubrics") or ()]
    found["members"] = [told(child) for child in check.children]
    found["command"] = check.config.get("argv")
    if check.type not in ("llm-rubric", "assert-set"):
        found["value"] = check.value
    return found


def dumped(check: dict[str, Any]) -> dict[str, Any]:
    kind = check["type"]
    found: dict[str, Any] = {
        "type": kind.removeprefix("not-"),
        "name": check["name"],
        "weight": check.get("weight", 1),
        "negated": kind.startswith("not-") or bool(check.get("negate") or check.get("inverse")),
        "required": check.get("required", False),
        "rubrics": check.get("rubrics", []),
        "members": [dumped(member) for member in check.get("assertions", ())],
        "command": check.get("command"),
    }
    if kind not in ("llm-rubric", "assert-set"):
        found["value"] = check.get("value")
    return found


def test_there_are_as_many_cases() -> None:
    suite = load_agentv(HERE / "agentv_5_suite.yaml", root=HERE)
    assert [case.id for case in suite.cases] == [case["id"] for case in CASES]
    assert suite.settings["rejected"] == ()


@pytest.mark.parametrize("place", range(len(CASES)))
def test_each_has_the_same_variables_metadata_threshold_and_checks(place: int) -> None:
    case, wanted = case_of(place), CASES[place]
    assert case.problem == ""
    assert dict(case.vars) == wanted["vars"]
    assert dict(case.metadata) == wanted["metadata"]
    assert case.threshold == wanted["threshold"]
    assert [told(check) for check in case.checks] == [dumped(check) for check in wanted["assertions"]]
    turns = case.turn_by_turn.turns if case.turn_by_turn else ()
    assert [turn.input for turn in turns] == [turn["input"] for turn in wanted["turns"] or ()]


@pytest.mark.parametrize("place", range(len(CASES)))
def test_each_sends_the_same(place: int) -> None:
    case, wanted = case_of(place), CASES[place]
    if case.id.startswith("listed"):
        assert case.prompt != wanted["question"], LISTED
        assert str(case.vars["question"]) in case.prompt
        return
    assert case.prompt == wanted["question"]
    sent = [[message["role"], message["content"]] for message in case.messages]
    assert sent == wanted["input"]
