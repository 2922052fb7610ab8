"""What is asked for is done one by one, in the order in which it was asked for."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager

from turnwise.tui.parts.one_by_one import OneByOne


async def test_a_place_that_is_taken_first_goes_first_though_it_is_entered_last() -> None:
    done: list[str] = []
    one_by_one = OneByOne()

    async def add(word: str, place: AbstractAsyncContextManager[None], waits: int) -> None:
        for _ in range(waits):
            await asyncio.sleep(0)
        async with place:
            await asyncio.sleep(0)
            done.append(word)

    places = [one_by_one.place() for _ in range(3)]
    await asyncio.gather(*(add(f"{n}", place, 6 - 2 * n) for n, place in enumerate(places)))
    async with one_by_one.place():
        assert done == ["0", "1", "2"]


async def test_one_that_fails_lets_the_next_go_on() -> None:
    one_by_one = OneByOne()
    try:
        async with one_by_one.place():
            raise KeyError("mine")
    except KeyError:
        pass
    async with asyncio.timeout(5), one_by_one.place():
        pass


async def test_one_that_is_cancelled_while_it_waits_lets_nobody_pass_by() -> None:
    one_by_one = OneByOne()
    order: list[str] = []
    first = one_by_one.place()

    async def add(word: str, place: AbstractAsyncContextManager[None]) -> None:
        async with place:
            order.append(word)

    waiting = asyncio.create_task(add("cancelled", one_by_one.place()))
    following = asyncio.create_task(add("following", one_by_one.place()))
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.sleep(0)
    async with first:
        await asyncio.sleep(0)
        order.append("first")
    await following
    assert order == ["first", "following"]
