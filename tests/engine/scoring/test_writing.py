"""Writing: what lands is kept in batches, all of it at the end, and a disk that fails is told."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest
from lock_holder import held
from waiting import until

from turnwise.conversations.errors import StoreError
from turnwise.conversations.store import Batch, Store, spilled
from turnwise.engine.scoring import writing
from turnwise.engine.scoring.writing import Writer


async def test_what_was_added_is_written_by_the_end_in_order(store: Store) -> None:
    written: list[int] = []
    async with Writer[int](store, [], written.extend) as writer:
        for number in range(5):
            writer.add(number)
    assert written == [0, 1, 2, 3, 4]


async def test_it_is_written_while_the_run_goes_on(store: Store) -> None:
    written: list[int] = []
    async with Writer[int](store, [], written.extend) as writer:
        writer.add(1)
        await asyncio.sleep(0.5)
        assert written == [1]


async def test_who_waits_for_it_is_told_at_once(store: Store) -> None:
    written: list[int] = []
    async with Writer[int](store, [], written.extend) as writer:
        writer.add(1)
        await writer.flush()
        assert written == [1]


async def test_a_cancelled_run_loses_nothing_that_landed(store: Store) -> None:
    written: list[int] = []

    async def run() -> None:
        async with Writer[int](store, [], written.extend) as writer:
            writer.add(1)
            await asyncio.sleep(60)

    running = asyncio.create_task(run())
    await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert written == [1]


async def test_what_cannot_be_written_ends_the_run_with_the_reason(store: Store) -> None:
    def fail(_: list[int]) -> None:
        raise StoreError("The disk is full")

    async def run() -> None:
        async with Writer[int](store, [], fail) as writer:
            writer.add(1)
            await writer.flush()
            assert writer.failed

    with pytest.raises(StoreError, match="disk is full"):
        await run()


class TestAHeldDatabase:
    """Another program holds the write lock: what landed waits, and is never dropped."""

    @pytest.fixture(autouse=True)
    def soon(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(writing, "SECONDS_A_TRY", 0.05)
        monkeypatch.setattr(writing, "SECONDS_IN_MEMORY", 0.2)

    async def test_what_landed_is_kept_once_the_database_is_free(self, store: Store) -> None:
        run, heard = store.runs.begin(judge="j", metrics=[]), []
        with held(store.path) as holder:
            async with Writer[str](
                store,
                [],
                lambda items: store.answers.add_all(run, [(item, "1") for item in items]),
                hear=heard.extend,
            ) as writer:
                writer.add("a")
                await asyncio.sleep(0.5)
                assert heard == []
                await asyncio.to_thread(holder.free)
                await writer.flush()
        assert heard == ["a"]
        assert store.answers.newest("a") == "1"

    async def test_after_a_while_it_waits_in_a_file_and_counts_as_kept(self, store: Store) -> None:
        run, heard = store.runs.begin(judge="j", metrics=[]), []
        answers = partial(_answers, run)
        with held(store.path) as holder:
            async with Writer[str](
                store,
                [],
                lambda items: store.answers.add_all(run, answers(items)[0].answers),
                pack=answers,
                hear=heard.extend,
            ) as writer:
                writer.add("a")
                await until(lambda: heard == ["a"])
                assert len(spilled(store.path)) == 1
                await asyncio.to_thread(holder.free)
                writer.add("b")
                await until(lambda: heard == ["a", "b"])
                assert store.answers.newest("a") == store.answers.newest("b") == "1"
                assert spilled(store.path) == []

    async def test_whoever_leaves_meanwhile_leaves_it_in_the_file(self, store: Store) -> None:
        run = store.runs.begin(judge="j", metrics=[])

        async def write() -> None:
            answers = partial(_answers, run)
            async with Writer[str](
                store, [], lambda _: store.answers.add_all(run, []), pack=answers
            ) as writer:
                writer.add("a")
                await asyncio.sleep(60)

        with held(store.path):
            writing_ = asyncio.create_task(write())
            await asyncio.sleep(0.1)
            writing_.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asyncio.wait_for(writing_, 10)
        with Store.open(store.path) as again:
            assert again.answers.newest("a") == "1"

    async def test_however_often_it_is_cancelled(self, store: Store) -> None:
        written: list[int] = []

        async def write() -> None:
            async with Writer[int](store, [], written.extend) as writer:
                writer.add(1)
                await asyncio.sleep(60)

        running = asyncio.create_task(write())
        await asyncio.sleep(0)
        for _ in range(5):
            running.cancel()
            await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await running
        assert written == [1]


def _answers(run: int, items: list[str]) -> tuple[Batch, list[str]]:
    return Batch(run_id=run, answers=tuple((item, "1") for item in items)), []
