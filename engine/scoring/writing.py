"""Writing: what lands is kept in batches, so that the disk never holds up who judges or answers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Generic, Self, TypeVar

from turnwise.conversations.store import Store
from turnwise.engine.judge.evidence import StoredCallBook, row_of_call

SECONDS_BETWEEN_WRITES = 0.1
SECONDS_TO_GATHER = 0.01

Item = TypeVar("Item")


class Writer(Generic[Item]):
    """Keeps judges' calls and what landed, ten times a second. Use it as `async with`.

    books: whose calls are kept. write: keeps the items of a batch, in a thread and one transaction with
    the calls that they rest on. At the end all that waits is written, also where the run is cancelled.
    """

    def __init__(
        self, store: Store, books: Sequence[StoredCallBook], write: Callable[[list[Item]], None]
    ) -> None:
        self._store = store
        self._books = books
        self._write = write
        self._items: list[Item] = []
        self._listeners: list[asyncio.Future[None]] = []
        self._wanted = asyncio.Event()
        self._ended = False
        self._writing: asyncio.Task[None] | None = None

    @property
    def failed(self) -> bool:
        """Whether nothing more can be kept; leaving the `async with` raises why."""
        return self._writing is not None and self._writing.done()

    def add(self, item: Item) -> None:
        """Have an item written with the next batch."""
        self._items.append(item)

    async def flush(self) -> None:
        """Wait until all that was added so far is written. Raises StoreError where it cannot be."""
        if self._writing is None or self._writing.done():
            return
        listener = asyncio.get_running_loop().create_future()
        self._listeners.append(listener)
        self._wanted.set()
        await asyncio.wait([listener, self._writing], return_when=asyncio.FIRST_COMPLETED)

    async def __aenter__(self) -> Self:
        self._writing = asyncio.create_task(self._write_until_ended())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._writing is not None  # noqa: S101 - it was entered
        self._ended = True
        self._wanted.set()
        # Shielded, because a second ctrl+c must not lose what the first one let land.
        await asyncio.shield(self._writing)

    async def _write_until_ended(self) -> None:
        """Write what waits again and again: the next item may be minutes away."""
        while not self._ended:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wanted.wait(), SECONDS_BETWEEN_WRITES)
            if not self._ended:
                # Others that land just now go along.
                await asyncio.sleep(SECONDS_TO_GATHER)
            self._wanted.clear()
            await self._write_waiting()
        # What landed while that last write was under way.
        await self._write_waiting()

    async def _write_waiting(self) -> None:
        """Write all that waits, in one transaction, in a thread."""
        calls = [(book, book.held()) for book in self._books]
        items, self._items = self._items, []
        listeners, self._listeners = self._listeners, []
        if items or any(held for _, held in calls):

            def write() -> None:
                with self._store.writing():
                    self._store.calls.add_all([row_of_call(call) for _, held in calls for call in held])
                    self._write(items)

            await asyncio.to_thread(write)
            for book, held in calls:
                book.forget(held)
        for listener in listeners:
            if not listener.done():
                listener.set_result(None)
