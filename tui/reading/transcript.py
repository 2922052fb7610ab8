"""TranscriptView: a conversation of any length, of which only the turns in sight are ever drawn."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from rich.style import Style
from textual import events
from textual.geometry import Offset, Size
from textual.message import Message
from textual.scrollbar import ScrollBar
from textual.selection import Selection
from textual.strip import Strip

from turnwise.conversations.patterns import WrittenPattern
from turnwise.conversations.store import TurnRow
from turnwise.tui.drawing.drawing_ahead import DrawingAhead
from turnwise.tui.drawing.jump_places import JumpPlace
from turnwise.tui.drawing.kept_strips import KeptStrips
from turnwise.tui.drawing.lines import mark_selected
from turnwise.tui.drawing.palette import COMPONENT_CLASSES, Palette, palette_css, read_palette
from turnwise.tui.drawing.still import Keyless, StillView
from turnwise.tui.reading.drawn_transcript import DrawnTranscript, line_number
from turnwise.tui.reading.failing_bar import BarMarks, failing_bar
from turnwise.tui.reading.found_lines import FoundLines
from turnwise.tui.reading.margin import Margin, MarginedLine, TurnMarks, failing
from turnwise.tui.reading.near_turns import turns_ahead, turns_in_sight
from turnwise.tui.reading.quoted_lines import QuoteMarks
from turnwise.tui.reading.transcript_window import TranscriptWindow
from turnwise.tui.textual_internals.views import own_scroll_bar, resize_without_layout

WIDEST_TEXT = 100
"""Cells: longer lines are hard to read, whatever room the terminal has."""
FREE = 3
"""Cells that may stay free beside a text, with its ground going on over them."""
EVERYWHERE = 1 << 16
"""Cells: wider than any window."""


class TranscriptView(StillView, Keyless, inherit_bindings=False):
    """Draws turns line by line. It has a cursor, which is a turn, and no keys: screens bind its actions."""

    COMPONENT_CLASSES: ClassVar[set[str]] = COMPONENT_CLASSES
    DEFAULT_CSS = """
    TranscriptView {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
        background: $background;
        color: $text;
    }
    """ + palette_css("TranscriptView")

    @dataclass
    class CursorMoved(Message):
        """The cursor stands on another turn, or another conversation is shown."""

        view: TranscriptView
        row: TurnRow

        @property
        def control(self) -> TranscriptView:
            """The view that sent it."""
            return self.view

    @dataclass
    class MarkChosen(Message):
        """The mark of a verdict was clicked: that of the metric with this letter, about this turn."""

        number: int
        letter: str

    @dataclass
    class MarginChanged(Message):
        """Other verdicts stand beside the turns, or elsewhere."""

        margin: Margin

    def __init__(
        self,
        rows: Iterable[TurnRow] = (),
        *,
        opener: str = "space",
        id: str | None = None,  # noqa: A002
    ) -> None:
        """opener: the key that opens what is folded, as people write it."""
        super().__init__(id=id)
        self._opener = opener
        self._window = TranscriptWindow(DrawnTranscript(rows), lambda: self.size.height, self._settle)
        self._verdicts: Mapping[int, TurnMarks] = {}
        self._failing: list[int] | None = None
        """The turns with a verdict that failed, in order; None before they were looked for."""
        self._bar_marks = BarMarks()
        self._margin = Margin.of(0, 0, {})
        self._strips = KeptStrips()
        self._drawn_width: int | None = None
        self._palette: Palette | None = None
        self._cursor = 0
        self._found = FoundLines()
        self._redraws = True
        """Whether what is in sight is drawn anew where it settles; not where only more or less may follow."""
        self._settling = False
        self._ahead = DrawingAhead(self, self._draw_ahead)
        self._ground_ends = EVERYWHERE

    @property
    def _turns(self) -> DrawnTranscript:
        return self._window.turns

    # What is shown

    @property
    def rows(self) -> Sequence[TurnRow]:
        """The messages that are drawn as turns of their own."""
        return list(self.rows_from(0))

    def rows_from(self, turn: int) -> Iterator[TurnRow]:
        """Return the messages from a drawn turn on, counted from 0."""
        return map(self._turns.row, range(turn, len(self._turns.groups)))

    @property
    def last_number(self) -> int:
        """The number of the last turn that has one; 0 without any."""
        # They go up with the turns.
        return next(reversed(self._turns.by_number), 0)

    @property
    def margin(self) -> Margin:
        """What stands before the turns."""
        return self._margin

    def set_rows(self, rows: Iterable[TurnRow], verdicts: Mapping[int, TurnMarks] | None = None) -> None:
        """Show another conversation from its start, with its verdicts if they are known."""
        self.set_turns(DrawnTranscript(rows), verdicts)

    def set_turns(self, turns: DrawnTranscript, verdicts: Mapping[int, TurnMarks] | None = None) -> None:
        """Show drawn turns that somebody else holds too, such as one of two sides, from their start."""
        self._window.turns = turns
        self._verdicts, self._failing = dict(verdicts or {}), None
        self._cursor = 0
        self._lay_out()
        self._tell_cursor()

    def append_turn(self, row: TurnRow, *, follow: bool = True) -> None:
        """Add a message at the end; with `follow`, put the cursor on it and show its end."""
        self._turns.add(row)
        self._failing = None
        self._lay_out()
        if follow:
            self.end()

    def show_grown(self, rows: Sequence[TurnRow]) -> None:
        """Show the same conversation as it is by now; the cursor stays, unless it was on the last turn."""
        known, at, last = list(self.rows), self._cursor, self.cursor_is_last
        if known == list(rows[: len(known)]):
            for row in rows[len(known) :]:
                self.append_turn(row, follow=last)
            return
        quotes = self._turns.quotes
        self.set_rows(rows, self._verdicts)
        self._turns.set_quotes(quotes)
        self.move_cursor(len(rows) - 1 if last else min(at, len(rows) - 1))

    def update_last(self, row: TurnRow, note: str = "") -> None:
        """Show the last message anew while it is being written; its end stays in sight if it was.

        note: stands at its right instead of the time.
        """
        following = self._window.is_at_end
        self._turns.replace_last(row, note)
        self._keep_end(following)

    def set_verdicts(
        self, verdicts: Mapping[int, TurnMarks], quotes: Mapping[int, QuoteMarks] | None = None
    ) -> None:
        """Show verdicts beside the turns of these numbers: per turn (metric's letter, passed or None).

        quotes: the words of a turn that verdicts rest on, which are underlined.
        """
        as_before = self._verdicts == verdicts
        if as_before and self._turns.quotes == (quotes or {}):
            return
        self._verdicts, self._failing = dict(verdicts), None
        self._turns.set_quotes(quotes or {})
        if as_before:
            # Words that are underlined change no line's place.
            self._strips.forget()
            self.refresh()
        else:
            self._lay_out()

    def show_until(self, messages: int | None, *, follow: bool = True) -> None:
        """Show the first `messages` messages only, or all for None; with `follow`, go to the last of them."""
        self._turns.show_until(messages)
        self._keep_end(follow)
        if not follow:
            self.move_cursor(self._cursor, reveal=False)

    def type_last(self, characters: int | None, *, follow: bool = True) -> None:
        """Show only so much of the last shown turn's text, without its tools; None shows all of it."""
        self._turns.type_last(characters)
        self._keep_end(follow)

    def _keep_end(self, in_sight: bool) -> None:
        if in_sight:
            self.end()
        else:
            self._window.stay()

    # The cursor

    @property
    def cursor(self) -> int:
        """The turn the cursor is on, counted from 0 over the turns that are drawn."""
        return self._cursor

    @property
    def cursor_is_last(self) -> bool:
        """Whether the cursor is on the last turn that is shown."""
        return self._cursor >= self._turns.shown - 1

    @property
    def current(self) -> TurnRow | None:
        """The message the cursor is on, None in an empty transcript."""
        return self._turns.row(self._cursor) if self._cursor < self._turns.shown else None

    def move_cursor(self, turn: int, *, reveal: bool = True) -> None:
        """Put the cursor on a drawn turn, counted from 0, and by default bring it into sight."""
        turn = max(0, min(turn, self._turns.shown - 1))
        moved, self._cursor = turn != self._cursor, turn
        if reveal:
            self._window.reveal(turn)
        self.refresh()
        if moved:
            self._tell_cursor()

    def _tell_cursor(self) -> None:
        """Tell of another turn under the cursor."""
        if (row := self.current) is not None and self.is_mounted:
            self.post_message(self.CursorMoved(self, row))

    def jump_to(self, number: int) -> bool:
        """Put the cursor on the spoken turn of this number; return whether it is there."""
        turn = self._turns.by_number.get(number)
        return self._land_on([turn] if turn is not None and turn < self._turns.shown else [])

    def next_failed(self) -> bool:
        """Go to the next turn with a verdict that failed; return whether there is one."""
        failed = self.failed_turns
        return self._land_on(failed[bisect_right(failed, self._cursor) :][:1])

    def previous_failed(self) -> bool:
        """Go to the previous turn with a verdict that failed; return whether there is one."""
        failed = self.failed_turns
        return self._land_on(failed[: bisect_left(failed, self._cursor)][-1:])

    def _land_on(self, turns: Sequence[int]) -> bool:
        """Put the cursor on a turn, if there is one, and words in it that a verdict rests on in sight."""
        for turn in turns:
            self.move_cursor(turn)
            if lines := self._turns.quoted_lines(turn):
                self._show_line(turn, lines[0])
        return bool(turns)

    @property
    def failed_turns(self) -> Sequence[int]:
        """The turns with a verdict that failed, counted from 0 over the turns that are drawn."""
        if self._failing is None:
            # Once for all keys: ten thousand verdicts take longer to look through than a key may.
            turns = (self._turns.by_number.get(number) for number in failing(self._verdicts))
            self._failing = sorted(turn for turn in turns if turn is not None)
        return self._failing[: bisect_left(self._failing, self._turns.shown)]

    # The scroll bar

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        """The scroll bar, with a mark where a turn failed."""
        return own_scroll_bar(self, lambda: failing_bar(self._marks_in_bar, self._mark_style, self._jump))

    def _marks_in_bar(self, rows: int) -> Mapping[int, int]:
        return self._bar_marks.of(self._turns.place, self.failed_turns, rows, made_from=self._failing)

    def _mark_style(self) -> Style:
        return self._palette.failed if self._palette is not None else Style.null()

    # What keys do

    def cursor_down(self) -> None:
        """Go to the next turn."""
        self.move_cursor(self._cursor + 1)

    def cursor_up(self) -> None:
        """Go to the previous turn."""
        self.move_cursor(self._cursor - 1)

    def page_down(self) -> None:
        """Scroll one window down, the cursor with it."""
        self._page(1)

    def page_up(self) -> None:
        """Scroll one window up, the cursor with it."""
        self._page(-1)

    def _page(self, by: int) -> None:
        self._window.page(by)
        self.move_cursor(self._window.turn_to_read(), reveal=False)

    def home(self) -> None:
        """Go to the first turn."""
        self._window.go(0, 0)
        self.move_cursor(0, reveal=False)

    def end(self) -> None:
        """Go to the end of the last turn."""
        self._window.go_to_end()
        self.move_cursor(self._turns.shown - 1, reveal=False)

    action_cursor_down = cursor_down
    action_cursor_up = cursor_up
    action_page_down = page_down
    action_page_up = page_up
    action_home = home
    action_end = end

    def action_fold(self, fold: str | None = None) -> None:
        """Open or fold one part of the current turn, or all of them: they open if any is folded."""
        if self._cursor < self._turns.shown:
            self._turns.toggle(self._cursor, fold)
            self._window.stay()
            if fold is None:
                self._window.reveal(self._cursor)
            self.screen.refresh_bindings()

    @property
    def is_open(self) -> bool:
        """Whether all that can be folded is open, so that `action_fold_all` folds it."""
        return self._turns.is_open

    def action_fold_all(self) -> bool:
        """Open what is folded in all turns, or fold all where all is open; return whether it is open."""
        opened = self._turns.toggle_all()
        place = self._turns.place
        self._window.go(place.item, 0 if place.item == self._cursor else place.line)
        self._window.reveal(self._cursor)
        self.screen.refresh_bindings()
        return opened

    def jump_places(self) -> list[JumpPlace]:
        """Return the turns in sight."""
        turns = turns_in_sight(self._turns, self._window.height)
        return [JumpPlace(0, row, partial(self._jump, turn)) for turn, row in turns]

    def _jump(self, turn: int) -> None:
        self.move_cursor(turn)
        self.focus()

    # Finding

    def highlight(self, pattern: WrittenPattern | None) -> None:
        """Mark what matches in all that is drawn; None ends that."""
        if pattern is not None or self._found.pattern is not None:
            self._found.look_for(pattern)
            self.refresh()

    def reveal_found(self, turn: int, *, last: bool = False) -> None:
        """Put the cursor on a drawn turn and its first match in sight, or its last, opening what hides it."""
        if self._found.pattern is None or not 0 <= turn < self._turns.shown:
            return
        self.move_cursor(turn)
        if lines := self._found.opened_in(self._turns, turn, self._window.stay):
            self._show_found(turn, lines[-1 if last else 0])

    def fold_after_search(self, but: int | None = None) -> None:
        """Fold again what was opened for matches. but: a turn that stays open."""
        if self._turns.fold_after_search(but):
            self._window.stay()
            self._window.reveal(self._cursor)

    def step_found(self, by: int) -> bool:
        """Go to the next line with a match in the turn under the cursor, or back for -1; return whether."""
        line = self._found.beside(self._turns, self._cursor, by)
        if line is None:
            return False
        self._show_found(self._cursor, line)
        return True

    def _show_found(self, turn: int, line: int) -> None:
        self._found.go_to(turn, line)
        self._show_line(turn, line)

    def _show_line(self, turn: int, line: int) -> None:
        self._window.reveal_line(turn, line)
        self.refresh()

    # Layout

    def cover(self, lines: int) -> None:
        """Let nothing hide in so many lines at the bottom, as something lies over them."""
        top, self._redraws = self._turns.place.top, False
        self._window.cover(lines, self._cursor)
        self._redraws = True
        if self._turns.place.top != top:
            self.refresh()

    def take_size(self) -> None:
        """Lay out for the size of now."""
        # With more lines or fewer each line looks as it did.
        as_wide = self.scrollable_content_region.width == self._drawn_width
        self._window.keep_in_sight(self._cursor, self._window.stay if as_wide else self._lay_out)

    def _lay_out(self) -> None:
        """Take width, margin and styles as they are now; the place stays."""
        window = self.scrollable_content_region.width
        if not self.is_mounted or not window:
            return
        margin = Margin.of(self.last_number, window, self._verdicts)
        if (margin.slots, margin.slots_start) != (self._margin.slots, self._margin.slots_start):
            self.post_message(self.MarginChanged(margin))
        self._margin = margin
        self._drawn_width = window
        self._strips.forget()
        self.vertical_scrollbar.refresh()
        if self._palette is None:
            # To find out what styles inherit takes longer than to lay a session out.
            self._palette = read_palette(self)
        width = _text_width(window, margin)
        # The ground of what a user says ends with the text, where that leaves much of the window free.
        end = self._margin.width + width + 1
        self._ground_ends = end if window - end > FREE else EVERYWHERE
        if not self._turns.is_laid_out(width, self._palette):
            self._turns.opener = self._opener
            self._turns.lay_out(width, self._palette, self._window.height)
        self._window.stay()

    def drawn_ahead(self, rows: Sequence[TurnRow]) -> DrawnTranscript:
        """Return turns as `set_turns` will show them without verdicts, the first of them drawn.

        It may be called from a thread.
        """
        turns, window = DrawnTranscript(rows), self.scrollable_content_region.width
        if self._palette is not None and window:
            margin = Margin.of(next(reversed(turns.by_number), 0), window, {})
            turns.opener = self._opener
            turns.lay_out(_text_width(window, margin), self._palette, self._window.height)
            seen = 0
            for turn in range(len(turns.groups)):
                if seen > self._window.height:
                    break
                seen += len(turns.draw(turn).lines)
        return turns

    def notify_style_update(self) -> None:
        """Draw anew where the theme changed what turns look like."""
        super().notify_style_update()
        if self._palette is not None and self.is_mounted and (palette := read_palette(self)) != self._palette:
            self._palette = palette
            self._lay_out()

    # Scrolling: the window decides, the scroll bar follows

    def _settle(self) -> None:
        if not self.is_mounted:
            return
        self._settling = True
        try:
            resize_without_layout(self, Size(self.size.width, self._turns.place.lines + self._window.covered))
            self.scroll_y = self.scroll_target_y = self._turns.place.top
        finally:
            self._settling = False
        if self._redraws:
            self.refresh()
        self._ahead.begin()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Follow the wheel and the scroll bar; correct the line they asked for once heights are known."""
        if not self._settling and self.is_mounted and round(new_value) != self._turns.place.top:
            self._window.go_to_line(round(new_value))
        super().watch_scroll_y(old_value, self.scroll_y)

    def scroll_to(self, *args: Any, animate: bool = True, **options: Any) -> None:
        """Scroll at once: an animated scroll paints for a second."""
        super().scroll_to(*args, animate=False, **options)

    # Drawing

    def render_line(self, y: int) -> Strip:
        """Draw one line of the window."""
        width = self.size.width
        absolute = self.scroll_offset.y + y
        if self._palette is None or absolute >= self._turns.place.lines:
            return Strip.blank(width, self.base_style)
        turn, line = self._turns.place.heights.at(absolute)
        strip = self._line(turn, line)
        return strip if self.in_frame else strip.apply_offsets(-self._margin.width, line_number(turn, line))

    def _draw_ahead(self) -> Iterator[None]:
        """Draw turns that the next keys may bring into sight, one after the other."""
        failed = self._failing or ()
        leaps = failed[bisect_left(failed, self._cursor) :][:2]
        for turn in turns_ahead(self._turns, self._window.height, leaps, self._cursor):
            for line in range(min(len(self._turns.draw(turn).lines), self._window.height)):
                self._line(turn, line)
            yield

    def _line(self, turn: int, line: int) -> Strip:
        """Return a line of a turn, both counted from 0, as it stands in the window."""
        palette, width = self._palette or read_palette(self), self.size.width
        drawn_turn, row = self._turns.draw(turn), self._turns.row(turn)
        lines = drawn_turn.lines
        text = self._found.marked(lines[line] if line < len(lines) else [], (turn, line), palette.found)
        number = line_number(turn, line)
        selection = self.text_selection
        if selection is not None and (span := selection.get_span(number)) is not None:
            text = mark_selected(text, *span, self.screen.get_component_rich_style("screen--selection"))
        current = turn == self._cursor and line < len(lines)
        drawn = MarginedLine(
            text=text,
            number=row.number,
            first=line == 0,
            current=current,
            away=current and not self.has_focus,
            by_user=row.role == "user" and line < len(lines),
            quoting=drawn_turn.quoted.get(line, ""),
            width=width,
            ground_ends=self._ground_ends,
            base=self.base_style,
        )
        return self._strips.of(number, drawn, partial(drawn.draw, self._margin, palette))

    def focus_lines(self) -> Iterable[int]:
        """Return the lines of the turn under the cursor that are in sight."""
        heights = self._turns.place.heights
        first = heights.before(self._cursor) - self._turns.place.top
        last = first + heights[self._cursor] if self.current is not None else first
        return range(max(0, first), min(last, self.size.height))

    # The mouse, and text that is selected with it

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the turn, and open or fold what was clicked."""
        offset = event.get_content_offset(self)
        if offset is None or self.text_selection is not None:
            return
        absolute = self.scroll_offset.y + offset.y
        if absolute >= self._turns.place.lines:
            return
        turn, line = self._turns.place.heights.at(absolute)
        self.move_cursor(turn, reveal=False)
        number = self._turns.row(turn).number
        letter = self._margin.letter_at(number, offset.x) if line == 0 else None
        if letter is not None and number is not None:
            self.post_message(self.MarkChosen(number, letter))
        if fold := self._turns.draw(turn).folds.get(line):
            self.action_fold(fold)

    @property
    def allow_select(self) -> bool:
        """Text can be selected, though a scroll view counts as a container."""
        return True

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the selected text as it is drawn, without the margin."""
        start = selection.start or Offset(0, 0)
        end = selection.end or Offset(0, line_number(self._turns.shown, 0))
        return self._turns.selected_text(start, end), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Show what is selected, and let the line of keys say what can be done with it."""
        self.refresh()
        if self.is_attached:
            self.screen.refresh_bindings()


def _text_width(window: int, margin: Margin) -> int:
    """Return how wide turns are drawn beside their margin."""
    return max(1, min(WIDEST_TEXT, window - margin.width - 1))
