"""A budget is held to, also by many calls at once, and used as far as it goes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from judge_server import JudgeServer, Request, Step, refuses, says
from judged import asks_score, judge_at
from waiting import until

from turnwise.conversations.errors import BudgetSpentError, JudgeRefusedError, SettingError
from turnwise.engine.judge.budget import TOKENS_OF_AN_IMAGE, guessed_tokens, tokens_of_text
from turnwise.engine.judge.judge import Judge
from turnwise.engine.models.provider import ModelRequest


async def ask_many(judge: Judge, count: int) -> list[Any]:
    asking = (judge.ask(asks_score(f"{number}?")) for number in range(count))
    return await asyncio.gather(*asking, return_exceptions=True)


def by_length(request: Request) -> Step:
    """Answer with the usage that a real server would count: four letters a token."""
    return says(
        {"reason": "fine", "score": 8},
        usage={"prompt_tokens": len(request.text) // 4, "completion_tokens": 20},
    )


@pytest.mark.parametrize("budget", [0.001, 0.01, 0.05, 0.5])
async def test_sixty_four_calls_at_once_do_not_spend_more_than_there_is(
    judge_server: JudgeServer, budget: float
) -> None:
    judge_server.default = by_length
    async with judge_at(judge_server, price=(2.0, 8.0), budget=budget) as judge:
        ended = await ask_many(judge, 1000)
        spent = [one for one in ended if isinstance(one, BudgetSpentError)]
        answered = [one for one in ended if not isinstance(one, Exception)]
        assert len(spent) + len(answered) == 1000
        assert judge.spent <= budget
        assert len(judge_server.requests) == judge.calls_made == len(answered)
        # One call more would have been too much, as far as can be known before it.
        assert budget - judge.spent < 0.01 or not spent


async def test_calls_go_side_by_side_once_one_has_told_what_they_cost(judge_server: JudgeServer) -> None:
    judge_server.default = by_length
    async with judge_at(judge_server, price=(2.0, 8.0), budget=100.0) as judge:
        await judge.ask(asks_score("first?"))
        judge_server.default = lambda request: replace(by_length(request), wait=held)
        held = asyncio.Event()
        asking = asyncio.create_task(ask_many(judge, 30))
        await until(lambda: len(judge_server.requests) >= 31)
        held.set()
        assert not [one for one in await asking if isinstance(one, Exception)]
    assert judge_server.most_at_once == 30


async def test_a_server_that_counts_nothing_is_charged_by_the_guess(judge_server: JudgeServer) -> None:
    judge_server.default = says({"reason": "fine", "score": 8}, usage={})
    async with judge_at(judge_server, price=(10.0, 10.0), budget=0.1) as judge:
        ended = await ask_many(judge, 100)
        assert any(isinstance(one, BudgetSpentError) for one in ended)
        assert 0 < judge.spent <= 0.1
    assert len(judge_server.requests) < 100


async def test_what_was_held_back_for_a_call_that_failed_is_free_again(judge_server: JudgeServer) -> None:
    judge_server.script(*[refuses(400, "no")] * 50)
    judge_server.default = by_length
    async with judge_at(judge_server, price=(10.0, 10.0), budget=0.05) as judge:
        ended = await ask_many(judge, 50)
        assert all(isinstance(one, JudgeRefusedError) for one in ended)
        assert judge.spent == 0
        assert await judge.ask(asks_score("after all?"))


async def test_one_who_leaves_while_waiting_holds_nothing_back(judge_server: JudgeServer) -> None:
    held = asyncio.Event()
    judge_server.script(says({"reason": "fine", "score": 8}, wait=held))
    judge_server.default = by_length
    async with judge_at(judge_server, price=(10.0, 10.0), budget=1.0) as judge:
        first, waiting = (asyncio.create_task(judge.ask(asks_score(ask))) for ask in ("first?", "second?"))
        await until(lambda: judge_server.requests)
        waiting.cancel()
        await asyncio.wait([waiting])
        held.set()
        await first
        assert await judge.ask(asks_score("third?"))
    assert len(judge_server.requests) == 2


async def test_a_reply_of_a_set_length_holds_back_that_length(judge_server: JudgeServer) -> None:
    async with judge_at(judge_server, price=(0.0, 1000.0), budget=0.9, max_tokens=1000) as judge:
        with pytest.raises(BudgetSpentError, match=r"the next may cost \$1\.0000"):
            await judge.ask(asks_score())
    assert judge_server.requests == []


async def test_without_a_price_the_error_says_how_to_give_one() -> None:
    async with judge_at(JudgeServer(), base_url="https://judge.example/v1", budget=1.0) as judge:
        with pytest.raises(SettingError, match="--price IN OUT"):
            await judge.ask(asks_score())


def test_a_request_is_guessed_by_its_length_in_any_language() -> None:
    def guess(text: str, **fields: Any) -> int:
        return guessed_tokens(ModelRequest(messages=[{"role": "user", "content": text}], **fields))

    assert guess("word " * 300) >= 300
    # About one token a letter.
    assert guess("会" * 300) >= 300
    assert guess("", schema={"type": "object", "description": "x" * 300}) > 100
    parts = [
        {"type": "text", "text": "hi"},
        {"type": "image_url", "image_url": {"url": "data:" + "x" * 10**6}},
    ]
    seen = guessed_tokens(ModelRequest(messages=[{"role": "user", "content": parts}]))
    assert TOKENS_OF_AN_IMAGE <= seen < TOKENS_OF_AN_IMAGE + 100
    assert tokens_of_text("\ud800") == 2
