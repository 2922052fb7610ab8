"""Marks in sight: whose scores are seen by who looks at a list of sessions."""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.conversations.store import SessionRow
from turnwise.tui.session_lists.session_list import SessionList
from turnwise.tui.shell.sights import Sights, looked_at


def remember_marks(listed: SessionList, sights: Sights, where: str, *, whole: bool) -> None:
    """Remember whose scores are seen in a list; below another screen nobody looks at it.

    Marks that are covered tell nothing, nor do those of metrics without a column. The session under the
    cursor is seen also without a column, as its metrics are named beside the list. where: as of `Sights.add`.
    whole: whether a short list is looked at as it stands, so that all of it is seen.
    """
    if not listed.screen.is_current:
        return
    current, in_sight = listed.current, frozenset(listed.metrics_in_sight)
    at_cursor: Iterable[SessionRow] = () if current is None else (current,)
    for row in looked_at(listed.count, listed.known_rows, current) if whole else at_cursor:
        shown = row is current or not in_sight.isdisjoint(row.marks)
        if shown and row.marks and not listed.hides(row):
            sights.add(row.id, where)
