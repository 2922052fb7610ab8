"""Argument correctness: the share of tool calls whose arguments fit what the user said."""

from judged import found, gives, judge_at

from turnwise.conversations import LLMTestCase, Score, Skipped, ToolCall
from turnwise.engine.metrics import ArgumentCorrectnessMetric


def case(calls: list[ToolCall] | None) -> LLMTestCase:
    return LLMTestCase(input="Four on Friday.", actual_output="Done.", tools_called=calls)


async def judged(server, calls, *steps):
    server.script(*steps)
    async with judge_at(server) as judge:
        return await found(ArgumentCorrectnessMetric(), case(calls), judge)


async def test_every_call_gets_a_verdict_on_its_arguments(judge_server):
    calls = [
        ToolCall(name="book", input_parameters={"people": 4, "day": "Friday"}, output="a secret"),
        ToolCall(name="mail", raw_arguments="{broken"),
    ]
    outcome = await judged(judge_server, calls, gives("call", {1: "yes", 2: "no"}))
    assert isinstance(outcome, Score)
    assert outcome.score == 0.5
    assert outcome.reason == "1 of 2 tool calls has wrong arguments (turn 2): reason 2"
    text = judge_server.requests[0].text
    assert "Friday" in text
    assert "{broken" in text
    assert "a secret" not in text


async def test_no_call_is_no_wrong_argument(judge_server):
    outcome = await judged(judge_server, [])
    assert isinstance(outcome, Score)
    assert (outcome.score, outcome.reason) == (1.0, "There is no tool call to judge.")
    assert judge_server.requests == []


async def test_a_case_that_says_nothing_of_tools_is_skipped(judge_server):
    outcome = await judged(judge_server, None)
    assert isinstance(outcome, Skipped)
    assert outcome.reason == "the case has no tools_called"
