"""Embeddings: which model is asked, that a text is asked about once, and what is no vector."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from judge_server import JudgeServer, Step, busy, embeds, refuses
from judged import judge_at
from waiting import until

from turnwise.conversations.errors import (
    BudgetSpentError,
    JudgeRefusedError,
    JudgeUnavailableError,
    MalformedReplyError,
    SettingError,
)
from turnwise.conversations.store import Store
from turnwise.engine.judge.calls import MemoryCallBook
from turnwise.engine.judge.embeddings import Embedder, open_embedder
from turnwise.engine.judge.evidence import StoredCallBook, row_of_call


@pytest.mark.parametrize("digits", [False, True])
async def test_texts_become_vectors_in_either_writing(judge_server: JudgeServer, digits: bool) -> None:
    judge_server.others["embeddings"] = embeds({"a": [1.0, 0.5], "b": [0.0, -2.0]}, digits=digits)
    async with judge_at(judge_server) as judge:
        found = await Embedder(judge).embed(["a", "b", "a"])
    assert [one.vector for one in found] == [(1.0, 0.5), (0.0, -2.0), (1.0, 0.5)]
    assert len(judge_server.requests) == 2
    assert {request.body["model"] for request in judge_server.requests} == {"m"}


async def test_a_vector_is_kept_and_found_again_in_the_database(
    judge_server: JudgeServer, store: Store
) -> None:
    judge_server.others["embeddings"] = embeds({"a": [1.0]})
    book = StoredCallBook(store)
    async with judge_at(judge_server, book) as judge:
        [first] = await Embedder(judge).embed(["a"])
    with store.writing():
        store.calls.add_all([row_of_call(call) for call in book.held()])
    async with judge_at(judge_server, StoredCallBook(store)) as judge:
        assert await Embedder(judge).embed(["a"]) == [first]
        assert judge.calls_made == 0
    assert len(judge_server.requests) == 1
    assert store.calls.get(first.call).usage["prompt_tokens"] == 3


async def test_the_users_model_goes_before_the_files_and_that_before_the_judges(
    judge_server: JudgeServer,
) -> None:
    judge_server.others["embeddings"] = embeds({"a": [1.0]})
    async with judge_at(judge_server) as judge:
        await Embedder(judge, "mine").embed(["a"], model="theirs")
        await Embedder(judge).embed(["a"], model="theirs")
    assert [request.body["model"] for request in judge_server.requests] == ["mine", "theirs"]


async def test_a_server_without_embeddings_is_told_from_one_that_is_away(judge_server: JudgeServer) -> None:
    async with judge_at(judge_server) as judge:
        with pytest.raises(JudgeRefusedError, match="gives no embeddings by m") as raised:
            await Embedder(judge).embed(["a"])
        assert "--embeddings" in raised.value.next_step
        judge_server.others["embeddings"] = refuses(501, "Start it with --embeddings")
        before = len(judge_server.requests)
        with pytest.raises(JudgeRefusedError, match="gives no embeddings"):
            await Embedder(judge).embed(["a"])
        assert len(judge_server.requests) == before + 1
        judge_server.others["embeddings"] = refuses(401, "no key")
        with pytest.raises(JudgeRefusedError, match="key"):
            await Embedder(judge).embed(["a"])
        judge_server.others["embeddings"] = busy()
        with pytest.raises(JudgeUnavailableError, match="overloaded"):
            await Embedder(judge).embed(["a"])


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        {},
        {"data": []},
        *({"data": [{"embedding": vector}]} for vector in ([], [0.0], ["x"], "???", 3, None)),
    ],
)
async def test_what_is_no_vector_is_malformed_and_never_reused(judge_server: JudgeServer, body: Any) -> None:
    judge_server.others["embeddings"] = Step(body=body)
    book = MemoryCallBook()
    async with judge_at(judge_server, book) as judge:
        for _ in range(2):
            with pytest.raises(MalformedReplyError):
                await Embedder(judge).embed(["a"])
    assert len(judge_server.requests) == 2
    assert not any(call.answered for call in book.calls.values())


async def test_vectors_of_two_lengths_are_not_compared(judge_server: JudgeServer) -> None:
    judge_server.others["embeddings"] = embeds({"a": [1.0], "b": [1.0, 2.0]})
    async with judge_at(judge_server) as judge:
        with pytest.raises(MalformedReplyError):
            await Embedder(judge).embed(["a", "b"])


async def test_the_budget_holds_for_vectors_too(judge_server: JudgeServer) -> None:
    judge_server.others["embeddings"] = embeds({"a": [1.0]})
    # A token costs a dollar.
    async with judge_at(judge_server, price=(1e6, 1e6), budget=50.0) as judge:
        await Embedder(judge).embed(["a"])
        with pytest.raises(BudgetSpentError):
            await Embedder(judge).embed(["b" * 300])
        assert judge.spent == 3
    assert len(judge_server.requests) == 1


async def test_one_that_asks_for_vectors_may_be_cancelled(judge_server: JudgeServer) -> None:
    judge_server.others["embeddings"] = Step(do="hang")
    async with judge_at(judge_server) as judge:
        task = asyncio.create_task(Embedder(judge).embed(["a"]))
        await until(lambda: judge_server.requests)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task


async def test_an_embedder_is_named_as_a_model_or_with_its_server(judge_server: JudgeServer) -> None:
    judge_server.others["embeddings"] = embeds({"a": [1.0]})
    async with judge_at(judge_server) as judge:
        async with open_embedder(None, None) as nobody:
            assert nobody is None
        async with open_embedder(None, judge) as own:
            assert own == Embedder(judge)
        async with open_embedder("small", judge) as named:
            assert named == Embedder(judge, "small")
    async with open_embedder(f"{judge_server.url}#tiny", None) as apart:
        assert apart is not None
        await apart.embed(["a"])
    assert judge_server.requests[-1].body["model"] == "tiny"


async def test_a_model_without_a_server_means_nothing() -> None:
    with pytest.raises(SettingError, match="small"):
        async with open_embedder("small", None):
            pass
