"""Waiting: tells a person what a judge is waited for, while nothing else is to be seen."""

from __future__ import annotations

import asyncio
import re
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from turnwise.tui.cli.output import Progress, narrate

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import Judge

SECONDS_BETWEEN_LOOKS = 1.0
SECONDS_TO_NEXT_REMARK = 10.0
"""Where remarks are lines, the second comes after so long, and each later one after twice the time."""

_NUMBER = re.compile(r"\d+")


@asynccontextmanager
async def telling_waits(judge: Judge | None, progress: Progress) -> AsyncIterator[None]:
    """Tell what the judge is waited for, once that takes a while.

    At a terminal that is the line that is written over; elsewhere it is a remark now and then.
    """
    clock = asyncio.create_task(_tell(judge, progress)) if judge is not None else None
    try:
        yield
    finally:
        if clock is not None:
            clock.cancel()


async def _tell(judge: Judge, progress: Progress) -> None:
    pause, next_remark, told = SECONDS_TO_NEXT_REMARK, 0.0, ""
    while True:
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
        words, now = judge.waiting, time.monotonic()
        about = _NUMBER.sub("", words)
        if about != told:
            # Another reason to wait is told at once.
            pause, next_remark, told = SECONDS_TO_NEXT_REMARK, 0.0, about
        if not words:
            continue
        if sys.stderr.isatty():
            progress.show(f"{words} · ctrl+c stops")
        elif now >= next_remark:
            narrate(f"{words[0].upper()}{words[1:]}.")
            next_remark, pause = now + pause, 2 * pause
