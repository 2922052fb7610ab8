"""Input lines: standard input line by line, without holding up what else goes on."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from typing import TextIO


async def next_line(stream: TextIO) -> str:
    """Return the next line with its end; "" once there is none.

    It works for terminals, pipes and files alike. Cancelled, it leaves a thread behind that waits for a line
    that nobody wants; the thread keeps no program from ending.
    """
    loop = asyncio.get_running_loop()
    coming: asyncio.Future[str] = loop.create_future()

    def settle(line: str) -> None:
        if not coming.done():
            coming.set_result(line)

    def read() -> None:
        try:
            line = stream.readline()
        except (OSError, ValueError):
            # A terminal that was closed is an end like any other.
            line = ""
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, line)

    # Not the loop's own threads: those are waited for when a program ends.
    threading.Thread(target=read, daemon=True).start()
    return await coming


def open_input(descriptor: int) -> TextIO:
    """Return text of a file descriptor, for this module alone to read.

    sys.stdin itself would not do: Python cannot end while a thread holds it.
    """
    return open(descriptor, encoding="utf-8", errors="replace", closefd=False)
