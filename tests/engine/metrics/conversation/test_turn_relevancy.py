"""Turn relevancy: the share of exchanges whose reply belongs where it stands."""

import pytest
from judged import asked_about, found, gives, judge_at
from stored import said

from turnwise.conversations import ConversationalTestCase, Score
from turnwise.conversations.errors import SettingError
from turnwise.engine.metrics import TurnRelevancyMetric


@pytest.mark.parametrize(
    ("words", "value"), [({2: "yes", 4: "yes"}, 1.0), ({2: "no", 4: "yes"}, 0.5), ({2: "no", 4: "no"}, 0.0)]
)
async def test_the_score_is_the_share_that_belongs(judge_server, words, value):
    judge_server.script(gives("turn", words))
    async with judge_at(judge_server) as judge:
        outcome = await found(TurnRelevancyMetric(), said("a", "b", "c", "d", "e"), judge)
    assert isinstance(outcome, Score)
    assert outcome.score == value


async def test_of_every_exchange_the_last_reply_in_words_is_judged(judge_server):
    roles = ["assistant", "user", "user", "assistant", "assistant", "user", "assistant", "user"]
    contents = ["Hello", "a", "b", "c", "", "d", "e", "f"]
    case = ConversationalTestCase(
        turns=[{"role": role, "content": content} for role, content in zip(roles, contents, strict=True)]
    )
    judge_server.default = lambda request: gives("turn", dict.fromkeys(asked_about(request), "yes"))
    async with judge_at(judge_server) as judge:
        await found(TurnRelevancyMetric(), case, judge)
    assert asked_about(judge_server.requests[0]) == [4, 7]


async def test_a_user_without_answers_scores_one(judge_server):
    async with judge_at(judge_server) as judge:
        outcome = await found(TurnRelevancyMetric(), said("a"), judge)
    assert isinstance(outcome, Score)
    assert outcome.score == 1
    assert judge_server.requests == []


async def test_the_judge_is_told_how_far_to_look_back(judge_server):
    async with judge_at(judge_server) as judge:
        await found(TurnRelevancyMetric(), said("a", "b"), judge)
        await found(TurnRelevancyMetric(window_size=1), said("a", "b"), judge)
    first, second = (request.text for request in judge_server.requests)
    assert "given its own exchange and the 9 before it" in first
    assert "given nothing but its own exchange" in second


def test_a_window_holds_at_least_one_exchange():
    with pytest.raises(SettingError, match="window_size is at least 1"):
        TurnRelevancyMetric(window_size=0)
    assert TurnRelevancyMetric(window_size=3).fingerprint != TurnRelevancyMetric().fingerprint
