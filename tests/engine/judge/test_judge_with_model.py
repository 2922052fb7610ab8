"""A Judge with a real embedded model: wire, schema, token probabilities. Never about its verdicts."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from model_fixture import find_or_pull_small_model

from turnwise.engine.judge.judge import Judge
from turnwise.engine.judge.questions import Question
from turnwise.engine.models.embedded.provider import embedded_model
from turnwise.engine.models.settings import ModelSettings

SCHEMA = {
    "type": "object",
    "properties": {"reason": {"type": "string"}, "score": {"type": "integer", "minimum": 0, "maximum": 10}},
    "required": ["reason", "score"],
    "additionalProperties": False,
}


QUESTION = Question(
    rules="You judge answers of a chatbot.",
    transcript="User: What is the capital of France?\nAssistant: Paris.",
    ask="How good is the answer? Give a reason of five words, then a score from 0 to 10.",
    schema=SCHEMA,
    name="score",
    token_probabilities=True,
    max_tokens=400,
)

pytestmark = pytest.mark.model


@pytest.fixture
def settings() -> ModelSettings:
    pytest.importorskip("xllamacpp")
    found = embedded_model(str(find_or_pull_small_model()))
    assert found is not None
    return found


async def test_a_real_model_answers_with_a_weighted_score_and_is_not_loaded_for_what_is_kept(settings):
    async with Judge(settings) as judge:
        answer = await judge.ask(QUESTION)
    assert 0 <= answer.value["score"] <= 10
    assert answer.weighted is None or 0 <= answer.weighted <= 10
    assert any(token.alternatives for token in answer.call.tokens)
    async with Judge(settings, judge.book) as later:
        again = await later.ask(QUESTION)
        assert again.call.cached
        assert again.weighted == answer.weighted
        assert later._provider._server is None


async def test_a_model_whose_process_was_killed_is_started_anew(settings):
    async with Judge(settings) as judge:
        await judge.ask(QUESTION)
        assert judge._provider._server is not None
        assert judge._provider._server._process is not None
        judge._provider._server._process.kill()
        await asyncio.to_thread(judge._provider._server._process._popen.wait)
        again = await judge.ask(replace(QUESTION, ask=QUESTION.ask + " Be strict."))
        assert not again.call.cached


def test_one_model_serves_event_loops_that_come_one_after_the_other(settings):
    judge = Judge(settings)
    addresses = set()

    async def measure(ask: str) -> bool:
        # Without a reason: the smallest of models may not find an end to one.
        schema = {**SCHEMA, "properties": {"score": SCHEMA["properties"]["score"]}, "required": ["score"]}
        async with judge.lease():
            answer = await judge.ask(replace(QUESTION, ask=ask, schema=schema))
            addresses.add(judge._provider._server.base_url)
            return answer.call.cached

    assert not asyncio.run(measure("Give a score from 0 to 10."))
    assert not asyncio.run(measure("Give the answer a score from 0 to 10."))
    assert len(addresses) == 1
    asyncio.run(judge.close())


async def test_questions_that_begin_alike_are_asked_in_a_row_and_their_opening_is_read_once(settings):
    def question(kind: str, number: int) -> Question:
        return replace(
            QUESTION,
            examples=((f"{kind}: " + f"Is {kind} what was asked for? " * 20, '{"score": 9}'),),
            transcript=f"User: Say {number}.\nAssistant: {number}.",
            schema={**SCHEMA, "properties": {"score": {"type": "integer"}}, "required": ["score"]},
            token_probabilities=False,
        )

    async with Judge(replace(settings, concurrency=1)) as judge:
        asked = [question(kind, number) for number in range(3) for kind in ("one", "other")]
        answers = await asyncio.gather(*(judge.ask(one) for one in asked))
    # The first of each kind is read whole; all others find their rules and example read already.
    assert sum(answer.call.usage["cached_tokens"] < 100 for answer in answers) <= 2
