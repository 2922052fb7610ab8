"""Pages: rows of a long list, fetched 200 at a time and forgotten again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from textual.cache import LRUCache

from turnwise.conversations.store import SessionRow

PAGE = 200
KEPT_PAGES = 24


class SessionProvider(Protocol):
    """Where a list gets its rows. Both methods are called from the app's thread and from a worker thread."""

    def count(self) -> int:
        """Return how many rows there are."""
        ...

    def page(self, offset: int, limit: int) -> Sequence[SessionRow]:
        """Return up to `limit` rows from `offset`, always in the same order."""
        ...


@runtime_checkable
class FindsSessions(Protocol):
    """A provider that can say where a session stands, so that a refresh finds it wherever it went."""

    def index_of(self, session_id: int) -> int | None:
        """Return the session's index in the order of pages, None if it is not there."""
        ...


@runtime_checkable
class HasIds(Protocol):
    """A provider that knows the ids of all its rows, in the order of pages."""

    def ids(self) -> list[int]:
        """Return them."""
        ...


Teller = Callable[[Sequence[SessionRow]], Sequence[SessionRow]]
"""Gives rows back with what a list shows of them beside what its provider knows."""


class SessionToRead(NamedTuple):
    """A session that is to be read, and the list that it stands in; None for all sessions."""

    session_id: int
    sessions: SessionProvider | None


class SessionToReplay(NamedTuple):
    """A session that is to be played again. hides: whether what was found of it is hidden there."""

    session_id: int
    hides: bool = False


class Pages:
    """The rows that are known, by index. Fetching is the caller's: it may be slow."""

    def __init__(self, provider: SessionProvider, tell: Teller = lambda rows: rows) -> None:
        self.provider = provider
        self.tell = tell
        self.count = 0
        self._kept: LRUCache[int, Sequence[SessionRow]] = LRUCache(KEPT_PAGES)

    def row(self, index: int) -> SessionRow | None:
        """Return the row at an index, None while its page is not there."""
        rows = self._kept.get(index // PAGE)
        inner = index % PAGE
        return rows[inner] if rows is not None and inner < len(rows) else None

    def rows(self) -> Iterable[SessionRow]:
        """Return the rows that are known."""
        return (row for _, row in self._known())

    def fetch(self, page: int) -> Sequence[SessionRow]:
        """Return a page's rows from the provider; touches nothing here, so any thread may call it."""
        return self.tell(self.provider.page(page * PAGE, PAGE))

    def keep(self, page: int, rows: Sequence[SessionRow]) -> None:
        """Keep a fetched page."""
        self._kept[page] = rows

    def missing(self, first: int, last: int) -> int | None:
        """Return the first page that rows `first` to `last` lack, or else one beside them that is lacking."""
        return next((page for page in self._wanted(first, last) if page not in self._kept), None)

    def place(self, session_id: int, near: int) -> int | None:
        """Return the index of a session, however far it is; None where it is not in the list."""
        index = self.find(session_id, near)
        if index is None and isinstance(self.provider, HasIds):
            ids = self.provider.ids()
            return ids.index(session_id) if session_id in ids else None
        return index

    def between(self, session_id: int, index: int) -> list[int] | None:
        """Return the ids from a session to the row at `index`, both too; None where one is unknown."""
        at = next((at for at, row in self._known() if row.id == session_id), None)
        if at is None:
            return None
        rows = [self.row(one) for one in range(min(at, index), max(at, index) + 1)]
        known = [row.id for row in rows if row is not None]
        return known if len(known) == len(rows) else None

    def _known(self) -> Iterable[tuple[int, SessionRow]]:
        for page in sorted(self._kept.keys()):
            yield from enumerate(self._kept[page], page * PAGE)

    def _wanted(self, first: int, last: int) -> Iterable[int]:
        low, high = first // PAGE, last // PAGE
        beside = (page for page in (high + 1, low - 1) if 0 <= page * PAGE < self.count)
        return [*range(low, high + 1), *beside] if self.count else ()

    def find(self, session_id: int, near: int) -> int | None:
        """Return the index of a session, asked of the provider or looked for in the pages around `near`."""
        if isinstance(self.provider, FindsSessions):
            return self.provider.index_of(session_id)
        around = near // PAGE
        for page in (around, around - 1, around + 1):
            if not 0 <= page * PAGE < self.count:
                continue
            rows = self._kept.get(page)
            if rows is None:
                rows = self.fetch(page)
                self.keep(page, rows)
            for inner, row in enumerate(rows):
                if row.id == session_id:
                    return page * PAGE + inner
        return None
