"""Selection: which sessions of a list are taken together, and the changes of tags that can be taken back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from turnwise.conversations.store import TagChange, TagTable
from turnwise.conversations.undo import ChangeHistory


class Selection:
    """A set of sessions, and the one from which a range goes. It stays when the list is filtered anew."""

    def __init__(self) -> None:
        self._ids: set[int] = set()
        self.anchor: int | None = None
        """The session that was toggled last."""

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, session_id: object) -> bool:
        return session_id in self._ids

    def toggle(self, session_id: int) -> bool:
        """Take a session, or leave it; return whether it is taken now."""
        self.anchor = session_id
        self._ids ^= {session_id}
        return session_id in self._ids

    def take(self, session_ids: Iterable[int]) -> None:
        """Take these sessions too."""
        self._ids.update(session_ids)

    def take_range(self, shown: Sequence[int], to: int) -> None:
        """Take all from the anchor to a session, both ends too, in the order of `shown`.

        Without an anchor that is shown, that one session.
        """
        first = self.anchor if self.anchor in shown else to
        low, high = sorted((shown.index(first), shown.index(to))) if first is not None else (0, -1)
        self._ids.update(shown[low : high + 1])
        self.anchor = to

    def clear(self) -> None:
        """Leave all."""
        self._ids.clear()
        self.anchor = None

    def in_order(self, shown: Sequence[int]) -> list[int]:
        """Return the sessions: those that are shown in their order, then the others."""
        first = [session for session in shown if session in self._ids]
        return [*first, *sorted(self._ids.difference(first))]


class TagHistory:
    """The changes of tags that were made in this sitting."""

    def __init__(self) -> None:
        self._history = ChangeHistory[TagChange]()

    def __bool__(self) -> bool:
        """Whether there is a change to take back."""
        return self._history.to_undo is not None

    def add(self, changes: Iterable[TagChange]) -> int:
        """Keep changes that were made, oldest first; return how many sessions they changed."""
        made = [change for change in changes if change.sessions]
        for change in made:
            self._history.make(change)
        return len({session for one in made for session, _ in (*one.given, *one.taken)})

    def undo(self, tags: TagTable) -> TagChange | None:
        """Take the last change back; return it, None where there is none. Raises a StoreError."""
        change = self._history.to_undo
        if change is None:
            return None
        undone = tags.undo(change)
        self._history.undo()
        return undone
