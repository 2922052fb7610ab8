"""Writing: what lands is kept in batches, so that the disk never holds up who judges or answers.

While another program holds the database, what landed waits: in memory at first, then in a file beside the
database, where a kill cannot reach it either. It is never dropped because a lock took long.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Generic, Self, TypeVar

from turnwise.conversations.errors import StoreBusyError
from turnwise.conversations.store import Batch, Patience, Spill, Store
from turnwise.engine.judge.calls import JudgeCall
from turnwise.engine.judge.evidence import StoredCallBook, call_of_row, row_of_call

SECONDS_BETWEEN_WRITES = 0.1
SECONDS_TO_GATHER = 0.01
SECONDS_A_TRY = 1.0
"""So long a write waits for another program before the run is told of it."""
SECONDS_IN_MEMORY = 3.0
MOST_IN_MEMORY = 1000
"""How long, and how much at most, waits for a database that is held by others, before it goes to a file."""

Item = TypeVar("Item")


def _hear_nothing(_: object) -> None:
    """Do nothing with what is kept."""


def _stay_in_memory(items: list[Item]) -> tuple[Batch, list[Item]]:
    return Batch(run_id=0), items


class Writer(Generic[Item]):
    """Keeps judges' calls and what landed, ten times a second. Use it as `async with`.

    books: whose calls are kept. write: keeps the items of a batch, in a thread and one transaction with
    the calls that they rest on. pack: returns what of items can wait in a file, and those that stay in memory
    all the same; the others count as kept by then. hear: told of items once they are kept, in the loop.
    stop: set once somebody wants to leave. At the end all that waits is written, also where the run is
    cancelled; where another program holds the database then and somebody wants to leave, it waits in the file
    for the next opening.
    """

    def __init__(
        self,
        store: Store,
        books: Sequence[StoredCallBook],
        write: Callable[[list[Item]], None],
        *,
        pack: Callable[[list[Item]], tuple[Batch, list[Item]]] | None = None,
        hear: Callable[[list[Item]], None] = _hear_nothing,
        stop: asyncio.Event | None = None,
    ) -> None:
        self._store = store
        self._books = books
        self._write = write
        self._pack = pack or _stay_in_memory
        self._hear = hear
        self._stop = stop
        self._spill = Spill(store.path)
        self._items: list[Item] = []
        self._listeners: list[asyncio.Future[None]] = []
        self._wanted = asyncio.Event()
        self._ended = False
        self._leaving = False
        self._writing: asyncio.Task[None] | None = None

    @property
    def failed(self) -> bool:
        """Whether nothing more can be kept; leaving the `async with` raises why."""
        return self._writing is not None and self._writing.done()

    def add(self, item: Item) -> None:
        """Have an item written with the next batch."""
        self._items.append(item)

    async def flush(self) -> None:
        """Wait until all that was added so far is kept. Raises StoreError where it cannot be."""
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
        self._leaving = self._leaving or kind is not None
        self._wanted.set()
        cancelled = False
        while not self._writing.done():
            try:
                # What landed is kept first, however often somebody presses ctrl+c.
                await asyncio.shield(self._writing)
            except asyncio.CancelledError:
                if self._writing.cancelled():
                    raise
                self._leaving = cancelled = True
        self._spill.close()
        if cancelled and not self._writing.exception():
            raise asyncio.CancelledError
        self._writing.result()

    def _hurried(self) -> bool:
        """Whether somebody wants to leave."""
        return self._leaving or (self._stop is not None and self._stop.is_set())

    async def _write_until_ended(self) -> None:
        """Write what waits again and again: the next item may be minutes away."""
        held_since: float | None = None
        while True:
            ended = self._ended
            with suppress(TimeoutError):
                if not ended:
                    await asyncio.wait_for(self._wanted.wait(), SECONDS_BETWEEN_WRITES)
                    # Others that land just now go along.
                    await asyncio.sleep(SECONDS_TO_GATHER)
            self._wanted.clear()
            try:
                await self._write_waiting()
            except StoreBusyError:
                now = time.monotonic()
                if held_since is None:
                    held_since = now
                    self._tell(waits=True)
                if now - held_since > SECONDS_IN_MEMORY or self._hurried() or self._waits_most():
                    await self._spill_waiting()
                if ended and self._hurried():
                    return
            else:
                if held_since is not None:
                    self._tell(waits=False)
                held_since = None
                if ended:
                    return

    def _tell(self, *, waits: bool) -> None:
        """Say that a database is waited for, or no longer, where somebody wants to know."""
        patience = self._store.patience
        told = (patience.on_wait if waits else patience.on_end) if patience else None
        if told is not None:
            told()

    def _waits_most(self) -> bool:
        return len(self._items) + sum(len(book.held()) for book in self._books) > MOST_IN_MEMORY

    async def _write_waiting(self) -> None:
        """Write all that waits, in one transaction, in a thread. Raises StoreBusyError where that is held."""
        calls = [(book, book.held()) for book in self._books]
        items, self._items = self._items, []
        listeners, self._listeners = self._listeners, []
        if items or self._spill or any(held for _, held in calls):

            def write() -> None:
                with self._store.waiting(Patience(SECONDS_A_TRY, stop=self._hurried)):
                    if self._spill:
                        self._store.spills.keep(self._spill)
                    with self._store.writing():
                        self._store.calls.add_all([row_of_call(call) for _, held in calls for call in held])
                        self._write(items)

            try:
                await asyncio.to_thread(write)
            except StoreBusyError:
                self._items = [*items, *self._items]
                self._listeners = [*listeners, *self._listeners]
                raise
            for book, held in calls:
                book.forget(held)
                book.settle_moved()
            self._hear(items)
        _settle(listeners)

    async def _spill_waiting(self) -> None:
        """Put what waits into the file, in a thread; what counts as kept by that is told."""
        calls = [(book, book.held()) for book in self._books]
        items, self._items = self._items, []
        batch, stay = self._pack(items)
        held = [call for _, book_held in calls for call in book_held]
        batch = replace(batch, calls=tuple(row_of_call(call) for call in held))
        if batch:
            try:
                place = await asyncio.to_thread(self._spill.add, batch)
            except OSError:
                if self._ended:
                    raise
                # There is no room for it; it waits in memory, and the database may be free again soon.
                self._items = [*items, *self._items]
                return
            for book, book_held in calls:
                book.move(book_held, partial(self._find, place))
        self._items = [*stay, *self._items]
        staying = {id(item) for item in stay}
        self._hear([item for item in items if id(item) not in staying])
        if not self._items:
            listeners, self._listeners = self._listeners, []
            _settle(listeners)

    def _find(self, place: int, key: str) -> JudgeCall | None:
        """Return the call of a key from a batch of the file; None once that is kept."""
        try:
            rows = [row for row, _ in self._spill.at(place).calls if row.key == key]
        except (OSError, ValueError):
            return None
        return call_of_row(rows[0]) if rows else None


def _settle(listeners: Sequence[asyncio.Future[None]]) -> None:
    for listener in listeners:
        if not listener.done():
            listener.set_result(None)
