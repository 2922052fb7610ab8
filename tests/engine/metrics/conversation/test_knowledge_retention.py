"""Knowledge retention: the share of replies that forget nothing."""

import pytest
from judged import asked_about, found, gives, judge_at
from stored import said

from turnwise.conversations import ConversationalTestCase, Score
from turnwise.engine.metrics import KnowledgeRetentionMetric


@pytest.mark.parametrize(
    ("words", "value"),
    [({2: "no", 4: "no"}, 1.0), ({2: "no", 4: "yes"}, 0.5), ({2: "yes", 4: "yes"}, 0.0)],
    ids=["nothing forgotten", "once", "always"],
)
async def test_a_yes_is_a_reply_that_forgets(judge_server, words, value):
    judge_server.script(gives("turn", words))
    async with judge_at(judge_server) as judge:
        outcome = await found(KnowledgeRetentionMetric(), said("a", "b", "c", "d"), judge)
    assert isinstance(outcome, Score)
    assert outcome.score == value
    assert [verdict.passed for verdict in outcome.verdicts] == [word == "no" for word in words.values()]
    assert len(judge_server.requests) == 1


async def test_only_replies_after_the_first_word_of_a_user_are_judged(judge_server):
    roles = ["assistant", "assistant", "user", "assistant"]
    case = ConversationalTestCase(turns=[{"role": role, "content": role} for role in roles])
    judge_server.script(gives("turn", {4: "no"}))
    async with judge_at(judge_server) as judge:
        await found(KnowledgeRetentionMetric(), case, judge)
        assert [asked_about(request) for request in judge_server.requests] == [[4]]
        greeting = ConversationalTestCase(turns=[{"role": "assistant", "content": "Hello"}])
        outcome = await found(KnowledgeRetentionMetric(), greeting, judge)
    assert isinstance(outcome, Score)
    assert outcome.score == 1
    assert len(judge_server.requests) == 1
