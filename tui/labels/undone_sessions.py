"""UndoneSessions: where changes were undone in this review, so that a redo goes through them all in turn."""

from __future__ import annotations

from turnwise.engine.people.labelling import LabelStep


class UndoneSessions:
    """Knows of which sessions changes were undone, and in which order; a new change ends that."""

    def __init__(self) -> None:
        self._order: list[int] = []
        """A session for each change that was undone and not made again, the one undone last at the end."""
        self._stepped_in: int | None = None
        """The session that an undo or a redo was made in last."""

    def take(self, session_id: int, step: LabelStep) -> None:
        """Take that a change was made, undone or made again in a session."""
        if step == "":
            self._order.clear()
            return
        self._stepped_in = session_id
        if step == "undo":
            self._order.append(session_id)
        elif session_id in self._order:
            self._order.reverse()
            self._order.remove(session_id)
            self._order.reverse()

    def leads_to(self, session_id: int, *, can_redo: bool) -> int | None:
        """Return which session a redo is to be made in; None where that is the one that is read.

        can_redo: whether something was undone in the one that is read. Whoever went there by themselves has
        that made again first, as its line offers.
        """
        if not self._order or (can_redo and session_id != self._stepped_in):
            return None
        last = self._order[-1]
        return None if last == session_id else last
