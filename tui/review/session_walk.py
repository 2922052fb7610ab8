"""SessionWalk: going from session to session of the list that a review was opened from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from turnwise.tui.session_lists.stored_sessions import Neighbours


class SessionWalk:
    """Knows which sessions stand before and after the one that is read, as soon as that was looked up.

    Steps that are asked for before then are counted, and made one by one when it is known.
    """

    def __init__(self, read: Callable[[int], None], say: Callable[[str], None]) -> None:
        """read: begins to read the session of an id. say: says something in passing."""
        self._read = read
        self._say = say
        self._near: Neighbours | None = None
        self._looked_up = False
        """Whether that is known, be it that the session stands in no list."""
        self._here = 0
        """The session that the review was opened with, or that was gone to."""
        self._came_again: set[int] = set()
        """What was put off in a queue, and was gone to again: once, so that the queue has an end."""
        self._coming = ""
        """The place of the session that is gone to, as far as it is known before that was looked up."""
        self._to_go = 0
        """How many sessions to go on, or back where it is below 0, once it is known which those are."""
        self._to_open = False
        """Whether to go on to the session that a label leads to, once it is known which that is."""

    def begin(self, session_id: int) -> None:
        """Take which session the review is opened with; what was known of one shown ahead is forgotten."""
        self._near, self._here, self._coming = None, session_id, ""
        self._looked_up = False
        self._came_again.clear()

    @property
    def near(self) -> Neighbours | None:
        """What stands around the session that is read; None while that is not known."""
        return self._near

    @near.setter
    def near(self, near: Neighbours | None) -> None:
        if self._near is None and near is not None and near.is_put_off:
            self._came_again.add(self._here)
        self._near, self._looked_up = near, True

    @property
    def words(self) -> str:
        """The place of the session in its list, in words; empty while nothing is known of it."""
        return self.near.words if self.near is not None else self._coming

    @property
    def passes_by(self) -> bool:
        """Whether keys lead on from the session that is read, as soon as it is known where to."""
        return bool(self._to_go) or self._to_open

    def step(self, by: int) -> None:
        """Go to the next session for 1, to the one before for -1."""
        if (near := self.near) is None:
            if not self._looked_up:
                self._to_go += by
            return
        session_id, end = (near.next, "last") if by > 0 else (near.previous, "first")
        if session_id is None:
            self._to_go = 0
            self._say(f"This is the {end} session of the list.")
        else:
            # How much of a queue is done may be another by then.
            coming = "" if near.queue is not None else replace(near, index=near.index + by).words
            self.go_to(session_id, coming)

    def action_next_session(self) -> None:
        """Go to the next session of the list."""
        self.step(1)

    def action_previous_session(self) -> None:
        """Go to the session before."""
        self.step(-1)

    def go_on(self) -> bool:
        """Go where a label leads: to the next session of a list, in a queue to the next that is not done.

        In a queue what was put off comes again, once, after all that has no label. Return whether there is
        one; where that is not known yet, it is gone to as soon as it is.
        """
        if self.near is None:
            self._to_open = not self._looked_up
            return self._to_open
        again = (one for one in self.near.put_off if one not in self._came_again)
        following = self.near.following
        if following is None and (following := next(again, None)) is None:
            self._came_again.clear()
            return False
        self.go_to(following)
        return True

    def make_steps(self) -> bool:
        """Make the steps that were asked for while it was not known where they lead.

        Return whether a label led on, and there is nowhere to go.
        """
        steps, self._to_go = self._to_go, 0
        opens, self._to_open = self._to_open, False
        if opens:
            return not self.go_on()
        if steps and self.near is not None:
            way = 1 if steps > 0 else -1
            self._to_go = steps - way
            self.step(way)
        return False

    def go_to(self, session_id: int, coming: str = "") -> None:
        """Go to a session of the list. coming: its place in words, where that is known already."""
        self._near, self._here, self._coming = None, session_id, coming
        self._looked_up = False
        self._read(session_id)
