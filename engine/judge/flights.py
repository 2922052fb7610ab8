"""Flights: the same thing asked many times at once is asked once, and all who asked get the answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class _Flight(Generic[T]):
    task: asyncio.Task[T]
    waiting: int = 0


class Flights(Generic[T]):
    """What is under way, by key. It belongs to one event loop.

    Whoever is cancelled leaves the others unharmed; when the last one has gone, the work is cancelled.
    """

    def __init__(self) -> None:
        self._flights: dict[str, _Flight[T]] = {}

    async def join(self, key: str, begin: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return what `begin` returns, or raise what it raises; it runs once for all who wait for the key."""
        flight = self._flights.get(key)
        if flight is None:
            flight = self._flights[key] = _Flight(asyncio.create_task(begin()))
        flight.waiting += 1
        try:
            # The shield keeps one caller's cancellation from reaching the work the others wait for.
            return await asyncio.shield(flight.task)
        finally:
            flight.waiting -= 1
            if flight.task.done() or not flight.waiting:
                if self._flights.get(key) is flight:
                    del self._flights[key]
                flight.task.cancel()

    async def close(self) -> None:
        """Cancel what is under way and wait until it has ended."""
        tasks = [flight.task for flight in self._flights.values()]
        self._flights.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
