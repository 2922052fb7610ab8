"""The limit keeps its bound, is fair, falls under overload and rises again."""

from __future__ import annotations

import asyncio
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.models.limits import AdaptiveLimit


async def good_calls(limit: AdaptiveLimit, count: int) -> None:
    for _ in range(count):
        async with limit.slot():
            pass


async def test_it_halves_once_for_all_calls_that_were_in_flight_together():
    limit = AdaptiveLimit(16)
    slots = [limit.slot() for _ in range(16)]
    for slot in slots:
        await slot.__aenter__()
    for slot in slots:
        slot.overloaded()
        await slot.__aexit__(None, None, None)
    assert limit.current == 8
    async with limit.slot() as later:
        later.overloaded()
    assert limit.current == 4


async def test_it_never_falls_below_one_and_rises_to_its_maximum():
    limit = AdaptiveLimit(4)
    for _ in range(10):
        async with limit.slot() as slot:
            slot.overloaded()
    assert limit.current == 1
    await good_calls(limit, 1)
    assert limit.current == 2
    await good_calls(limit, 2)
    assert limit.current == 3
    await good_calls(limit, 1000)
    assert limit.current == 4


async def test_an_error_is_neither_good_nor_overload():
    limit = AdaptiveLimit(2)
    with pytest.raises(ValueError, match="x"):
        async with limit.slot():
            raise ValueError("x")
    assert (limit.in_flight, limit.current) == (0, 2)


async def test_those_who_wait_are_served_in_the_order_they_came():
    limit, order = AdaptiveLimit(1), []

    async def call(number: int) -> None:
        async with limit.slot():
            order.append(number)
            await asyncio.sleep(0)

    await asyncio.gather(*(call(number) for number in range(20)))
    assert order == list(range(20))


async def served(kinds: str) -> str:
    """Return the kinds of calls, a letter each, in the order they were served in."""
    limit, order = AdaptiveLimit(1), []

    async def call(kind: str) -> None:
        async with limit.slot(kind):
            order.append(kind)
            await asyncio.sleep(0)

    await asyncio.gather(*(call(kind) for kind in kinds))
    return "".join(order)


async def test_those_of_a_kind_follow_each_other_in_the_order_they_came():
    assert await served("abcabcab") == "aaabbbcc"


async def test_nobody_waits_for_more_than_so_many_of_another_kind(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("turnwise.engine.models.limits.MOST_IN_A_ROW", 3)
    assert await served("ab" + "a" * 7) == "aaabaaaaa"


async def test_a_pause_that_the_judge_asks_for_holds_everybody():
    limit = AdaptiveLimit(8)
    async with limit.slot() as slot:
        slot.overloaded(1.0)
    began = time.monotonic()
    await asyncio.gather(*(good_calls(limit, 1) for _ in range(3)))
    assert time.monotonic() - began >= 0.99


async def test_one_who_stops_waiting_gives_the_place_on():
    limit = AdaptiveLimit(1)
    holder = limit.slot()
    await holder.__aenter__()
    waiting = [asyncio.create_task(good_calls(limit, 1)) for _ in range(3)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    # This one is given the place and cancelled in the same step of the loop.
    await holder.__aexit__(None, None, None)
    waiting[1].cancel()
    await asyncio.wait(waiting, timeout=5)
    assert waiting[2].done()
    assert not waiting[2].cancelled()
    assert limit.in_flight == 0


@given(
    st.integers(1, 6),
    st.lists(st.sampled_from(["good", "overload", "error", "cancel"]), min_size=1, max_size=40),
)
def test_whatever_happens_the_bound_holds_and_no_place_is_lost(maximum, fates):
    async def run() -> None:
        limit = AdaptiveLimit(maximum)
        inside = 0

        async def call(fate: str) -> None:
            nonlocal inside
            async with limit.slot() as slot:
                inside += 1
                assert inside <= maximum
                try:
                    await asyncio.sleep(0)
                    if fate == "overload":
                        slot.overloaded()
                    if fate == "error":
                        raise ValueError
                finally:
                    inside -= 1

        tasks = [asyncio.create_task(call(fate)) for fate in fates]
        await asyncio.sleep(0)
        for task, fate in zip(tasks, fates, strict=True):
            if fate == "cancel":
                task.cancel()
        await asyncio.wait(tasks, timeout=10)
        assert all(task.done() for task in tasks)
        assert not any(isinstance(t.exception(), AssertionError) for t in tasks if not t.cancelled())
        assert limit.in_flight == 0
        assert 1 <= limit.current <= maximum
        await asyncio.wait_for(good_calls(limit, 1), timeout=5)

    asyncio.run(run())


async def test_one_who_stops_waiting_as_a_place_comes_free_is_only_cancelled():
    limit = AdaptiveLimit(1)
    holder = limit.slot()
    await holder.__aenter__()
    waiting = asyncio.create_task(limit.slot().__aenter__())
    await asyncio.sleep(0)
    waiting.cancel()
    # The place comes free before the cancelled one has had a chance to leave the queue.
    await holder.__aexit__(None, None, None)
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert limit.in_flight == 0
    async with limit.slot():
        assert limit.in_flight == 1
