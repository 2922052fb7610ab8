"""Folding: which columns say the same of every session that was seen, and leave their room to the others."""

from __future__ import annotations

from collections.abc import Iterable

from rich.cells import cell_len

from turnwise.conversations.store import SessionRow
from turnwise.tui.session_lists.session_columns import COLUMNS


class SeenValues:
    """What the sessions that came into sight say in each column.

    A column is folded away while all of them say the same there; a metric while none of them was judged by
    it. What stands unfolded stays so while one scrolls.
    """

    def __init__(self) -> None:
        self._first: dict[str, str] = {}
        self._differing: set[str] = set()
        self._several = False
        self.judged_by: set[str] = set()
        """The metrics with an outcome that was not skipped."""
        self.widest: dict[str, int] = {}
        """How many characters the longest value of each fact has."""
        self.not_numbers: set[str] = set()
        """The facts of which some value is no number."""
        self.longest: dict[str, int] = {}
        """How many cells the longest text has of each kind of column that grows, names among them."""
        self.largest_id = 0

    def see(self, rows: Iterable[SessionRow]) -> None:
        """Look at these sessions too."""
        kinds = {kind: one.value for kind, one in COLUMNS.items() if one.value}
        growing = {kind: one.text for kind, one in COLUMNS.items() if one.most or kind == "name"}
        for row in rows:
            self._several = self._several or bool(self._first)
            self.largest_id = max(self.largest_id, row.id)
            self.judged_by.update(metric for metric, mark in row.marks.items() if mark.outcome != "skipped")
            for kind, value in kinds.items():
                if kind not in self._differing and self._first.setdefault(kind, value(row)) != value(row):
                    self._differing.add(kind)
            for kind, text in growing.items():
                self.longest[kind] = max(self.longest.get(kind, 0), cell_len(text(row, 0.0)))
            for name, told in row.told.items():
                self.widest[name] = max(self.widest.get(name, 0), len(told))
                if not _is_number(told):
                    self.not_numbers.add(name)

    @property
    def so_far(self) -> tuple[object, ...]:
        """What columns are chosen by, as it is now: equal to an earlier one where nothing new was seen."""
        return self.folded, frozenset(self.judged_by), dict(self.widest), dict(self.longest)

    @property
    def folded(self) -> frozenset[str]:
        """The kinds of columns that tell nothing: all say the same, or the only session says nothing."""
        return frozenset(
            kind
            for kind, value in self._first.items()
            if kind not in self._differing and (self._several or not value)
        )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
