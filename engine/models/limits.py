"""Limits: the pace at which a model is called.

AdaptiveLimit bounds how many calls are in flight, and finds out for itself how many the model bears.
with_retries tries a call again while there is hope, at the pace that the model asks for.
Flights lets those who ask the same at the same time share one call.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Generic, TypeVar

from turnwise.engine.models.faults import Fault
from turnwise.engine.models.settings import LONGEST_WAIT, MOST_TRIES
from turnwise.engine.models.waits import Waits

T = TypeVar("T")
_SHORTEST_SHARED_PAUSE = 1.0
MOST_IN_A_ROW = 64
"""After so many calls of one kind in a row, a call of another kind goes first where one waits."""


class AdaptiveLimit:
    """Bounds the calls in flight: halves when the model is overloaded, creeps up again when it is not.

    maximum: where it begins and the most it ever lets through, at least 1. It never falls below 1, and it
    rises by 1 after as many good calls as are let through at the time. Callers are served in the order
    they came, but those of the kind that was served last go before others, where callers name a kind. It
    belongs to one event loop. waits: what its callers wait for, in words.

        async with limit.slot() as slot:
            ...                        # a normal end counts as a good call, an exception as nothing
            slot.overloaded(2.0)       # the model said: too much; nobody begins for 2 seconds
    """

    def __init__(self, maximum: int) -> None:
        self.maximum = max(1, maximum)
        self.current = self.maximum
        self.in_flight = 0
        self.waits = Waits()
        self._good = 0
        self._fallen_at = 0
        self._begun = 0
        self._resume_at = 0.0
        self._waiting: deque[_Waiting] = deque()
        self._kind = ""
        self._in_a_row = 0

    def slot(self, kind: str = "") -> Slot:
        """Return a place among the calls in flight, taken when it is entered.

        kind: what calls that had better follow each other have in common; empty for none.
        """
        return Slot(self, kind)

    async def _enter(self, kind: str) -> int:
        # Whoever came first goes first: a free place is not taken past those who wait.
        if self._waiting or not self._open():
            await self._queue(kind)
        else:
            self._take(kind)
        self._begun += 1
        return self._begun

    def _take(self, kind: str) -> None:
        self.in_flight += 1
        self._in_a_row = self._in_a_row + 1 if kind == self._kind else 1
        self._kind = kind

    async def _queue(self, kind: str) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting = _Waiting(turn, kind)
        self._waiting.append(waiting)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                # The place was given in the very moment of the cancellation: it goes to the next.
                self._leave()
            elif waiting in self._waiting:
                # It is gone already where a place came free between the cancellation and this line.
                self._waiting.remove(waiting)
            raise

    def _leave(self) -> None:
        self.in_flight -= 1
        self._admit()

    def _open(self) -> bool:
        return self.in_flight < self.current and self._resume_at <= asyncio.get_running_loop().time()

    def _admit(self) -> None:
        while self._waiting and self._open():
            waiting = self._next()
            self._waiting.remove(waiting)
            if not waiting.turn.done():
                self._take(waiting.kind)
                waiting.turn.set_result(None)

    def _next(self) -> _Waiting:
        first = self._waiting[0]
        if not self._kind:
            return first
        same = self._in_a_row < MOST_IN_A_ROW
        return next((one for one in self._waiting if (one.kind == self._kind) is same), first)

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


@dataclass(frozen=True, slots=True, eq=False)
class _Waiting:
    """A caller that waits for its turn."""

    turn: asyncio.Future[None]
    kind: str


class Slot:
    """One place among the calls in flight."""

    def __init__(self, limit: AdaptiveLimit, kind: str = "") -> None:
        self._limit = limit
        self._kind = kind
        self._ticket = 0
        self._overload = False

    def overloaded(self, pause: float = 0.0) -> None:
        """Say that the model was overloaded, and for how many seconds it wants to be left alone."""
        self._overload = True
        self._limit._overloaded(self._ticket, pause)

    async def __aenter__(self) -> Slot:
        self._ticket = await self._limit._enter(self._kind)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None and not self._overload:
            self._limit._succeeded()
        self._limit._leave()


MOST_TIMEOUTS = 3
MOST_REFUSED = 2
"""So often a call is tried where nothing listens on this machine: a server that starts again takes longer."""
_WAIT_HERE = 0.25
_FIRST_WAIT = 0.5
_LONGEST_BACKOFF = 30.0


@dataclass(frozen=True, slots=True)
class RetryLimits:
    """How long a model is borne with. tries: of a call, at most.

    longest_wait: the most seconds that are waited where the model asks to.
    """

    tries: int = MOST_TRIES
    longest_wait: float = LONGEST_WAIT


async def with_retries(
    attempt: Callable[[], Awaitable[T]],
    limit: AdaptiveLimit,
    *,
    kind: str = "",
    patience: RetryLimits = RetryLimits(),
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> T:
    """Return what `attempt` returns, each try in a slot of the limit, none held while waiting.

    kind: as of `AdaptiveLimit.slot`. Whoever waits can be told of it: see `AdaptiveLimit.waits`.
    Raises the last Fault, its `attempts` set, when it does not pass by itself, after so many tries as there
    is patience for, where it asks for a longer wait than that, after three that ran out of time (a call that
    takes too long three times will not be quicker the sixth), or after two where nothing listens on this
    machine.
    """
    timeouts = refused = 0
    with limit.waits.call():
        for number in range(1, patience.tries + 1):
            async with limit.slot(kind) as slot:
                try:
                    answer = await attempt()
                except Fault as raised:
                    fault = raised
                    asked = (fault.retry_after or 0.0) if fault.passing else 0.0
                    bearable = asked <= patience.longest_wait
                    if not fault.passing:
                        limit.waits.answered()
                    if fault.overload:
                        slot.overloaded(asked if bearable else 0.0)
                else:
                    limit.waits.answered()
                    return answer
            timeouts += fault.timed_out
            refused += fault.nobody_here
            fault.attempts = number
            if not bearable:
                fault.kind = "asks to wait"
                longest = f"{patience.longest_wait:g} s are waited at most"
                fault.message = f"{fault.message}\nit asks to wait {asked:,.0f} s; {longest}"
            hopeless = timeouts == MOST_TIMEOUTS or refused == MOST_REFUSED
            if not bearable or not fault.passing or number == patience.tries or hopeless:
                raise fault
            limit.waits.failed(fault.message, fault.retry_after or 0.0)
            await sleep(_WAIT_HERE if fault.nobody_here else wait_before(number, fault.retry_after))
    raise AssertionError("the last attempt returns or raises")


def wait_before(number: int, retry_after: float | None, chance: float | None = None) -> float:
    """Return the seconds to wait after failed try `number`, from 1.

    Never less than the model asked for; otherwise doubling from half a second to 30 s. The random part
    (`chance`, 0 to 1) keeps callers that failed together from coming back together.
    """
    share: float = random.random() if chance is None else chance
    backoff: float = min(_FIRST_WAIT * 2.0 ** (number - 1), _LONGEST_BACKOFF)
    if retry_after is not None:
        return retry_after + share * min(backoff, 0.25 * retry_after + 0.05)
    return backoff * (0.5 + share / 2)


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
