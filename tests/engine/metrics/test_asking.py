"""Asking: what was asked is remembered, also where no answer came."""

import pytest
from judge_server import says
from judged import judge_at

from turnwise.conversations.errors import JudgeError
from turnwise.engine.judge.questions import Question
from turnwise.engine.metrics.asking import Asking

SCHEMA = {"type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]}
QUESTION = Question(rules="r", transcript="t", ask="a", name="n", schema=SCHEMA)


async def test_the_calls_of_an_answer_are_its_evidence(judge_server):
    judge_server.script(says("?"), says({"score": 1}))
    async with judge_at(judge_server, price=(1.0, 1.0)) as judge:
        asking = Asking(judge, secret="s")
        answer = await asking.ask(QUESTION)
        assert asking.calls == [answer.rejected[0].key, answer.call.key]
        assert asking.cost == pytest.approx(2 * 110e-6)
        again = Asking(judge, secret="s")
        await again.ask(QUESTION)
        assert again.calls == [answer.call.key]
        assert again.cost == 0


async def test_a_kept_reply_of_a_judge_of_unknown_price_is_not_told_as_free(judge_server):
    judge_server.script(says({"score": 1}))
    async with judge_at(judge_server) as judge:
        first, again = Asking(judge, secret="s"), Asking(judge, secret="s")
        await first.ask(QUESTION)
        kept = await again.ask(QUESTION)
        assert kept.call.cached
        assert (first.cost, again.cost) == (None, None)


async def test_the_calls_that_brought_no_answer_are_evidence_too(judge_server):
    judge_server.script(says("?"), says("?"))
    async with judge_at(judge_server) as judge:
        asking = Asking(judge, secret="s")
        with pytest.raises(JudgeError):
            await asking.ask(QUESTION)
    assert len(asking.calls) == 2
    assert asking.cost is None


async def test_answers_come_in_the_order_of_the_questions():
    async def double(item: int) -> int:
        return item * 2

    for at_once in (True, False):
        asking = Asking(None, secret="s", at_once=at_once)
        assert await asking.each([3, 1, 2], double) == [6, 2, 4]
    assert asking.items_per_question is None
