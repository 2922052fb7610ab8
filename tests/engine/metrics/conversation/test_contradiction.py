"""Contradiction: replies that stay with what was said, and both turns named where one does not."""

import pytest
from judge_server import Request, says
from judged import asked_about, found, judge_at
from stored import said

from turnwise.conversations import Score, Skipped
from turnwise.engine.metrics import ContradictionMetric

CASE = said("a", "The shop is open on Sundays.", "b", "Dogs may come.", "c", "On Sundays the shop is closed.")


def entry(verdict: str, earlier: object) -> dict[str, object]:
    return {"reason": "because", "earlier_turn": earlier, "verdict": verdict}


async def judged(server, *replies, case=CASE, **settings) -> Score:
    server.script(*map(says, replies))
    async with judge_at(server, **settings) as judge:
        outcome = await found(ContradictionMetric(), case, judge)
    assert isinstance(outcome, Score)
    return outcome


@pytest.mark.parametrize(
    ("fourth", "sixth", "value", "pairs"),
    [
        (("no", 0), ("no", 0), 1.0, None),
        (("no", 0), ("yes", 2), 0.5, [[2, 6]]),
        (("yes", 2), ("yes", 4), 0.0, [[2, 4], [4, 6]]),
        (("no", 2), ("yes", "turn_2"), 0.5, [[2, 6]]),
        (("no", None), ("yes", "2"), 0.5, [[2, 6]]),
    ],
)
async def test_the_score_is_the_share_that_contradicts_nothing(judge_server, fourth, sixth, value, pairs):
    outcome = await judged(judge_server, {"turn_4": entry(*fourth), "turn_6": entry(*sixth)})
    assert outcome.score == value
    assert outcome.details.get("pairs") == pairs
    assert asked_about(judge_server.requests[0]) == [4, 6]
    assert len(judge_server.requests) == 1


async def test_both_turns_are_named(judge_server):
    outcome = await judged(judge_server, {"turn_4": entry("no", 0), "turn_6": entry("yes", 2)})
    assert outcome.reason == "1 of 2 replies contradicts an earlier one (turn 6 against 2): because"
    assert [(one.turn, one.about) for one in outcome.verdicts] == [(4, ""), (6, "contradicts turn 2")]


@pytest.mark.parametrize("earlier", [1, 3, 6, 8, 99, 0, -2, None, "two"])
async def test_a_contradiction_of_no_earlier_reply_is_asked_again(judge_server, earlier):
    first = {"turn_4": entry("no", 0), "turn_6": entry("yes", earlier)}
    outcome = await judged(judge_server, first, {"turn_6": entry("yes", 2)})
    assert outcome.details["pairs"] == [[2, 6]]
    assert outcome.details["unreadable"] == [6]
    assert [asked_about(request) for request in judge_server.requests] == [[4, 6], [6]]


@pytest.mark.parametrize("case", [said("a"), said("a", "b"), said("a", "b", "c")])
async def test_with_fewer_than_two_replies_it_is_skipped_and_nobody_is_asked(judge_server, case):
    async with judge_at(judge_server) as judge:
        outcome = await found(ContradictionMetric(), case, judge)
    assert isinstance(outcome, Skipped)
    assert outcome.reason == "there are no two replies in words"
    assert judge_server.requests == []


async def test_a_small_judge_compares_a_reply_with_the_one_most_like_it(judge_server):
    pairs = []

    def one(request: Request):
        shown = request.body["messages"][-1]["content"].split("\n")[:2]
        pairs.append(tuple(shown))
        return says({"reason": "r", "verdict": "yes" if "closed" in shown[1] else "no"})

    judge_server.default = one
    outcome = await judged(judge_server, items_per_question=1)
    assert sorted(pairs) == [
        ("Chatbot: The shop is open on Sundays.", "Chatbot: Dogs may come."),
        ("Chatbot: The shop is open on Sundays.", "Chatbot: On Sundays the shop is closed."),
    ]
    assert (outcome.score, outcome.details["pairs"]) == (0.5, [[2, 6]])
