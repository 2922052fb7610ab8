"""RecordTable: rows of any length list, a line each under a header, drawn only where they are in sight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip

from turnwise.conversations.safe_text import make_safe_line
from turnwise.tui.drawing.lines import BAR, BAR_AWAY, on_own_ground
from turnwise.tui.drawing.lines_view import TONE_CLASSES, TONES_CSS
from turnwise.tui.drawing.rows_view import HEADER, RowsView
from turnwise.tui.drawing.wrapping import cut_in_the_middle, fit

MARGIN = 2
GAP = 2


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column.

    width: in cells; 0 for the one that takes what the others leave. right: it aligns right. keeps_end: what
    is too long is cut in its middle, as its end tells rows apart.
    """

    title: str
    width: int = 0
    right: bool = False
    keeps_end: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in a column of a row, and in which tone of LinesView."""

    text: str
    tone: str = "text"


def left_in(width: int, columns: int, taken: int) -> int:
    """Return the cells that columns leave of a table's width, where they take so many for what they hold.

    The gap after each, the margin and a scroll bar are no room.
    """
    return max(0, width - MARGIN - columns * GAP - 2 - taken)


LEAST_NAME = 6
"""So many cells the column has at least that takes what the others leave."""

Draw = Callable[[int], Sequence[Cell]]
"""Gives the cells of a row, counted from 0."""


class RecordTable(RowsView, inherit_bindings=False):
    """A table of which every row is at hand, and a cursor in it."""

    TONE_PREFIX = "lines--"
    COMPONENT_CLASSES: ClassVar[set[str]] = {*TONE_CLASSES, "lines--cursor"}
    DEFAULT_CSS = (
        """
    RecordTable {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
        background: $background;
        color: $text;
        & .lines--cursor { background: $panel; text-style: bold; }
    """
        + TONES_CSS
        + "}"
    )

    @dataclass
    class Highlighted(Message):
        """The cursor stands on another row, or the rows are others."""

        table: RecordTable

    @dataclass
    class Opened(Highlighted):
        """The row under the cursor was asked for."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._columns: Sequence[TableColumn] = ()
        self._draw: Draw = lambda row: ()
        self._count = 0

    @property
    def count(self) -> int:
        """How many rows there are."""
        return self._count

    def show(self, columns: Sequence[TableColumn], count: int, draw: Draw, *, cursor: int = 0) -> None:
        """Show other rows, with the cursor on one of them."""
        self._columns, self._draw, self._count = tuple(columns), draw, count
        self.fit_scroll_bar()
        self.refresh()
        self.move_cursor(cursor)

    def cursor_moved(self) -> None:
        """Tell of the row under the cursor."""
        self.post_message(self.Highlighted(self))

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self.fit_scroll_bar()
        self.move_cursor(self.cursor)

    # Drawing

    def render_line(self, y: int) -> Strip:
        """Draw the header or one row."""
        columns = self._fitted()
        if y < HEADER:
            titles = [Segment(" " * MARGIN)]
            for _, column in columns:
                text = fit(column.title, column.width, right=column.right)
                titles.append(Segment(text + " " * GAP, self.tone("muted")))
            return self.strip_of(titles, self.base_style)
        row = self.top + y - HEADER
        if row >= self.count:
            return Strip.blank(self.size.width, self.base_style)
        current = row == self.cursor
        bar = ("bar", BAR) if self.has_focus else ("muted", BAR_AWAY)
        segments = [Segment(f"{bar[1] if current else ' '} ", self.tone(bar[0]))]
        cells = self._draw(row)
        for place, column in columns:
            cell = cells[place]
            said = make_safe_line(cell.text)
            if column.keeps_end:
                said = cut_in_the_middle(said, column.width)
            text = fit(said, column.width, right=column.right)
            segments += on_own_ground(text + " " * GAP, self.tone(cell.tone))
        # Of two tables only the one that keys move in shows a row as the cursor's; in the other one it is
        # bold, as the rest of the screen may be about it.
        behind = self.tone("cursor") if current else Style.null()
        base = self.base_style + Style(bgcolor=behind.bgcolor if self.has_focus else None, bold=behind.bold)
        return self.strip_of(segments, base)

    def _fitted(self) -> list[tuple[int, TableColumn]]:
        """Return the columns that are shown, each with its place among all, and with a width.

        Where the one that takes what the others leave would have too little, as it names the rows, the
        last of the others are left out.
        """
        shown = list(enumerate(self._columns))
        while (left := self._left_by(shown)) < LEAST_NAME:
            last = next((one for one in reversed(shown[1:]) if one[1].width), None)
            if last is None or all(column.width for _, column in shown):
                break
            shown.remove(last)
        return [(place, column if column.width else replace(column, width=left)) for place, column in shown]

    def _left_by(self, columns: Sequence[tuple[int, TableColumn]]) -> int:
        room = self.scrollable_content_region.width - MARGIN
        return max(0, room - sum(column.width + GAP for _, column in columns) - 1)

    # The mouse

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the row; a second click opens it."""
        if (row := self.row_at(event)) is not None:
            self.move_cursor(row)
            if event.chain == 2:
                self.post_message(self.Opened(self))
