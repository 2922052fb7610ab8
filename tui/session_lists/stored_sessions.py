"""Where lists of sessions get their rows, and which sessions stand beside one in such a list.

A list is all of a database, what a filter found, or a queue.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from threading import get_ident
from typing import TYPE_CHECKING

from turnwise.conversations.store import SessionRow, Store
from turnwise.tui.drawing.bars import progress
from turnwise.tui.session_lists.pages import FindsSessions, SessionProvider
from turnwise.tui.shell.kept_finding import KeptFinding

if TYPE_CHECKING:
    from turnwise.conversations.store import QueueItem, QueueRow

BAR_CELLS = 10
"""How wide the bar is that shows how much of a queue is done."""


class AllSessions:
    """All sessions, newest import first."""

    known_as: Hashable = "all"

    def __init__(self, store: Store) -> None:
        self._store = store
        self._counted = KeptFinding[int]()

    def ids(self) -> list[int]:
        """Return the ids of all of them."""
        return self._store.sessions.ids()

    def count(self) -> int:
        """Return how many sessions there are; they are counted again once anything was written."""
        # What tells that is another in each thread.
        stood = get_ident(), self._store.growing.revision()
        if (count := self._counted.of(stood)) is None:
            count = self._store.sessions.count()
            self._counted.keep(stood, count)
        return count

    def page(self, offset: int, limit: int) -> Sequence[SessionRow]:
        """Return a page of them."""
        return self._store.sessions.page("", offset, limit)


class FoundSessions:
    """The sessions that a query found when it was asked, so that they stay while they are judged.

    The query is answered once: pages of a slow search cost no more than those of a fast one.
    """

    known_as: Hashable = None

    def __init__(
        self,
        store: Store,
        session_ids: Iterable[int],
        *,
        covered: frozenset[int] | None = None,
        tells_scores: bool = False,
    ) -> None:
        """covered: the sessions that were covered then; None where that changed nothing in what was found.

        tells_scores: whether it was listed beside each what judge and people said of it.
        """
        self.tells_scores = tells_scores
        self._store = store
        self._ids = array("q", session_ids)
        self.covered = covered

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


class SessionsBeside:
    """Gives the sessions that a screen lists as a list to read them in, one list for as long as they stay."""

    def __init__(self) -> None:
        self._listed: Sequence[object] | None = None
        self._found: FoundSessions | None = None

    def of(self, listed: Sequence[object], find: Callable[[], FoundSessions]) -> FoundSessions:
        """Return that list. listed: what is shown, another object once it changes. find: makes the list."""
        if self._found is None or self._listed is not listed:
            self._listed, self._found = listed, find()
        return self._found


class QueueSessions:
    """The sessions of a review queue, in its order; where people are named for them, those of one person."""

    def __init__(self, store: Store, queue: QueueRow, author: str = "") -> None:
        """author: whose; all of them where that person is named for none, or without a name."""
        self._store = store
        self.queue = queue
        self.author = author
        self._found = FoundSessions(store, ())
        self.items()

    def items(self) -> list[QueueItem]:
        """Return the items, with which of them are done by now; a queue that draws has drawn on then."""
        from turnwise.engine.people.next_labels import draw_ahead

        draw_ahead(self._store, self.queue)
        found = self._store.queues.items(self.queue.id, self.author)
        self._found = FoundSessions(self._store, (item.session_id for item in found))
        return found

    def ids(self) -> list[int]:
        """Return the ids of all of them."""
        return self._found.ids()

    def count(self) -> int:
        """Return how many there are."""
        return self._found.count()

    def page(self, offset: int, limit: int) -> Sequence[SessionRow]:
        """Return a page of them."""
        return self._found.page(offset, limit)

    def index_of(self, session_id: int) -> int | None:
        """Return where a session stands."""
        return self._found.index_of(session_id)

    def next_to_review(self) -> int | None:
        """Return the first session that is not done, what was put off last; None where all are."""
        item = self._store.queues.next(self.queue.id, self.author)
        return item.session_id if item is not None else None


def settles_disputes(sessions: SessionProvider | None) -> bool:
    """Whether a list is a queue of sessions that people see differently, where a label settles that."""
    return isinstance(sessions, QueueSessions) and sessions.queue.sampler == "disputed"


def tells_scores(sessions: SessionProvider | None) -> bool:
    """Whether a list says of each session what judge and people said, so that to hide it would be in vain."""
    return isinstance(sessions, FoundSessions) and sessions.tells_scores


def was_found_by_outcome(sessions: SessionProvider | None, session_id: int) -> bool:
    """Whether a session was found or sorted by how it came out, so that its place in the list says that."""
    if not isinstance(sessions, FoundSessions) or sessions.covered is None:
        return False
    return session_id not in sessions.covered


@dataclass(frozen=True, slots=True)
class Neighbours:
    """A session's place in a list: its index from 0, how many there are, the ids before and after it.

    queue: the name of the review queue that the list is; None for any other list. done: how many of the queue
    were passed or failed. open: of a queue, the next session without a label, from its beginning again after
    its end. put_off: of a queue, the others that were put off, in that order too. is_put_off: whether this
    one was.
    """

    index: int
    count: int
    previous: int | None
    next: int | None
    queue: str | None = None
    done: int = 0
    open: int | None = None
    put_off: tuple[int, ...] = ()
    is_put_off: bool = False

    @property
    def words(self) -> str:
        """Return the place as people say it, and how much of a queue is done, with a bar."""
        if self.queue is None:
            return f"{self.index + 1:,} of {self.count:,}"
        done = f"all {self.count:,} done" if self.is_done else f"{self.done:,} of {self.count:,} done"
        off = len(self.put_off) + self.is_put_off
        told = f"{done}, {off:,} put off" if off else done
        return f"no. {self.index + 1:,} · {told} {progress(self.done / self.count, BAR_CELLS)}"

    @property
    def is_done(self) -> bool:
        """Whether it is a queue, and each session of it was passed or failed."""
        return self.queue is not None and self.done == self.count

    @property
    def following(self) -> int | None:
        """The session that a label leads to: the next one, of a queue the next without a label.

        What was put off comes after these; `SessionWalk` knows which of it has come again.
        """
        return self.next if self.queue is None else self.open


def neighbours_of(store: Store, sessions: SessionProvider | None, session_id: int) -> Neighbours | None:
    """Return a session's neighbours in a list, or in all sessions; None where the list has it no longer.

    Takes a few milliseconds for a hundred thousand sessions: call it from a thread.
    """
    if isinstance(sessions, QueueSessions):
        return _in_queue(sessions, session_id)
    if isinstance(sessions, FindsSessions):
        index = sessions.index_of(session_id)
        if index is None:
            return None
        first = max(0, index - 1)
        ids = [row.id for row in sessions.page(first, index - first + 2)]
        at, count = index - first, sessions.count()
    else:
        place = store.sessions.place(session_id)
        if place is None:
            return None
        return Neighbours(place.index, place.count, place.previous, place.next)
    return Neighbours(index, count, ids[at - 1] if at else None, ids[at + 1] if at + 1 < len(ids) else None)


def _in_queue(sessions: QueueSessions, session_id: int) -> Neighbours | None:
    items = sessions.items()
    ids = [item.session_id for item in items]
    if session_id not in ids:
        return None
    at = ids.index(session_id)
    later = [item for item in (*items[at + 1 :], *items[:at]) if not item.done]
    return Neighbours(
        at,
        len(ids),
        ids[at - 1] if at else None,
        ids[at + 1] if at + 1 < len(ids) else None,
        sessions.queue.name,
        sum(item.done for item in items),
        next((item.session_id for item in later if not item.put_off), None),
        tuple(item.session_id for item in later if item.put_off),
        items[at].put_off,
    )
