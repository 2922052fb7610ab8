"""trajectory:goal-success: the judge sees the steps, and the reason says where there were none."""

from __future__ import annotations

from typing import Any

import pytest
from judge_server import JudgeServer, says
from judged import judge_at

from turnwise.conversations.suites import Check
from turnwise.engine.suites import Answer, CheckOutcome
from turnwise.engine.suites.grading import judge_case

CALLS = [{"name": "search_orders", "input": {"order": "123"}}, {"name": "reply"}]
GOOD = {"reason": "shipped", "pass": True, "score": 0.9}


async def graded(server: JudgeServer, answer: Answer, **rest: Any) -> CheckOutcome:
    check = Check(type="trajectory:goal-success", **{"value": "Find the order.", **rest})
    async with judge_at(server) as judge:
        return (await judge_case([check], None, answer, judge, secret="s")).checks[0]


async def test_the_judge_sees_goal_steps_and_answer(judge_server: JudgeServer) -> None:
    judge_server.default = says(GOOD)
    answer = Answer(output="It shipped.", prompt="Where is it?", case_metadata={"toolCalls": CALLS})
    result = await graded(judge_server, answer, value={"goal": "Find the order."})
    assert (result.passed, result.score, result.reason) == (True, 0.9, "shipped")
    asked = judge_server.requests[0].text
    for words in ("Find the order.", '1. tool: search_orders {"order":"123"}', "It shipped.", "Where is it?"):
        assert words in asked


async def test_without_steps_the_reason_says_so(judge_server: JudgeServer) -> None:
    judge_server.default = says(GOOD)
    result = await graded(judge_server, Answer(output="It shipped."))
    assert result.passed
    assert "no steps" in result.reason


async def test_of_very_many_steps_the_first_and_the_last_are_told(judge_server: JudgeServer) -> None:
    judge_server.default = says(GOOD)
    calls = [{"name": f"tool_{number}"} for number in range(200)]
    await graded(judge_server, Answer(output="x", case_metadata={"toolCalls": calls}))
    asked = judge_server.requests[0].text
    assert "140 steps left out" in asked
    assert "200. tool: tool_199" in asked


@pytest.mark.parametrize(("rest", "passed"), [({"threshold": 0.95}, False), ({"negate": True}, False)])
async def test_threshold_and_negation_turn_it(
    judge_server: JudgeServer, rest: dict[str, Any], passed: bool
) -> None:
    judge_server.default = says(GOOD)
    assert (await graded(judge_server, Answer(output="x"), **rest)).passed is passed


async def test_a_garbled_reply_and_a_missing_goal_are_failures(judge_server: JudgeServer) -> None:
    judge_server.default = says("well done")
    assert (await graded(judge_server, Answer(output="x"))).word == "failure"
    asked = len(judge_server.requests)
    assert (await graded(judge_server, Answer(output="x"), value="")).word == "failure"
    assert len(judge_server.requests) == asked
