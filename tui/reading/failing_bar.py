"""The failing bar: the scroll bar of a transcript, with a mark where turns have a verdict that failed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence

from rich.segment import Segment
from rich.style import Style

from turnwise.tui.drawing.line_bar import LineBar
from turnwise.tui.drawing.virtual_scroll import WindowPlace

MARK = "━"
"""Stands where turns fail: no sign of an outcome, which would be read as that of the turn beside it."""

MOST_MARKED = 256
"""So many cells with a mark are kept for the frames to come: more than a bar has, on all of its grounds."""


def marks_in_bar(place: WindowPlace, failing: Sequence[int], rows: int) -> dict[int, int]:
    """Return for each row of a bar with a failing turn in its part of the transcript the first of them.

    failing: turns in order. It looks at the rows, not at the turns, of which there may be ten thousand.
    """
    marks: dict[int, int] = {}
    if not failing:
        return marks
    # A transcript that fills no window has its marks beside its turns.
    lines = max(place.lines, rows)
    first = 0
    for row in range(rows):
        after = _first_turn(place, (row + 1) * lines // rows)
        at = bisect_left(failing, first)
        if at < len(failing) and failing[at] < after:
            marks[row] = failing[at]
        first = after
    return marks


def _first_turn(place: WindowPlace, line: int) -> int:
    """Return the first turn that begins at a line or after it."""
    if line >= place.lines:
        return place.shown
    turn, inner = place.heights.at(line)
    return turn + (inner > 0)


class BarMarks:
    """The marks of a bar, found once for all frames that show the same."""

    def __init__(self) -> None:
        self._marks: Mapping[int, int] = {}
        self._found_for: tuple[int, ...] = ()
        self._made_from: object = None

    def of(
        self, place: WindowPlace, failing: Sequence[int], rows: int, *, made_from: object
    ) -> Mapping[int, int]:
        """Return what `marks_in_bar` says. made_from: another object wherever what fails may be another."""
        found_for = rows, place.lines, place.shown
        if found_for != self._found_for or made_from is not self._made_from:
            self._found_for, self._made_from = found_for, made_from
            self._marks = marks_in_bar(place, failing, rows)
        return self._marks


def marked_cell(cell: Segment, turn: int, style: Style) -> Segment:
    """Return a cell of a bar with a mark in it, on which a click goes to a turn."""
    ground = cell.style or Style.null()
    go = Style(meta={"@mouse.down": f"go_to({turn})"})
    if not (ground.reverse or cell.text.strip()):
        return Segment(MARK, Style(bgcolor=ground.bgcolor) + style + go)
    # The handle is drawn in its colour the other way round; the terminal's own has no name.
    if ground.color is None or ground.color.is_default:
        return Segment(MARK, style + Style(reverse=True) + go)
    return Segment(MARK, Style(bgcolor=ground.color) + style + go)


def failing_bar(
    marks: Callable[[int], Mapping[int, int]], style: Callable[[], Style], go: Callable[[int], None]
) -> LineBar:
    """Return a scroll bar whose marks lead to failing turns.

    marks: gives them for a bar of so many rows. style: theirs. go: goes to a turn.
    """

    marked: dict[tuple[int, int], tuple[Segment, Style, Segment]] = {}

    def mark(cells: list[Segment]) -> list[Segment]:
        ink = style()
        for row, turn in marks(len(cells)).items():
            cell = cells[row]
            known = marked.get((id(cell), turn))
            if known is None or known[0] is not cell or known[1] != ink:
                known = marked[id(cell), turn] = cell, ink, marked_cell(cell, turn, ink)
                if len(marked) > MOST_MARKED:
                    del marked[next(iter(marked))]
            cells[row] = known[2]
        return cells

    return LineBar(mark, go)
