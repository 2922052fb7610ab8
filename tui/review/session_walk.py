"""SessionWalk: going from session to session of the list that a review was opened from."""

from __future__ import annotations

from collections.abc import Callable

from turnwise.tui.session_lists.stored_sessions import Neighbours


class SessionWalk:
    """Knows which sessions stand before and after the one that is read, as soon as that was looked up.

    Steps that are asked for before then are counted, and made one by one when it is known.
    """

    def __init__(self, read: Callable[[int], None], say: Callable[[str], None]) -> None:
        """read: begins to read the session of an id. say: says something in passing."""
        self._read = read
        self._say = say
        self.near: Neighbours | None = None
        """What stands around the session that is read; None while that is not known."""
        self._to_go = 0
        """How many sessions to go on, or back where it is below 0, once it is known which those are."""

    def step(self, by: int) -> None:
        """Go to the next session for 1, to the one before for -1."""
        if self.near is None:
            self._to_go += by
        elif by > 0:
            self.go_on("This is the last session of the list.")
        else:
            self._go_to(self.near.previous, "This is the first session of the list.")

    def go_on(self, otherwise: str) -> bool:
        """Go to the next session, if it is known; return whether there is one. otherwise: said where not."""
        return self.near is not None and self._go_to(self.near.next, otherwise)

    def make_steps(self) -> None:
        """Make the steps that were asked for while it was not known where they lead."""
        steps, self._to_go = self._to_go, 0
        if steps and self.near is not None:
            way = 1 if steps > 0 else -1
            self._to_go = steps - way
            self.step(way)

    def _go_to(self, session_id: int | None, otherwise: str) -> bool:
        if session_id is None:
            self._to_go = 0
            self._say(otherwise)
            return False
        self.near = None
        self._read(session_id)
        return True
