"""OverviewRows: the lines of the overview, with a cursor that goes to those that lead to sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip

from turnwise.tui.drawing.lines import BAR, BAR_AWAY
from turnwise.tui.drawing.lines_view import TONE_CLASSES, TONES_CSS
from turnwise.tui.drawing.rows_view import RowsView
from turnwise.tui.drawing.wrapping import ELLIPSIS, fit
from turnwise.tui.overview.overview_lines import OverviewLine

EDGES = 3
"""Cells beside the lines: the mark of the cursor, a gap, and the scroll bar."""
_DOT = " · "


class OverviewRows(RowsView, inherit_bindings=False):
    """Shows lines; its first line stays. Enter, or a second click, opens what the line leads to."""

    TONE_PREFIX = "lines--"
    COMPONENT_CLASSES: ClassVar[set[str]] = {*TONE_CLASSES, "lines--cursor"}
    DEFAULT_CSS = (
        """
    OverviewRows {
        height: 1fr;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        background: $background;
        color: $text;
        & .lines--cursor { background: $panel; }
    """
        + TONES_CSS
        + "}"
    )

    @dataclass
    class Chosen(Message):
        """What a line leads to is asked for."""

        line: OverviewLine

    def __init__(self) -> None:
        super().__init__()
        self._head = ""
        self._lines: Sequence[OverviewLine] = ()

    def show(self, head: str, lines: Sequence[OverviewLine]) -> None:
        """Show other lines under a head; a cursor that was moved stays on its line where there is one."""
        moved, query = bool(self._lines) and self.cursor != self._nearest(0, 1), self.chosen.query
        self._head, self._lines = head, lines
        self.fit_scroll_bar()
        self.refresh()
        same = (row for row, line in enumerate(lines) if query and line.query == query)
        row = min(same, key=lambda row: abs(row - self.cursor), default=self.cursor) if moved else 0
        self.move_cursor(self._nearest(row, 1))

    @property
    def count(self) -> int:
        """How many lines there are."""
        return len(self._lines)

    @property
    def chosen(self) -> OverviewLine:
        """The line under the cursor; it leads nowhere where there is none."""
        return self._lines[self.cursor] if self.cursor < len(self._lines) else OverviewLine()

    def cursor_moved(self) -> None:
        """Do nothing: nothing stands beside the lines."""

    def move_cursor(self, row: int) -> None:
        """Put the cursor on a line that leads somewhere, the next one in the direction it came from."""
        if not self._lines:
            # A key may come before anything is counted.
            return
        aim = max(0, min(row, self.count - 1))
        super().move_cursor(self._nearest(aim, 1 if aim >= self.cursor else -1))

    def _nearest(self, row: int, step: int) -> int:
        """Return the line that leads somewhere from a row on, first in one direction, then in the other."""
        ahead = range(row, self.count) if step > 0 else range(row, -1, -1)
        behind = range(row, -1, -1) if step > 0 else range(row, self.count)
        return next((one for one in (*ahead, *behind) if self.holds_cursor(one)), row)

    def holds_cursor(self, row: int) -> bool:
        """Whether a line leads somewhere; headings, notes and empty lines do not."""
        return super().holds_cursor(row) and self._lines[row].leads

    def show_part(self, title: str) -> None:
        """Bring a part into sight, with as many of its lines as have room: those up to the next empty one."""
        first = next((row for row, line in enumerate(self._lines) if line.text.startswith(title)), None)
        if first is not None:
            rest = enumerate(self._lines[first:], first)
            after = next((row for row, line in rest if not line.text), self.count)
            super().move_cursor(after - 1)
            super().move_cursor(first)
            self.move_cursor(first + 1)

    def on_click(self, event: events.Click) -> None:
        """Go to the line that is clicked; open it at the second click."""
        row = self.row_at(event)
        if row is None or not self.holds_cursor(row):
            return
        if row == self.cursor and event.chain > 1:
            self.post_message(self.Chosen(self._lines[row]))
        self.move_cursor(row)

    def render_line(self, y: int) -> Strip:
        """Draw the head, or the line that stands there."""
        base = self.base_style
        if y == 0:
            head = _first_parts(self._head, self.size.width - 2)
            return self.strip_of([Segment(" "), Segment(head, self.tone("muted"))], base)
        row = self.top + y - 1
        if row >= self.count:
            return self.strip_of([], base)
        line = self._lines[row]
        here = row == self.cursor and line.leads
        mark = (BAR if self.has_focus else BAR_AWAY) if here else " "
        segments = [Segment(mark, self.tone("bar"))]
        parts = [Segment(part.text, self.tone(part.meaning)) for part in line.parts]
        segments += _cut(parts, self.size.width - EDGES)
        behind = Style(bgcolor=self.tone("cursor").bgcolor) if here else Style.null()
        return self.strip_of(segments, base + behind)


def _cut(segments: list[Segment], room: int) -> list[Segment]:
    """Return segments in so many cells; where one is cut it ends with an ellipsis, and no other follows."""
    found: list[Segment] = []
    # What only fills a column up says nothing that could be cut.
    last = max((place for place, one in enumerate(segments) if one.text.strip()), default=-1)
    for place, one in enumerate(segments[: last + 1]):
        text = one.text.rstrip() if place == last else one.text
        if cell_len(text) > room or (room == cell_len(text) and place < last):
            return [*found, Segment(fit(f"{text}{ELLIPSIS}", room), one.style)]
        found.append(Segment(text, one.style))
        room -= cell_len(text)
    return found


def _first_parts(head: str, room: int) -> str:
    """Return the parts of a head that have room, from the first on: half a sum would be another one."""
    parts = head.split(_DOT)
    while len(parts) > 1 and cell_len(_DOT.join(parts)) > room:
        parts.pop()
    return fit(_DOT.join(parts), room)
