"""Writing: what lands is kept in batches, all of it at the end, and a disk that fails is told."""

from __future__ import annotations

import asyncio

import pytest

from turnwise.conversations.errors import StoreError
from turnwise.conversations.store import Store
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
