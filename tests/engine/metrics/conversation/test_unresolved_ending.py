"""Unresolved ending, as a judge sees it: settled, in part, or left open."""

import pytest
from judge_server import says
from judged import found, judge_at
from stored import said

from turnwise.conversations import ConversationalTestCase, Score, Skipped
from turnwise.engine.metrics import UnresolvedEndingMetric

CASE = said("Where is my bag?", "In Oslo.", "Thanks!")


async def judged(server, *replies, case=CASE, **settings) -> Score:
    server.script(*map(says, replies))
    async with judge_at(server, **settings) as judge:
        outcome = await found(UnresolvedEndingMetric(), case, judge)
    assert isinstance(outcome, Score)
    return outcome


@pytest.mark.parametrize(
    ("word", "value", "told"),
    [
        ("settled", 1.0, "The user's matter is settled (turn 3): because"),
        ("partly", 0.5, "The user's matter is settled in part (turn 3): because"),
        ("Open.", 0.0, "The user's matter is left open (turn 3): because"),
        ("none", 1.0, "The user wanted nothing (turn 3): because"),
    ],
)
async def test_a_word_is_a_score(judge_server, word, value, told):
    outcome = await judged(judge_server, {"reason": "because", "verdict": word})
    assert (outcome.score, outcome.reason) == (value, told)
    assert [(one.turn, one.passed) for one in outcome.verdicts] == [(3, value >= 0.5)]


async def test_a_word_without_a_reason_counts(judge_server):
    outcome = await judged(judge_server, {"verdict": "open"})
    assert (outcome.score, outcome.reason) == (
        0.0,
        "The user's matter is left open (turn 3): The judge gave no reason.",
    )


async def test_where_the_user_never_spoke_it_is_skipped_and_nobody_is_asked(judge_server):
    case = ConversationalTestCase(turns=[{"role": "assistant", "content": "Hello"}])
    async with judge_at(judge_server) as judge:
        outcome = await found(UnresolvedEndingMetric(), case, judge)
    assert isinstance(outcome, Skipped)
    assert outcome.reason == "the user never spoke"
    assert judge_server.requests == []


@pytest.mark.parametrize(("word", "value"), [("yes", 1.0), ("no", 0.0)])
async def test_a_small_judge_is_asked_whether_it_is_settled(judge_server, word, value):
    outcome = await judged(judge_server, {"reason": "r", "verdict": word}, items_per_question=1)
    assert outcome.score == value


async def test_past_the_judges_context_it_reads_the_ending(judge_server):
    case = said(*(f"{'word ' * 200}{number}" for number in range(1, 21)))
    reply = {"reason": "r", "verdict": "settled"}
    await judged(judge_server, reply, case=case)
    await judged(judge_server, reply, case=case, context_tokens=2000)
    whole, ending = (request.text for request in judge_server.requests)
    assert "turn 1, user]" in whole
    assert "turn 1, user]" not in ending
    assert "turn 20, assistant]" in ending
    assert len(ending) / 4 < 2000
