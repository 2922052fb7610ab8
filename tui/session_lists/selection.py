"""Selection: which sessions of a list are taken together."""

from __future__ import annotations

from collections.abc import Sequence

from turnwise.tui.session_lists.ids_when_asked import IdsWhenAsked

_AT_ONCE = 2_000


class Selection:
    """A set of sessions, and the one from which a range goes. It stays when the list is filtered anew."""

    def __init__(self) -> None:
        self._ids: set[int] = set()
        self._all: IdsWhenAsked | None = None
        """All of a list, of which it was not asked yet which they are."""
        self._left: set[int] = set()
        """Those of them that were left out again."""
        self._unlisted: set[int] = set()
        """Those that the list of now does not show."""
        self.anchor: int | None = None
        """The session that was toggled last."""

    def __len__(self) -> int:
        return len(self._ids) if self._all is None else len(self._all) - len(self._left)

    def __contains__(self, session_id: object) -> bool:
        """Whether a session is taken; asked for those of the list that is shown."""
        return session_id in self._ids if self._all is None else session_id not in self._left

    @property
    def unlisted(self) -> list[int]:
        """Those that the list does not show, as it was told last: only what it shows is taken or left."""
        return sorted(self._unlisted)

    @property
    def unlisted_count(self) -> int:
        """How many the list does not show."""
        return len(self._unlisted)

    def is_listed_by(self, shown: Sequence[int] | None) -> None:
        """Take which sessions the list shows from now on; None where it shows all. What is taken is settled.

        Where both are many it takes long enough to be done in a thread.
        """
        unlisted = set(self._ids) if shown is not None else set()
        for start in range(0, len(shown or ()), _AT_ONCE):
            # A part at a time: the app goes on between two of them.
            unlisted.difference_update((shown or ())[start : start + _AT_ONCE])
        # Meanwhile all may have been left.
        self._unlisted = unlisted & self._ids if unlisted else unlisted

    def toggle(self, session_id: int) -> bool:
        """Take a session, or leave it; return whether it is taken now."""
        self.anchor = session_id
        if self._all is None:
            self._ids ^= {session_id}
        else:
            self._left ^= {session_id}
        return session_id in self

    def take_all(self, shown: IdsWhenAsked) -> None:
        """Take all of a list too. Which they are is only read when it matters, unless some were taken before.

        Whoever shows another list, or this one as it is by now, calls `settle` first.
        """
        some = bool(self)
        self.settle()
        self._all = shown
        if some:
            self.settle()

    def read(self) -> None:
        """Read which sessions are taken, which may take a moment: in a thread."""
        if (shown := self._all) is not None:
            shown.read()

    def settle(self) -> None:
        """Hold to the sessions that are taken, whatever is listed from now on."""
        if self._all is not None:
            self._ids.update(self._all)
            self._ids -= self._left
            self._all, self._left = None, set()

    def take_range(self, shown: Sequence[int], to: int) -> None:
        """Take all from the anchor to a session, both ends too, in the order of `shown`.

        Without an anchor that is shown, that one session.
        """
        self.settle()
        first = self.anchor if self.anchor in shown else to
        low, high = sorted((shown.index(first), shown.index(to))) if first is not None else (0, -1)
        self._ids.update(shown[low : high + 1])
        self.anchor = to

    def clear(self) -> None:
        """Leave all."""
        self._ids.clear()
        self._left.clear()
        self._unlisted.clear()
        self._all = self.anchor = None

    def in_order(self, shown: Sequence[int]) -> list[int]:
        """Return the sessions: those that are shown in their order, then the others."""
        self.settle()
        first = [session for session in shown if session in self._ids]
        return [*first, *sorted(self._ids.difference(first))]
