"""Neighbours: which sessions stand beside one in the list it was opened from."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.conversations.store import Store
from turnwise.tui.stored_sessions import QueueSessions
from turnwise.tui.widgets.pages import FindsSessions, SessionProvider


@dataclass(frozen=True, slots=True)
class Neighbours:
    """A session's place in a list: its index from 0, how many there are, the ids before and after it."""

    index: int
    count: int
    previous: int | None
    next: int | None

    @property
    def words(self) -> str:
        """Return the place as people say it."""
        return f"{self.index + 1:,} of {self.count:,}"


@dataclass(frozen=True, slots=True)
class QueueNeighbours(Neighbours):
    """A session's place in a review queue. queue: its name; done: how many of it got a label."""

    queue: str = ""
    done: int = 0

    @property
    def words(self) -> str:
        """Return the place, and how much of the queue is done."""
        done = "all done" if self.done == self.count else f"{self.done:,} done"
        return f"{self.index + 1:,} of {self.count:,} · {done}"


def neighbours_of(store: Store, sessions: SessionProvider | None, session_id: int) -> Neighbours | None:
    """Return a session's neighbours in a list, or in all sessions; None where the list has it no longer.

    Takes up to a tenth of a second for a hundred thousand sessions: call it from a thread.
    """
    if isinstance(sessions, QueueSessions):
        return _in_queue(store, sessions, session_id)
    if isinstance(sessions, FindsSessions):
        index = sessions.index_of(session_id)
        if index is None:
            return None
        first = max(0, index - 1)
        ids = [row.id for row in sessions.page(first, index - first + 2)]
        at, count = index - first, sessions.count()
    else:
        ids = store.sessions.ids()
        if session_id not in ids:
            return None
        index = at = ids.index(session_id)
        count = len(ids)
    return Neighbours(index, count, ids[at - 1] if at else None, ids[at + 1] if at + 1 < len(ids) else None)


def _in_queue(store: Store, sessions: QueueSessions, session_id: int) -> QueueNeighbours | None:
    items = store.queues.items(sessions.queue.id)
    ids = [item.session_id for item in items]
    if session_id not in ids:
        return None
    at = ids.index(session_id)
    return QueueNeighbours(
        at,
        len(ids),
        ids[at - 1] if at else None,
        ids[at + 1] if at + 1 < len(ids) else None,
        sessions.queue.name,
        sum(item.done for item in items),
    )
