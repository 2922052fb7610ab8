"""Where lists of sessions get their rows: all of a database, those that a filter found, those of a queue."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence

from turnwise.conversations.store import Store
from turnwise.conversations.store.review_queues import QueueRow
from turnwise.conversations.store.rows import SessionRow


class AllSessions:
    """All sessions, newest import first."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def ids(self) -> list[int]:
        """Return the ids of all of them."""
        return self._store.sessions.ids()

    def count(self) -> int:
        """Return how many sessions there are."""
        return self._store.sessions.count()

    def page(self, offset: int, limit: int) -> Sequence[SessionRow]:
        """Return a page of them."""
        return self._store.sessions.page("", offset, limit)


class FoundSessions:
    """The sessions that a query found when it was asked, so that they stay while they are judged.

    The query is answered once: pages of a slow search cost no more than those of a fast one.
    """

    def __init__(self, store: Store, session_ids: Iterable[int]) -> None:
        self._store = store
        self._ids = array("q", session_ids)

    def ids(self) -> list[int]:
        """Return the ids of all of them."""
        return list(self._ids)

    def count(self) -> int:
        """Return how many there are."""
        return len(self._ids)

    def page(self, offset: int, limit: int) -> Sequence[SessionRow]:
        """Return a page of them."""
        return self._store.sessions.rows(self._ids[offset : offset + limit])

    def index_of(self, session_id: int) -> int | None:
        """Return where a session stands."""
        try:
            return self._ids.index(session_id)
        except ValueError:
            return None


class QueueSessions(FoundSessions):
    """The sessions of a review queue, in its order."""

    def __init__(self, store: Store, queue: QueueRow) -> None:
        super().__init__(store, (item.session_id for item in store.queues.items(queue.id)))
        self.queue = queue
