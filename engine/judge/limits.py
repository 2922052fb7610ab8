"""Limits: how many judge calls are in flight at once, finding out for itself what the judge bears."""

from __future__ import annotations

import asyncio
from collections import deque
from types import TracebackType

_SHORTEST_SHARED_PAUSE = 1.0


class AdaptiveLimit:
    """Bounds the calls in flight: halves when the judge is overloaded, creeps up again when it is not.

    maximum: where it begins and the most it ever lets through, at least 1. It never falls below 1, and it
    rises by 1 after as many good calls as are let through at the time. Callers are served in the order
    they came. It belongs to one event loop.

        async with limit.slot() as slot:
            ...                        # a normal end counts as a good call, an exception as nothing
            slot.overloaded(2.0)       # the judge said: too much; nobody begins for 2 seconds
    """

    def __init__(self, maximum: int) -> None:
        self.maximum = max(1, maximum)
        self.current = self.maximum
        self.in_flight = 0
        self._good = 0
        self._fallen_at = 0
        self._begun = 0
        self._resume_at = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()

    def slot(self) -> Slot:
        """Return a place among the calls in flight, taken when it is entered."""
        return Slot(self)

    async def _enter(self) -> int:
        # Whoever came first goes first: a free place is not taken past those who wait.
        if self._waiting or not self._open():
            await self._queue()
        else:
            self.in_flight += 1
        self._begun += 1
        return self._begun

    async def _queue(self) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                # The place was given in the very moment of the cancellation: it goes to the next.
                self._leave()
            elif turn in self._waiting:
                # It is gone already where a place came free between the cancellation and this line.
                self._waiting.remove(turn)
            raise

    def _leave(self) -> None:
        self.in_flight -= 1
        self._admit()

    def _open(self) -> bool:
        return self.in_flight < self.current and self._resume_at <= asyncio.get_running_loop().time()

    def _admit(self) -> None:
        while self._waiting and self._open():
            turn = self._waiting.popleft()
            if not turn.done():
                self.in_flight += 1
                turn.set_result(None)

    def _succeeded(self) -> None:
        self._good += 1
        if self._good >= self.current and self.current < self.maximum:
            self._good = 0
            self.current += 1

    def _overloaded(self, ticket: int, pause: float) -> None:
        # Calls that began before the last fall say nothing about the limit that holds since.
        if ticket > self._fallen_at:
            self.current = max(1, self.current // 2)
            self._fallen_at = self._begun
        self._good = 0
        # A pause shorter than this is cheaper for one caller to sit out than for all of them.
        if pause >= _SHORTEST_SHARED_PAUSE:
            loop = asyncio.get_running_loop()
            until = loop.time() + pause
            if until > self._resume_at:
                self._resume_at = until
                loop.call_at(until + 0.001, self._admit)


class Slot:
    """One place among the calls in flight."""

    def __init__(self, limit: AdaptiveLimit) -> None:
        self._limit = limit
        self._ticket = 0
        self._overload = False

    def overloaded(self, pause: float = 0.0) -> None:
        """Say that the judge was overloaded, and for how many seconds it wants to be left alone."""
        self._overload = True
        self._limit._overloaded(self._ticket, pause)

    async def __aenter__(self) -> Slot:
        self._ticket = await self._limit._enter()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None and not self._overload:
            self._limit._succeeded()
        self._limit._leave()
