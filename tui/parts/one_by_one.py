"""OneByOne: what is asked for is done one by one, in the order in which it was asked for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager


class OneByOne:
    """Gives out places, each of which begins when the one before it has ended.

        async with self._one_by_one.place():
            ...

    A lock would do, were it not asked for in the loop: a place is taken at once, though what is done there
    may be begun later. Whoever takes a place has to enter it: all that follow wait for that.
    """

    def __init__(self) -> None:
        self._last: asyncio.Future[None] | None = None

    def place(self) -> AbstractAsyncContextManager[None]:
        """Take the next place; what stands in it waits for the place before to end."""
        before, self._last = self._last, asyncio.get_running_loop().create_future()
        return _behind(before, self._last)


@asynccontextmanager
async def _behind(before: asyncio.Future[None] | None, ended: asyncio.Future[None]) -> AsyncIterator[None]:
    try:
        if before is not None:
            # It must not be cancelled with the one that waits for it.
            await asyncio.wait([before])
        yield
    finally:
        if before is None or before.done():
            ended.set_result(None)
        else:
            before.add_done_callback(lambda _: ended.set_result(None))
