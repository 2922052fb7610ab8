"""MarksInSight: whose scores are seen by who looks at a list of sessions."""

from __future__ import annotations

from functools import partial

from textual.timer import Timer

from turnwise.tui.session_lists.session_list import SessionList
from turnwise.tui.shell.sights import Sights

SECONDS_TO_READ = 0.5
"""What stands in a list for so long while a filter is typed was read."""


class MarksInSight:
    """Remembers them: whoever shows the list says when other rows or marks may be in sight."""

    def __init__(self, where: str) -> None:
        """where: as of `Sights.add`."""
        self._where = where
        self._reading: Timer | None = None

    def see(self, listed: SessionList, sights: Sights, *, typing: bool = False) -> None:
        """Remember whose marks are in sight.

        typing: whether a filter is being typed. Letter by letter there stands for a moment what nobody has
        time to read: such rows count once they have stood for a while, and the one under the cursor at once.
        """
        if self._reading is not None:
            self._reading.stop()
            self._reading = None
        _remember(listed, sights, self._where, whole=not typing)
        if typing:
            read = partial(_remember, listed, sights, self._where, whole=True)
            self._reading = listed.set_timer(SECONDS_TO_READ, read)


def _remember(listed: SessionList, sights: Sights, where: str, *, whole: bool) -> None:
    """Remember whose scores are seen in a list; below another screen nobody looks at it.

    Marks that are covered tell nothing, nor do those of metrics without a column. The session under the
    cursor is seen also without a column, as its metrics are named beside the list. whole: whether all rows
    in sight are looked at, and not only the one under the cursor.
    """
    if not listed.screen.is_current:
        return
    current, in_sight = listed.current, frozenset(listed.metrics_in_sight)
    if current is not None and current.marks and not listed.hides(current):
        sights.add(current.id, where)
    for row in listed.rows_in_sight() if whole else ():
        if row.id not in sights and not in_sight.isdisjoint(row.marks) and not listed.hides(row):
            sights.add(row.id, where)
