"""TranscriptView: a conversation of any length, of which only the turns in sight are ever drawn."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.message import Message

from turnwise.conversations.store.rows import TurnRow
from turnwise.tui.widgets.drawn_transcript import DrawnTranscript
from turnwise.tui.widgets.keyless import Keyless
from turnwise.tui.widgets.marks import TurnMarks
from turnwise.tui.widgets.palette import COMPONENT_CLASSES, PALETTE_CSS
from turnwise.tui.widgets.turn_cursor import TurnCursor
from turnwise.tui.widgets.turn_lines import folds_of


class TranscriptView(TurnCursor, Keyless, inherit_bindings=False):
    """Draws turns line by line. It has a cursor, which is a turn, and no keys: screens bind its actions."""

    COMPONENT_CLASSES: ClassVar[set[str]] = COMPONENT_CLASSES
    DEFAULT_CSS = (
        """
    TranscriptView {
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
        background: $background;
        color: $text;
    }
    """
        + PALETTE_CSS
    )

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

    # What is shown

    def set_rows(self, rows: Iterable[TurnRow], verdicts: Mapping[int, TurnMarks] | None = None) -> None:
        """Show another conversation from its start, with its verdicts if they are known."""
        self.set_turns(DrawnTranscript(rows), verdicts)

    def set_turns(self, turns: DrawnTranscript, verdicts: Mapping[int, TurnMarks] | None = None) -> None:
        """Show turns that are kept elsewhere too, from their start."""
        self._turns = turns
        self._verdicts, self._failing = dict(verdicts or {}), None
        self._cursor = 0
        self._lay_out()
        self.cursor_moved()

    def append_turn(self, row: TurnRow, *, follow: bool = True) -> None:
        """Add a message at the end; with `follow`, put the cursor on it and show its end."""
        self._turns.add(row)
        self._failing = None
        self._lay_out()
        if follow:
            self.end()

    def update_last(self, row: TurnRow, note: str = "") -> None:
        """Show the last message anew while it is being written; its end stays in sight if it was.

        note: stands at its right instead of the time.
        """
        place = self._turns.place
        following = place.top + self.size.height >= place.lines
        self._turns.replace_last(row, note)
        if following:
            self.end()
        else:
            self._go(place.item, place.line)

    def set_verdicts(self, verdicts: Mapping[int, TurnMarks]) -> None:
        """Show verdicts beside the turns of these numbers: per turn (metric's letter, passed or None)."""
        self._verdicts, self._failing = dict(verdicts), None
        self._lay_out()

    def show_until(self, messages: int | None, *, follow: bool = True) -> None:
        """Show the first `messages` messages only, or all for None; with `follow`, go to the last of them."""
        self._turns.show_until(messages)
        if follow:
            self.end()
        else:
            self._go(self._turns.place.item, self._turns.place.line)
            self.move_cursor(self._cursor, reveal=False)

    def type_last(self, characters: int | None, *, follow: bool = True) -> None:
        """Show only so much of the last shown turn's text, without its tools; None shows all of it."""
        self._turns.type_last(characters)
        if follow:
            self.end()
        else:
            self._go(self._turns.place.item, self._turns.place.line)

    # Finding

    def highlight(self, pattern: re.Pattern[str] | None) -> None:
        """Mark what matches in all that is drawn; None ends that."""
        self._found, self._found_at = pattern, None
        self.refresh()

    def reveal_found(self, turn: int, *, last: bool = False) -> None:
        """Put the cursor on a drawn turn and its first match in sight, or its last, opening what hides it."""
        if self._found is None or not 0 <= turn < self._turns.shown:
            return
        self.move_cursor(turn)
        lines = self._lines_found(turn)
        if not lines and folds_of(self._turns.row(turn)):
            self.toggle_fold()
            lines = self._lines_found(turn)
        if lines:
            self._show_found(turn, lines[-1 if last else 0])

    def step_found(self, by: int) -> bool:
        """Go to the next line with a match in the turn under the cursor, or back for -1; return whether."""
        turn, line = self._found_at or (-1, 0)
        if turn != self._cursor:
            return False
        found = self._lines_found(turn)
        place = bisect_right(found, line) if by > 0 else bisect_left(found, line) - 1
        if not 0 <= place < len(found):
            return False
        self._show_found(turn, found[place])
        return True

    def _show_found(self, turn: int, line: int) -> None:
        self._found_at = turn, line
        place, window = self._turns.place, self.size.height
        if not place.top <= place.heights.before(turn) + line < place.top + window:
            self._go(turn, max(0, line - window // 3))
        self.refresh()

    def _lines_found(self, turn: int) -> list[int]:
        texts = ("".join(piece.text for piece in line) for line in self._turns.draw(turn).lines)
        return [number for number, text in enumerate(texts) if self._found and self._found.search(text)]

    # Verdicts and the window

    def on_resize(self) -> None:
        """Keep the place; what was in sight of the cursor's turn and of the end stays there."""
        place, window = self._turns.place, self._window
        seen = self._in_sight(self._cursor)
        at_end = self._cursor == self._turns.shown - 1 and place.top + window >= place.lines
        self._window = self.size.height
        self._lay_out()
        if at_end:
            self._go(self._cursor, 1 << 30)
        elif seen and not self._in_sight(self._cursor):
            self._reveal(self._cursor)

    def cursor_moved(self) -> None:
        """Tell of another turn under the cursor."""
        if (row := self.current) is not None and self.is_mounted:
            self.post_message(self.CursorMoved(self, row))

    # The mouse

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
            self.toggle_fold(fold)
