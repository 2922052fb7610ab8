"""Waiting: tells a person what a judge or a chatbot is waited for, while nothing else is to be seen."""

from __future__ import annotations

import asyncio
import re
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Protocol

from turnwise.tui.cli.output import Progress, narrate

SECONDS_BETWEEN_LOOKS = 1.0
SECONDS_TO_NEXT_REMARK = 10.0
"""Where remarks are lines, the second comes after so long, and each later one after twice the time."""

_NUMBER = re.compile(r"\d+")


class Asked(Protocol):
    """Whoever is asked, and says what is waited for where that is worth a word."""

    @property
    def waiting(self) -> str:
        """What is waited for; empty where nothing is."""


@asynccontextmanager
async def telling_waits(
    judge: Asked | None, progress: Progress, others: Sequence[Asked] = ()
) -> AsyncIterator[None]:
    """Tell what the judge is waited for, once that takes a while.

    others: who are asked besides; more may come to them later. At a terminal that is the line that is written
    over; elsewhere it is a remark now and then.
    """
    clock = asyncio.create_task(_tell(judge, others, progress))
    try:
        yield
    finally:
        clock.cancel()


async def _tell(judge: Asked | None, others: Sequence[Asked], progress: Progress) -> None:
    pause, next_remark, told = SECONDS_TO_NEXT_REMARK, 0.0, ""
    while True:
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
        asked = [*([judge] if judge is not None else []), *others]
        words, now = next(filter(None, (one.waiting for one in asked)), ""), time.monotonic()
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
