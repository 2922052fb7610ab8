"""Conversation completeness: the share of what the user wanted that was brought to an end."""

import re

import pytest
from judge_server import Request, says
from judged import asked_about, found, gives, judge_at
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


@pytest.mark.parametrize(
    ("entry", "turn"),
    [
        ({"intention": "x", "turn": "turn 3", "verdict": "no"}, 3),
        ({"intention": "x", "turn": None, "reason": "r", "verdict": "no, left open"}, None),
        ({"verdict": False}, None),
    ],
)
async def test_a_wish_that_is_told_incompletely_counts(judge_server, entry, turn):
    outcome = await judged(judge_server, {"intentions": [entry]})
    assert (outcome.score, outcome.verdicts[0].turn) == (0, turn)
    assert len(judge_server.requests) == 1


async def test_a_wish_without_yes_or_no_is_left_out(judge_server):
    outcome = await judged(judge_server, wanted("yes", "maybe", "idk", "no"))
    assert outcome.score == 0.5
    assert outcome.details["unreadable"] == 2


LONG = said(*(f"{'word ' * 200}{number}" for number in range(1, 11)))


async def judged_in_parts(server, judged_later: str) -> tuple[Score, list[Request]]:
    """Judge a long conversation by a judge with little context; in each part of it a wish is left open."""

    def step(request: Request):
        asked = asked_about(request)
        if asked:
            words = dict.fromkeys(asked, "no") | {asked[-1]: judged_later}
            return gives("wish", words)
        first = int(re.search(r"turn (\d+), user", request.text)[1])
        return says(wanted("no", turn=first))

    server.default = step
    async with judge_at(server, context_tokens=2600) as judge:
        outcome = await found(ConversationCompletenessMetric(), LONG, judge)
    assert isinstance(outcome, Score)
    return outcome, server.requests


async def test_past_the_judges_context_it_is_judged_in_parts(judge_server):
    outcome, requests = await judged_in_parts(judge_server, "no")
    parts = [request for request in requests if not asked_about(request)]
    assert len(parts) > 1
    assert all(len(request.text) / 4 < 2600 for request in requests)
    assert outcome.score == 0
    assert len({verdict.turn for verdict in outcome.verdicts}) == len(parts)


async def test_a_wish_that_another_part_brings_to_an_end_is_dealt_with(judge_server):
    outcome, _ = await judged_in_parts(judge_server, "yes")
    assert [verdict.passed for verdict in outcome.verdicts][-1] is True
    assert outcome.score == 1 / len(outcome.verdicts)


async def test_what_is_no_list_of_wishes_is_asked_again_and_then_a_failure(judge_server):
    outcome = await judged(judge_server, {"intentions": "many"}, {"intentions": [{"intention": "x"}]})
    assert isinstance(outcome, Failure)
    assert outcome.kind == "malformed"
    assert len(judge_server.requests) == len(outcome.calls) == 2
