"""Neighbours: which sessions stand beside one in the list it was opened from."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.conversations.store import Store
from turnwise.tui.widgets.pages import FindsSessions, SessionProvider


@dataclass(frozen=True, slots=True)
class Neighbours:
    """A session's place in a list: its index from 0, how many there are, the ids before and after it."""

    index: int
    count: int
    previous: int | None
    next: int | None


def neighbours_of(store: Store, sessions: SessionProvider | None, session_id: int) -> Neighbours | None:
    """Return a session's neighbours in a list, or in all sessions; None where the list has it no longer.

    Takes up to a tenth of a second for a hundred thousand sessions: call it from a thread.
    """
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
