"""Task completion: how far the reply and its tools brought the user's task."""

import pytest
from judge_server import says
from judged import found, judge_at

from turnwise.conversations import LLMTestCase, Score, ToolCall
from turnwise.engine.judge.questions import NO_PROBABILITIES
from turnwise.engine.metrics import TaskCompletionMetric

CASE = LLMTestCase(
    input="Book a table for four.",
    actual_output="It is booked.",
    tools_called=[ToolCall(name="book", input_parameters={"people": 4}, output="ok")],
)


async def judged(server, metric, *steps):
    server.script(*steps)
    async with judge_at(server) as judge:
        outcome = await found(metric, CASE, judge)
    assert isinstance(outcome, Score)
    return outcome


async def test_it_is_the_judges_number_and_keeps_task_and_outcome(judge_server):
    reply = {"task": "a table", "outcome": "booked", "reason": "It is done.", "score": 9}
    outcome = await judged(judge_server, TaskCompletionMetric(), says(reply))
    assert (outcome.score, outcome.reason) == (0.9, "It is done.")
    assert outcome.details == {"raw": 9, "task": "a table", "outcome": "booked", "note": NO_PROBABILITIES}


async def test_the_number_is_weighted_where_the_judge_gives_probabilities(judge_server):
    text = '{"task": "2", "outcome": "4", "reason": "7", "score": 8}'
    tokens = [
        (text.removesuffix("8}"), {}),
        ("8", {"8": 0.62, "7": 0.25, "9": 0.12}),
        ("}", {}),
    ]
    outcome = await judged(judge_server, TaskCompletionMetric(), says(text, tokens=tokens))
    assert outcome.score == pytest.approx(0.78687, abs=1e-5)


async def test_only_the_number_must_be_there(judge_server):
    outcome = await judged(
        judge_server, TaskCompletionMetric(), says({"score": "7", "outcome": "half of it"})
    )
    assert (outcome.score, outcome.reason) == (0.7, "half of it")
    outcome = await judged(judge_server, TaskCompletionMetric(task="t"), says({"score": 0}))
    assert (outcome.score, outcome.reason) == (0.0, "The judge gave no reason.")


async def test_the_judge_sees_the_tools_with_what_went_in_and_came_out(judge_server):
    await judged(judge_server, TaskCompletionMetric(), says({"score": 5}))
    text = judge_server.requests[0].text
    assert 'call 1] book({"people": 4}) gave "ok"' in text or "call 1] book({'people': 4}) gave" in text
    assert "what the user wants in turn 1" in text
    assert "tools_called" in TaskCompletionMetric().reads


async def test_the_task_can_be_given(judge_server):
    await judged(judge_server, TaskCompletionMetric(task="Fill every table."), says({"score": 5}))
    assert "The chatbot's task: Fill every table." in judge_server.requests[0].text
