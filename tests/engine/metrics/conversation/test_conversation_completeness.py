"""Conversation completeness: the share of what the user wanted that was brought to an end."""

import pytest

from judge_server import says
from judged import found, judge_at
from stored import said
from turnwise.conversations import Failure, Score
from turnwise.engine.metrics import ConversationCompletenessMetric

CASE = said("a refund and a taxi", "b", "c", "d")


def wanted(*verdicts: str, turn: object = 1) -> dict[str, object]:
    return {
        "intentions": [
            {"intention": f"wish {count}", "turn": turn, "reason": f"reason {count}", "verdict": word}
            for count, word in enumerate(verdicts, start=1)
        ]
    }


async def judged(server, *replies: object) -> Score | Failure:
    server.script(*map(says, replies))
    async with judge_at(server) as judge:
        outcome = await found(ConversationCompletenessMetric(), CASE, judge)
    assert isinstance(outcome, Score | Failure)
    return outcome


@pytest.mark.parametrize(
    ("words", "value", "reason"),
    [
        ([], 1.0, "There is no request to judge."),
        (["yes"], 1.0, "The only request is dealt with."),
        (["yes", "no", "Yes."], 2 / 3, "1 of 3 requests is left open (turn 1): reason 2"),
        (["no", "no"], 0.0, "2 of 2 requests are left open (turn 1): reason 1"),
    ],
)
async def test_the_score_is_the_share_dealt_with(judge_server, words, value, reason):
    outcome = await judged(judge_server, wanted(*words))
    assert outcome.score == pytest.approx(value)
    assert outcome.reason == reason
    assert [verdict.about for verdict in outcome.verdicts] == [f"wish {n}" for n in range(1, len(words) + 1)]
    assert len(judge_server.requests) == 1


@pytest.mark.parametrize("turn", [2, 99, 0, -1])
async def test_a_wish_tied_to_a_turn_that_is_not_the_users_still_counts(judge_server, turn):
    outcome = await judged(judge_server, wanted("no", turn=turn))
    assert outcome.score == 0
    assert outcome.verdicts[0].turn is None
    assert "turn" not in outcome.reason


async def test_what_is_no_list_of_wishes_is_asked_again_and_then_a_failure(judge_server):
    outcome = await judged(judge_server, {"intentions": "many"}, {"intentions": [{"intention": "x"}]})
    assert isinstance(outcome, Failure)
    assert outcome.kind == "malformed"
    assert len(judge_server.requests) == len(outcome.calls) == 2
