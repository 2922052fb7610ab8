"""RecordTable: rows of any length list, a line each under a header, drawn only where they are in sight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from turnwise.tui.widgets.jump_places import JumpPlace
from turnwise.tui.widgets.lines_view import TONE_CLASSES, TONES_CSS
from turnwise.tui.widgets.margin import BAR, BAR_AWAY
from turnwise.tui.widgets.palette import component
from turnwise.tui.widgets.safe_text import make_safe_line
from turnwise.tui.widgets.still_view import StillView
from turnwise.tui.widgets.wrapping import fit

HEADER = 1
"""Lines of the header, which stays while the rows scroll."""
MARGIN = 2
GAP = 2


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column. width: in cells; 0 for the one that takes what the others leave. right: it aligns right."""

    title: str
    width: int = 0
    right: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in a column of a row, and in which tone of LinesView."""

    text: str
    tone: str = "text"


Draw = Callable[[int], Sequence[Cell]]
"""Gives the cells of a row, counted from 0."""


class RecordTable(StillView, inherit_bindings=False):
    """A table with a cursor. It has no keys: screens bind its actions."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {*TONE_CLASSES, "records--cursor"}
    DEFAULT_CSS = (
        """
    RecordTable {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
        background: $background;
        color: $text;
        & .records--cursor { background: $panel; text-style: bold; }
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
        self._styles: dict[str, Style] = {}
        self._base = Style.null()
        self.count = 0
        """How many rows there are."""
        self.cursor = 0
        """The row the cursor is on, counted from 0."""

    def show(self, columns: Sequence[TableColumn], count: int, draw: Draw, *, cursor: int = 0) -> None:
        """Show other rows, with the cursor on one of them."""
        self._columns, self._draw, self.count = tuple(columns), draw, count
        self._resize()
        self.move_cursor(cursor)

    def move_cursor(self, row: int) -> None:
        """Put the cursor on a row, counted from 0, and bring it into sight."""
        self.cursor = max(0, min(row, self.count - 1))
        top = round(self.scroll_y)
        if self.cursor < top:
            self._scroll_to_row(self.cursor)
        elif self.cursor >= top + self._window:
            self._scroll_to_row(self.cursor - self._window + 1)
        self.refresh()
        self.post_message(self.Highlighted(self))

    def action_cursor_down(self) -> None:
        """Go to the next row."""
        self.move_cursor(self.cursor + 1)

    def action_cursor_up(self) -> None:
        """Go to the row before."""
        self.move_cursor(self.cursor - 1)

    def action_page_down(self) -> None:
        """Go one window down."""
        self.move_cursor(self.cursor + self._window)

    def action_page_up(self) -> None:
        """Go one window up."""
        self.move_cursor(self.cursor - self._window)

    def action_home(self) -> None:
        """Go to the first row."""
        self.move_cursor(0)

    def action_end(self) -> None:
        """Go to the last row."""
        self.move_cursor(self.count - 1)

    def jump_places(self) -> list[JumpPlace]:
        """Return the rows in sight."""
        top = round(self.scroll_y)
        last = min(top + self._window, self.count)
        return [JumpPlace(0, row - top + HEADER, partial(self._jump, row)) for row in range(top, last)]

    def _jump(self, row: int) -> None:
        self.move_cursor(row)
        self.focus()

    # Layout and scrolling

    @property
    def _window(self) -> int:
        return max(1, self.size.height - HEADER)

    def on_resize(self) -> None:
        """Keep the cursor in sight."""
        self._resize()
        self.move_cursor(self.cursor)

    def _resize(self) -> None:
        size = Size(self.size.width, self.count + HEADER)
        if size != self.virtual_size:
            # Without a layout pass: the bar always stands, so no other widget moves.
            self.set_reactive(Widget.virtual_size, size)
            self._scroll_update(size)

    def _scroll_to_row(self, row: int) -> None:
        self.scroll_y = self.scroll_target_y = max(0, min(row, self.count - self._window))

    def scroll_to(self, *args: Any, animate: bool = True, **options: Any) -> None:
        """Scroll at once: an animated scroll paints for a second."""
        super().scroll_to(*args, animate=False, **options)

    # Drawing

    def render_lines(self, crop: Region) -> list[Strip]:
        """Draw the lines of the window that have changed."""
        # Once a frame: what a style inherits takes longer to find out than a line takes to draw.
        self._base = self.rich_style
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """Draw the header or one row."""
        columns = self._fitted()
        if y < HEADER:
            titles = [Segment(" " * MARGIN)]
            for column in columns:
                text = fit(column.title, column.width, right=column.right)
                titles.append(Segment(text + " " * GAP, self._style("lines--muted")))
            return self._strip(titles, self._base)
        row = round(self.scroll_y) + y - HEADER
        if row >= self.count:
            return Strip.blank(self.size.width, self._base)
        current = row == self.cursor
        bar = ("lines--bar", BAR) if self.has_focus else ("lines--muted", BAR_AWAY)
        segments = [Segment(f"{bar[1] if current else ' '} ", self._style(bar[0]))]
        for column, cell in zip(columns, self._draw(row), strict=True):
            text = fit(make_safe_line(cell.text), column.width, right=column.right)
            segments.append(Segment(text + " " * GAP, self._style(f"lines--{cell.tone}")))
        behind = self._style("records--cursor") if current else Style.null()
        base = self._base + Style(bgcolor=behind.bgcolor, bold=behind.bold)
        return self._strip(segments, base)

    def _strip(self, segments: list[Segment], base: Style) -> Strip:
        return Strip(Segment.apply_style(segments, base)).adjust_cell_length(self.size.width, base)

    def _fitted(self) -> list[TableColumn]:
        room = self.scrollable_content_region.width - MARGIN
        taken = sum(column.width + GAP for column in self._columns)
        left = max(0, room - taken - 1)
        return [column if column.width else replace(column, width=left) for column in self._columns]

    def _style(self, name: str) -> Style:
        if name not in self._styles:
            self._styles[name] = component(self, name)
        return self._styles[name]

    def notify_style_update(self) -> None:
        """Forget the styles of another theme."""
        super().notify_style_update()
        self._styles.clear()

    # The mouse

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the row; a second click opens it."""
        offset = event.get_content_offset(self)
        if offset is None or offset.y < HEADER:
            return
        row = round(self.scroll_y) + offset.y - HEADER
        if row < self.count:
            self.move_cursor(row)
            if event.chain == 2:
                self.post_message(self.Opened(self))
