"""Role adherence: the share of replies that stay in role."""

import pytest
from judge_server import says
from judged import asked_about, found, gives, judge_at
from stored import said

from turnwise.conversations import ConversationalTestCase, Score, Skipped
from turnwise.engine.metrics import RoleAdherenceMetric

CASE = said("a", "b", "c", "d", chatbot_role="A clerk at a\nlost property office")


@pytest.mark.parametrize(
    ("words", "value", "passed", "reason"),
    [
        ({2: "yes", 4: "yes"}, 1.0, True, "All 2 replies stay in role."),
        ({2: "yes", 4: "no"}, 0.5, True, "1 of 2 replies breaks role (turn 4): reason 4"),
        ({2: "no", 4: "no"}, 0.0, False, "2 of 2 replies break role (turns 2, 4): reason 2"),
    ],
    ids=["all", "one", "none"],
)
async def test_the_score_is_the_share_in_role(judge_server, words, value, passed, reason):
    judge_server.script(gives("turn", words))
    async with judge_at(judge_server) as judge:
        outcome = await found(RoleAdherenceMetric(), CASE, judge)
    assert isinstance(outcome, Score)
    assert (outcome.score, outcome.passed, outcome.reason) == (value, passed, reason)
    assert [verdict.passed for verdict in outcome.verdicts] == [word == "yes" for word in words.values()]
    assert "A clerk at a\nlost property office" in judge_server.requests[0].text


async def test_without_a_role_it_is_skipped_and_nobody_is_asked(judge_server):
    async with judge_at(judge_server) as judge:
        for role in (None, ""):
            outcome = await found(RoleAdherenceMetric(), said("a", "b", chatbot_role=role), judge)
            assert isinstance(outcome, Skipped)
            assert outcome.reason == "the case has no chatbot_role"
    assert judge_server.requests == []


async def test_only_replies_that_say_something_are_judged(judge_server):
    case = ConversationalTestCase(
        chatbot_role="r",
        turns=[
            {"role": "assistant", "content": "Hello"},
            {"role": "user", "content": "a"},
            {"role": "assistant", "content": " ", "tools_called": ["find"]},
            {"role": "tool", "content": "x"},
            {"role": "assistant", "content": "b"},
        ],
    )
    judge_server.default = lambda request: gives("turn", dict.fromkeys(asked_about(request), "yes"))
    async with judge_at(judge_server) as judge:
        await found(RoleAdherenceMetric(), case, judge)
    assert asked_about(judge_server.requests[0]) == [1, 4]


async def test_without_a_reply_the_score_is_one_and_nobody_is_asked(judge_server):
    async with judge_at(judge_server) as judge:
        outcome = await found(RoleAdherenceMetric(), said("a", chatbot_role="r"), judge)
    assert isinstance(outcome, Score)
    assert (outcome.score, outcome.reason) == (1.0, "There is no reply to judge.")
    assert judge_server.requests == []


async def test_strictly_one_break_is_too_many(judge_server):
    judge_server.script(says({"turn_2": {"reason": "r", "verdict": "yes"}, "turn_4": {"verdict": "no"}}))
    async with judge_at(judge_server) as judge:
        outcome = await found(RoleAdherenceMetric(strict_mode=True), CASE, judge)
    assert isinstance(outcome, Score)
    assert (outcome.score, outcome.threshold, outcome.passed) == (0.0, 1.0, False)
