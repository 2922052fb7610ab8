"""TurnsView: turns drawn line by line in a window over them; text can be selected with the mouse."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Offset, Region, Size
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget

from turnwise.conversations.store.rows import TurnRow
from turnwise.tui.widgets.drawn_transcript import DrawnTranscript
from turnwise.tui.widgets.finding import mark_found
from turnwise.tui.widgets.margin import Margin
from turnwise.tui.widgets.marks import TurnMarks
from turnwise.tui.widgets.palette import Palette, read_palette
from turnwise.tui.widgets.still_view import StillView
from turnwise.tui.widgets.transcript_selection import Lines, mark_selected, selected_text

HERE = Style(bold=True, underline=True)
"""What a match that was gone to has beyond the others."""
WIDEST_TEXT = 100
"""Cells: longer lines are hard to read, whatever room the terminal has."""


class TurnsView(StillView, inherit_bindings=False):
    """Draws turns with their margin, marks what is found in them, and keeps its place over a resize."""

    def __init__(
        self,
        rows: Iterable[TurnRow] = (),
        *,
        name: str | None = None,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._turns = DrawnTranscript(rows)
        self._verdicts: Mapping[int, TurnMarks] = {}
        self._margin = Margin.of(0, 0, {})
        self._palette: Palette | None = None
        self._base = Style.null()
        self._cursor = 0
        self._found: re.Pattern[str] | None = None
        self._found_at: tuple[int, int] | None = None
        """Turn and line of the match that was gone to."""
        self._settling = False
        self._window = 0
        """Lines: the window's height, as it was when the place was last settled for it."""

    @property
    def rows(self) -> Sequence[TurnRow]:
        """The messages that are drawn as turns of their own."""
        return [group.row for group in self._turns.groups]

    @property
    def last_number(self) -> int:
        """The number of the last turn that has one; 0 without any."""
        # They go up with the turns.
        return next(reversed(self._turns.by_number), 0)

    # Layout

    def _lay_out(self) -> None:
        """Take width, margin and styles as they are now; the place stays."""
        window = self.scrollable_content_region.width
        if not self.is_mounted or not window:
            return
        self._margin = Margin.of(self.last_number, window, self._verdicts)
        self._palette = read_palette(self)
        width = max(1, min(WIDEST_TEXT, window - self._margin.width - 1))
        if not self._turns.is_laid_out(width, self._palette):
            self._turns.lay_out(width, self._palette, self.size.height)
        self._go(self._turns.place.item, self._turns.place.line)

    def notify_style_update(self) -> None:
        """Draw anew where the theme changed what turns look like."""
        super().notify_style_update()
        if self._palette is not None and self.is_mounted and read_palette(self) != self._palette:
            self._lay_out()

    # Scrolling: the place decides, the scroll bar follows

    def _go(self, turn: int, line: int) -> None:
        self._turns.place.go(turn, line, self.size.height)
        self._settle()

    def _go_to_line(self, line: int) -> None:
        self._turns.place.go_to_line(line, self.size.height)
        self._settle()

    def _settle(self) -> None:
        if not self.is_mounted:
            return
        self._settling = True
        try:
            size = Size(self.size.width, self._turns.place.lines)
            if size != self.virtual_size:
                # Without a layout pass: the bar always stands, so no other widget moves.
                self.set_reactive(Widget.virtual_size, size)
                self._scroll_update(size)
            self.scroll_y = self.scroll_target_y = self._turns.place.top
        finally:
            self._settling = False
        self.refresh()

    def _in_sight(self, turn: int) -> bool:
        place = self._turns.place
        return place.item <= turn and place.heights.before(turn) < place.top + self._window

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Follow the wheel and the scroll bar; correct the line they asked for once heights are known."""
        if not self._settling and self.is_mounted and round(new_value) != self._turns.place.top:
            self._go_to_line(round(new_value))
        super().watch_scroll_y(old_value, self.scroll_y)

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
        """Draw one line of the window."""
        width = self.size.width
        absolute = self.scroll_offset.y + y
        if self._palette is None or absolute >= self._turns.place.lines:
            return Strip.blank(width, self._base)
        turn, line = self._turns.place.heights.at(absolute)
        lines = self._turns.draw(turn).lines
        text = lines[line] if line < len(lines) else []
        if self._found is not None and text:
            here = (turn, line) == self._found_at
            text = mark_found(text, self._found, self._palette.found + HERE if here else self._palette.found)
        number = Lines.encode(turn, line)
        selection = self.text_selection
        if selection is not None and (span := selection.get_span(number)) is not None:
            text = mark_selected(text, *span, self.screen.get_component_rich_style("screen--selection"))
        margin = self._margin.draw(
            self._turns.row(turn).number,
            first=line == 0,
            current=turn == self._cursor and line < len(lines),
            palette=self._palette,
            away=not self.has_focus,
        )
        strip = Strip(Segment.apply_style([*margin, *text], self._base)).adjust_cell_length(width, self._base)
        return strip.apply_offsets(-self._margin.width, number)

    # Selecting text with the mouse

    @property
    def allow_select(self) -> bool:
        """Text can be selected, though a scroll view counts as a container."""
        return True

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the selected text as it is drawn, without the margin."""
        start = selection.start or Offset(0, 0)
        end = selection.end or Offset(0, Lines.encode(self._turns.shown, 0))
        turns = self._turns
        return selected_text(start, end, turns.shown, lambda turn: turns.draw(turn).lines, turns.row), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Show what is selected, and let the line of keys say what can be done with it."""
        self.refresh()
        if self.is_attached:
            self.screen.refresh_bindings()
