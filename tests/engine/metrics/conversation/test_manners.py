"""User frustration and register switch: which turns are judged, and what a yes means."""

import pytest
from judge_server import Request, says
from judged import asked_about, found, gives, judge_at
from stored import said

from turnwise.conversations import ConversationalTestCase, Score, Skipped
from turnwise.engine.metrics import RegisterSwitchMetric, UserFrustrationMetric

CASE = said("a", "b", "c", "d", "e", "f", "g")


async def judged(server, metric, case=CASE, **settings) -> Score:
    async with judge_at(server, **settings) as judge:
        outcome = await found(metric, case, judge)
    assert isinstance(outcome, Score)
    return outcome


@pytest.mark.parametrize(
    ("metric", "numbers", "told"),
    [
        (
            UserFrustrationMetric(),
            [3, 5, 7],
            "1 of 3 user turns after the first reply shows annoyance with the chatbot (turn {}): r",
        ),
        (RegisterSwitchMetric(), [4, 6], "1 of 2 replies switches the manner of speaking (turn {}): r"),
    ],
)
async def test_a_yes_is_a_fault_and_the_first_turn_is_not_judged(judge_server, metric, numbers, told):
    words = {number: "yes" if number == numbers[0] else "no" for number in numbers}
    judge_server.script(gives("turn", words))
    outcome = await judged(judge_server, metric)
    assert asked_about(judge_server.requests[0]) == numbers
    assert outcome.score == pytest.approx(1 - 1 / len(numbers))
    assert outcome.reason.startswith(told.format(numbers[0]))


GREETING = ConversationalTestCase(turns=[{"role": "assistant", "content": "Hello"}])


@pytest.mark.parametrize("case", [said("a", "b"), GREETING])
@pytest.mark.parametrize(
    ("metric", "reason"),
    [
        (UserFrustrationMetric(), "the user says nothing after the first reply"),
        (RegisterSwitchMetric(), "there are no two replies in words"),
    ],
)
async def test_with_nothing_to_judge_it_is_skipped_and_nobody_is_asked(judge_server, metric, reason, case):
    async with judge_at(judge_server) as judge:
        outcome = await found(metric, case, judge)
    assert isinstance(outcome, Skipped)
    assert outcome.reason == reason
    assert judge_server.requests == []


@pytest.mark.parametrize("metric", [UserFrustrationMetric(), RegisterSwitchMetric()])
async def test_a_small_judge_is_asked_the_other_way_round(judge_server, metric):
    def one(request: Request):
        last = request.body["messages"][-1]["content"].split("\n")[-2]
        return says({"reason": "r", "verdict": "no" if last[-1] in "cd" else "yes"})

    judge_server.default = one
    outcome = await judged(judge_server, metric, items_per_question=1)
    assert [verdict.passed for verdict in outcome.verdicts] == [False, *[True] * (len(outcome.verdicts) - 1)]


async def test_a_user_who_speaks_before_the_first_reply_is_not_annoyed_with_it(judge_server):
    roles = ["user", "user", "assistant", "user"]
    case = ConversationalTestCase(turns=[{"role": role, "content": role} for role in roles])
    judge_server.script(gives("turn", {4: "no"}))
    assert (await judged(judge_server, UserFrustrationMetric(), case)).score == 1
    assert asked_about(judge_server.requests[0]) == [4]
