"""Selection: which sessions of a list are taken together, by their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


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
