"""Retries: trying a call again while there is hope, at the pace the judge asks for."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from turnwise.engine.judge.faults import Fault
from turnwise.engine.judge.limits import AdaptiveLimit

T = TypeVar("T")

MOST_ATTEMPTS = 6
MOST_TIMEOUTS = 3
_FIRST_WAIT = 0.5
_LONGEST_BACKOFF = 30.0


async def with_retries(
    attempt: Callable[[], Awaitable[T]],
    limit: AdaptiveLimit,
    *,
    kind: str = "",
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> T:
    """Return what `attempt` returns, each try in a slot of the limit, none held while waiting.

    kind: as of `AdaptiveLimit.slot`.
    Raises the last Fault, its `attempts` set, when it does not pass by itself, after six tries, or after
    three that ran out of time: a call that takes too long three times will not be quicker the sixth.
    """
    timeouts = 0
    for number in range(1, MOST_ATTEMPTS + 1):
        async with limit.slot(kind) as slot:
            try:
                return await attempt()
            except Fault as raised:
                fault = raised
                if fault.overload:
                    slot.overloaded(fault.retry_after or 0.0)
        timeouts += fault.timed_out
        fault.attempts = number
        if not fault.passing or number == MOST_ATTEMPTS or timeouts == MOST_TIMEOUTS:
            raise fault
        await sleep(wait_before(number, fault.retry_after))
    raise AssertionError("the last attempt returns or raises")


def wait_before(number: int, retry_after: float | None, chance: float | None = None) -> float:
    """Return the seconds to wait after failed try `number`, from 1.

    Never less than the judge asked for; otherwise doubling from half a second to 30 s. The random part
    (`chance`, 0 to 1) keeps callers that failed together from coming back together.
    """
    share: float = random.random() if chance is None else chance
    backoff: float = min(_FIRST_WAIT * 2.0 ** (number - 1), _LONGEST_BACKOFF)
    if retry_after is not None:
        return retry_after + share * min(backoff, 0.25 * retry_after + 0.05)
    return backoff * (0.5 + share / 2)
