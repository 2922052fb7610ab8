"""AgentV's own scores on its own cases: whether turnwise, asked to be compatible, says the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from agentv_found import Seen, graded
from judge_server import JudgeServer, says
from judged import judge_at
from shared_data import SHARED

from turnwise.conversations.suites import Check
from turnwise.engine.checks.answer import Answer, Effort, Tokens, ToolUse

ORACLE = SHARED / "oracles" / "agentv" / "scoring.json"
pytestmark = [
    pytest.mark.fixtures,
    pytest.mark.skipif(not ORACLE.is_file(), reason="the folder ../shared/oracles is not here"),
]

DOCUMENTED = {
    "freeform score string": "a score written as a text is read as the number it is",
    "rubrics judge omits one id": "a criterion that the judge leaves out is not met",
    "rubrics empty checks": "a criterion that the judge leaves out is not met",
    "no tool calls": "what the target does not tell is skipped",
    "no trace": "what the target does not tell is skipped",
    "score ranges float 7.5": "a reply that cannot be read is a failure",
}
"""Where turnwise differs without compat, and why."""


def cases() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(ORACLE.read_text())["cases"]
    return found


def check_of(case: Mapping[str, Any]) -> Check:
    config = dict(case.get("config") or {})
    if case["kind"] == "composite":
        children = tuple(
            Check(type=member["type"], metric=member["name"], config=member) for member in case["members"]
        )
        aggregator = {"type": "weighted_average", "weights": case.get("weights") or {}}
        return Check(type="composite", metric="both", config={"aggregator": aggregator}, children=children)
    if case.get("rubrics"):
        config["rubrics"] = case["rubrics"]
    return Check(type=case["kind"], metric="it", config=config)


def as_told(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def answer_of(case: Mapping[str, Any]) -> Answer:
    summary, messages = case.get("traceSummary"), case.get("outputMessages")
    calls = [call for message in messages or () for call in message.get("toolCalls", ())]
    tools = tuple(
        ToolUse(name=call["tool"], arguments=call.get("input"), milliseconds=call.get("durationMs"))
        for call in calls
    )
    expected = case.get("expected")
    return Answer(
        output=as_told(case.get("candidate", "CAND")),
        prompt="Q",
        criterion="O",
        reference="REF",
        expected=() if expected is None else ({"role": "assistant", "content": expected},),
        tools_used=tools or None,
        effort=None if summary is None else effort_of(summary),
        cost=(summary or {}).get("costUsd"),
        latency=(summary or {}).get("durationMs"),
    )


def effort_of(summary: Mapping[str, Any]) -> Effort:
    tokens = summary.get("tokenUsage")
    return Effort(
        tool_calls=summary["toolCallsByName"],
        model_calls=summary.get("llmCallCount"),
        tokens=Tokens(**tokens) if tokens else None,
    )


async def found(case: Mapping[str, Any], server: JudgeServer, *, compat: bool) -> Seen:
    reply = case.get("reply")
    if isinstance(reply, list):
        server.script(*map(says, reply))
    elif reply is not None:
        server.default = says(reply)
    async with judge_at(server) as judge:
        return await graded(check_of(case), answer_of(case), judge=judge, compat=compat)


def differences(case: Mapping[str, Any], grade: Seen) -> list[str]:
    # What ends an evaluator there is a score of 0 of its case.
    wanted = {"score": 0, "verdict": "fail"} if "threw" in case["result"] else case["result"]
    told = []
    if grade.word != "score":
        told.append(grade.word)
    if grade.score != pytest.approx(wanted["score"], abs=1e-6):
        told.append(f"score {grade.score}, not {wanted['score']}")
    if grade.verdict != wanted["verdict"]:
        told.append(f"verdict {grade.verdict}, not {wanted['verdict']}")
    hits, misses = wanted.get("hits"), wanted.get("misses")
    if hits is not None and (len(grade.hits), len(grade.misses)) != (len(hits), len(misses)):
        told.append(f"hits {grade.hits} and misses {grade.misses}, not {hits} and {misses}")
    return told


async def test_scores_and_verdicts_are_the_same(
    judge_server: JudgeServer, capsys: pytest.CaptureFixture[str]
) -> None:
    left = []
    for case in cases():
        if told := differences(case, await found(case, judge_server, compat=True)):
            left.append(f"{case['kind']} {case['desc']}: {'; '.join(told)}")
    with capsys.disabled():
        print(f"\n{len(cases()) - len(left)} of {len(cases())} of AgentV's scores agree", *left, sep="\n")
    assert len(left) <= 0.02 * len(cases())


async def test_strictly_every_difference_is_a_documented_one(judge_server: JudgeServer) -> None:
    differing = {
        case["desc"] for case in cases() if differences(case, await found(case, judge_server, compat=False))
    }
    assert differing == set(DOCUMENTED)
