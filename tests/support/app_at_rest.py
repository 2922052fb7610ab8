"""Waiting until the app has done what it was asked, however little of the machine it is given.

Pilot takes a process that used no processor for a moment for one at rest. One that other processes keep from
running used none either, and then a test looks at the screen before the app has drawn it.
"""

from __future__ import annotations

import asyncio
from time import monotonic, process_time
from typing import Any

import pytest

MOMENT = 0.02
"""Seconds: longer than the 1/60 s after which the app next draws what has changed."""
WORKING = 0.001
"""Seconds of a processor in a moment: who used as much was at work."""
LONGEST = 1.0
"""Seconds; what moves without end, as a spinner does, is not waited for."""


async def at_rest(min_sleep: float = MOMENT, max_sleep: float = LONGEST) -> None:
    """Wait until a moment passed in which nothing was computed and after which nothing waits for its turn.

    It takes the place of `textual.pilot.wait_for_idle`, whose parameters it has, in seconds.
    """
    start = monotonic()
    while True:
        used = process_time()
        await asyncio.sleep(MOMENT)
        is_working = process_time() - used >= WORKING or await _something_is_ready()
        taken = monotonic() - start
        if taken >= max_sleep or (taken > min_sleep and not is_working):
            return


async def _something_is_ready() -> bool:
    """Return whether anybody but this coroutine has a turn in the loop, now or once they had theirs."""
    ready: Any = getattr(asyncio.get_running_loop(), "_ready")  # noqa: B009
    for _ in range(3):
        if ready:
            return True
        await asyncio.sleep(0)
    return bool(ready)


def wait_for_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let Pilot wait until the app is at rest."""
    monkeypatch.setattr("textual.pilot.wait_for_idle", at_rest)
