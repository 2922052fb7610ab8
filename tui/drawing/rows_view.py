"""RowsView: rows of any length list, a line each under a header, of which only those in sight are drawn."""

from __future__ import annotations

from functools import partial
from typing import Any, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.strip import Strip

from turnwise.tui.drawing.jump_places import JumpPlace
from turnwise.tui.drawing.lines import joined
from turnwise.tui.drawing.palette import component
from turnwise.tui.drawing.still import Keyless, StillView
from turnwise.tui.textual_internals.views import resize_without_layout

HEADER = 1
"""Lines of a header, which stays while the rows scroll."""


class RowsView(StillView, Keyless, inherit_bindings=False):
    """A cursor over rows, and a window that follows it. It has no keys: actions of screens aim at it.

    What the rows are and how they look is said by those who inherit: `count`, `cursor_moved` and
    `render_line`.
    """

    ALLOW_SELECT = False
    TONE_PREFIX: ClassVar[str] = ""
    """What stands before a tone's name in the component classes."""

    class OtherRows(Message):
        """Other rows are in sight, by whatever they came there."""

    def __init__(
        self,
        *,
        name: str | None = None,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._cursor = 0
        self._styles: dict[str, Style] = {}

    @property
    def count(self) -> int:
        """How many rows there are."""
        raise NotImplementedError

    def cursor_moved(self) -> None:
        """Do what goes with another row under the cursor; it may be the same one."""
        raise NotImplementedError

    @property
    def head(self) -> int:
        """How many lines stand over the rows."""
        return HEADER

    # The cursor

    @property
    def cursor(self) -> int:
        """The row the cursor is on, counted from 0."""
        return self._cursor

    def move_cursor(self, row: int) -> None:
        """Put the cursor on a row, counted from 0, and bring it into sight."""
        left, top = self._cursor, self.top
        self._cursor = max(0, min(row, self.count - 1))
        if self._cursor < top:
            self.scroll_to_row(self._cursor)
        elif self._cursor >= top + self.window:
            self.scroll_to_row(self._cursor - self.window + 1)
        if self.top == top:
            self.refresh_row(left)
        self.refresh_row(self._cursor)
        self.cursor_moved()

    def action_cursor_down(self) -> None:
        """Go to the next row."""
        self.move_cursor(self._cursor + 1)

    def action_cursor_up(self) -> None:
        """Go to the row before."""
        self.move_cursor(self._cursor - 1)

    def action_page_down(self) -> None:
        """Go one window down."""
        self.move_cursor(self._cursor + self.window)

    def action_page_up(self) -> None:
        """Go one window up."""
        self.move_cursor(self._cursor - self.window)

    def action_home(self) -> None:
        """Go to the first row."""
        self.move_cursor(0)

    def action_end(self) -> None:
        """Go to the last row."""
        self.move_cursor(self.count - 1)

    def jump_places(self) -> list[JumpPlace]:
        """Return the rows in sight that the cursor can be on."""
        return [
            JumpPlace(0, row - self.top + self.head, partial(self._jump, row))
            for row in self.in_sight
            if self.holds_cursor(row)
        ]

    def holds_cursor(self, row: int) -> bool:
        """Whether the cursor can be on a row: on each, unless a view has some that are only read."""
        return 0 <= row < self.count

    def _jump(self, row: int) -> None:
        self.move_cursor(row)
        self.focus()

    @property
    def cursor_offset(self) -> Offset:
        """Where on the screen the row under the cursor begins."""
        return self.content_region.offset + Offset(0, self.head + self._cursor - self.top)

    def row_at(self, event: events.MouseEvent) -> int | None:
        """Return the row that the mouse is on; None for the header and for what is below the last row."""
        offset = event.get_content_offset(self)
        if offset is None or offset.y < self.head:
            return None
        row = self.top + offset.y - self.head
        return row if row < self.count else None

    # The window

    @property
    def top(self) -> int:
        """The first row in sight, counted from 0."""
        return round(self.scroll_y)

    @property
    def window(self) -> int:
        """How many rows are in sight, at least one."""
        return max(1, self.size.height - self.head)

    @property
    def in_sight(self) -> range:
        """The rows in sight, counted from 0."""
        top = self.top
        return range(top, min(top + self.window, self.count))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Tell that other rows are in sight, however it was scrolled."""
        super().watch_scroll_y(old_value, new_value)
        self.tell_other_rows()

    def tell_other_rows(self) -> None:
        """Tell that other rows are in sight."""
        if self.is_mounted:
            self.post_message(self.OtherRows())

    def focus_lines(self) -> list[int]:
        """Return the line of the row under the cursor, where it is in sight."""
        line = self._cursor - self.top + self.head
        return [line] if self.head <= line < self.size.height else []

    def refresh_row(self, row: int) -> None:
        """Draw a row anew where it is in sight, and none beside it."""
        line = row - self.top + self.head
        if self.head <= line < self.size.height:
            self.refresh(Region(0, line, self.size.width, 1))

    def fit_scroll_bar(self) -> None:
        """Let the scroll bar, which always stands, know how many rows there are."""
        resize_without_layout(self, Size(self.size.width, self.count + self.head))

    def scroll_to_row(self, row: int) -> None:
        """Make a row the first in sight, as far as the window is full then."""
        self.scroll_y = self.scroll_target_y = max(0, min(row, self.count - self.window))

    def scroll_to(self, *args: Any, animate: bool = True, **options: Any) -> None:
        """Scroll at once: an animated scroll paints for a second."""
        super().scroll_to(*args, animate=False, **options)

    # Drawing

    def strip_of(self, segments: list[Segment], base: Style) -> Strip:
        """Return a line over the whole width, drawn over the style `base`."""
        return Strip(Segment.apply_style(joined(segments), base)).adjust_cell_length(self.size.width, base)

    def tone(self, name: str) -> Style:
        """Return the style of a component class under the theme of now, by its name without the prefix."""
        if name not in self._styles:
            self._styles[name] = component(self, f"{self.TONE_PREFIX}{name}")
        return self._styles[name]

    def notify_style_update(self) -> None:
        """Forget the styles of another theme."""
        super().notify_style_update()
        self._styles.clear()
