"""Waiting in a test's own loop for something to become so, with a limit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


async def until(ready: Callable[[], object], *, seconds: float = 60.0) -> None:
    """Let the loop go on until something is so. Raises TimeoutError where it does not come about."""
    async with asyncio.timeout(seconds):
        while not ready():
            await asyncio.sleep(0.01)
