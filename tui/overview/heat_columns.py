"""HeatColumns: how wide the columns of the heat map are, and what stands over them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len

from turnwise.tui.drawing.wrapping import cut_apart, fit, wrap
from turnwise.tui.overview.overview_words import metric_words
from turnwise.tui.session_lists.metric_keys import metric_keys

LEAST_NAME = 20
CELL = 8
"""A mark, the score, and a block that is the darker the further the score is from 1, with gaps between."""
BEFORE_BLOCK, MOST_BLOCK = 7, 10
MOST_CELL = 29
"""Names of metrics that take more are cut, or take two lines."""
WIDE_NAME = 28
_SHARE_OF_NAME = 4
"""A session's name keeps so many cells, or this part of a wide window, where names of metrics take what is
left: those have two lines, a session's name one."""
MOST_NAME = 60
_BESIDE_NAME = 2
"""Cells behind a metric's name: for the arrow of what is sorted by, and a gap behind it."""


@dataclass(frozen=True, slots=True)
class HeatColumns:
    """How the metrics are laid out. first: the one that stands leftmost; shown: how many stand there.

    cells: of each metric, and one before them where the cursor stands; name: cells of a session's name.
    """

    metrics: Sequence[str]
    first: int
    shown: int
    cells: Sequence[int]
    name: int

    @classmethod
    def fitting(cls, metrics: Sequence[str], width: int, chosen: int) -> HeatColumns:
        """Lay out as many as leave the name its room, so that the chosen one is among them."""
        room = width - 2 - LEAST_NAME
        shown = min(len(metrics), max(1, room // (CELL + 1)))
        first = max(0, chosen - shown + 1)
        names = [metric_words(one) for one in metrics]
        whole, halved = ([_cells(cells(name)) for name in names] for cells in (cell_len, _halved_cells))
        left = width - 2 - max(WIDE_NAME, width // _SHARE_OF_NAME) - shown
        in_sight = slice(first, first + shown)
        cells = whole if sum(whole[in_sight]) <= left else _capped(halved, in_sight, left)
        name = max(1, min(MOST_NAME, width - 2 - shown - sum(cells[first : first + shown])))
        return cls(metrics, first, shown, cells, name)

    @property
    def block(self) -> int:
        """How long the block of a score is at most, the same in all columns: its length says nothing."""
        least = min(self.cells[self.first : self.first + self.shown], default=CELL)
        return max(1, min(MOST_BLOCK, least - BEFORE_BLOCK - 1))

    def letters(self) -> Mapping[str, str]:
        """Return by metric the letters that stand over its column; empty where there is room for names."""
        return metric_keys(self.metrics) if max(self.cells, default=CELL) == CELL else {}

    def heads(self) -> Sequence[tuple[str, str]]:
        """Return what stands over each metric, in an upper and a lower line, the upper mostly empty.

        It is the metric's name, its first words, or letters in small cells, and leaves the last cells free.
        """
        if letters := self.letters():
            return [("", one) for one in letters.values()]
        names = [metric_words(metric) for metric in self.metrics]
        rooms = [cell - _BESIDE_NAME for cell in self.cells]
        heads = [_in_two(name, room) for name, room in zip(names, rooms, strict=True)]
        if len(set(heads)) == len(names):
            return heads
        apart = cut_apart(names, min(rooms))
        return [("", fit(name, room).rstrip()) for name, room in zip(apart, rooms, strict=True)]


def _cells(name: int) -> int:
    return max(CELL, min(MOST_CELL, name + _BESIDE_NAME))


def _halved_cells(name: str) -> int:
    """Return the cells that a name takes in two lines, broken between words where that makes it narrowest."""
    words = name.split()
    halves = (
        max(cell_len(" ".join(words[:place])), cell_len(" ".join(words[place:])))
        for place in range(1, len(words))
    )
    return min(halves, default=cell_len(name))


def _capped(wanted: Sequence[int], in_sight: slice, room: int) -> Sequence[int]:
    """Return how wide each column is where those in sight have so much room: the widest give way first."""
    most = max(wanted, default=CELL)
    while most > CELL and sum(min(one, most) for one in wanted[in_sight]) > room:
        most -= 1
    return [min(one, most) for one in wanted]


def _in_two(name: str, cells: int) -> tuple[str, str]:
    """Return a name in one line or in two, and a mark where it has no room in these either."""
    if cell_len(name) <= cells:
        return "", name
    upper, *rest = wrap(name, cells)
    # A word that is broken would be read as two.
    if not name.startswith(f"{upper} "):
        return "", fit(name, cells).rstrip()
    lower = " ".join(rest)
    return upper, fit(lower, cells).rstrip()
