"""TranscriptView: a conversation of any length, of which only the turns in sight are ever drawn."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from textual import events
from textual.message import Message

from turnwise.conversations.store.rows import TurnRow
from turnwise.tui.widgets.drawn_transcript import GAP, DrawnTranscript
from turnwise.tui.widgets.jump_places import JumpPlace
from turnwise.tui.widgets.marks import TurnMarks, failing
from turnwise.tui.widgets.palette import COMPONENT_CLASSES, PALETTE_CSS
from turnwise.tui.widgets.turn_lines import folds_of
from turnwise.tui.widgets.turns_view import TurnsView


class TranscriptView(TurnsView, inherit_bindings=False):
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

    def __init__(
        self,
        rows: Iterable[TurnRow] = (),
        *,
        name: str | None = None,
        id: str | None = None,  # noqa: A002
        classes: str | None = None,
    ) -> None:
        super().__init__(rows, name=name, id=id, classes=classes)
        self._failing: list[int] | None = None

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
        self._tell()

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
        self._found = pattern
        self.refresh()

    def reveal_found(self, turn: int) -> None:
        """Put the cursor on a drawn turn and its first match in sight, opening what hides it."""
        if self._found is None or not 0 <= turn < self._turns.shown:
            return
        self.move_cursor(turn)
        line = self._line_found(turn)
        if line is None and folds_of(self._turns.row(turn)):
            self.toggle_fold()
            line = self._line_found(turn)
        place, window = self._turns.place, self.size.height
        if line is not None and not place.top <= place.heights.before(turn) + line < place.top + window:
            self._go(turn, max(0, line - window // 3))

    def _line_found(self, turn: int) -> int | None:
        for number, line in enumerate(self._turns.draw(turn).lines):
            if self._found and self._found.search("".join(piece.text for piece in line)):
                return number
        return None

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
            self._reveal(turn)
        self.refresh()
        if moved:
            self._tell()

    def jump_to(self, number: int) -> bool:
        """Put the cursor on the spoken turn of this number; return whether it is there."""
        turn = self._turns.by_number.get(number)
        if turn is None or turn >= self._turns.shown:
            return False
        self.move_cursor(turn)
        return True

    def next_failed(self) -> bool:
        """Go to the next turn with a verdict that failed; return whether there is one."""
        failed = self._failed()
        place = bisect_right(failed, self._cursor)
        if place < len(failed):
            self.move_cursor(failed[place])
        return place < len(failed)

    def previous_failed(self) -> bool:
        """Go to the previous turn with a verdict that failed; return whether there is one."""
        failed = self._failed()
        place = bisect_left(failed, self._cursor)
        if place:
            self.move_cursor(failed[place - 1])
        return place > 0

    @property
    def failed_turns(self) -> Sequence[int]:
        """The turns with a verdict that failed, counted from 0 over the turns that are drawn."""
        return self._failed()

    def cursor_down(self) -> None:
        """Go to the next turn."""
        self.move_cursor(self._cursor + 1)

    def cursor_up(self) -> None:
        """Go to the previous turn."""
        self.move_cursor(self._cursor - 1)

    def page_down(self) -> None:
        """Scroll one window down, the cursor with it."""
        self._go_to_line(self._turns.place.top + max(1, self.size.height - 1))
        self._cursor_into_sight()

    def page_up(self) -> None:
        """Scroll one window up, the cursor with it."""
        self._go_to_line(max(0, self._turns.place.top - max(1, self.size.height - 1)))
        self._cursor_into_sight()

    def home(self) -> None:
        """Go to the first turn."""
        self._go(0, 0)
        self.move_cursor(0, reveal=False)

    def end(self) -> None:
        """Go to the end of the last turn."""
        # Far past the last line: the place stops where the window is full.
        self._go(self._turns.shown - 1, 1 << 30)
        self.move_cursor(self._turns.shown - 1, reveal=False)

    def toggle_fold(self, fold: str | None = None) -> None:
        """Open or fold one part of the current turn, or all of them: they open if any is folded."""
        if self._cursor >= self._turns.shown:
            return
        self._turns.toggle(self._cursor, fold)
        self._go(self._turns.place.item, self._turns.place.line)
        if fold is None:
            self._reveal(self._cursor)

    def toggle_all_folds(self) -> bool:
        """Open what is folded in all turns, or fold all where all is open; return whether it is open."""
        opened = self._turns.toggle_all()
        self._go(
            self._turns.place.item, 0 if self._turns.place.item == self._cursor else self._turns.place.line
        )
        self._reveal(self._cursor)
        return opened

    def jump_places(self) -> list[JumpPlace]:
        """Return the turns in sight."""
        place = self._turns.place
        top, bottom = place.top, place.top + self.size.height
        places = []
        for turn in range(place.item, self._turns.shown):
            first = place.heights.before(turn)
            if first >= bottom:
                break
            places.append(JumpPlace(0, max(0, first - top), partial(self._jump, turn)))
        return places

    def _jump(self, turn: int) -> None:
        self.move_cursor(turn)
        self.focus()

    # The same as actions, for screens to bind

    action_cursor_down = cursor_down
    action_cursor_up = cursor_up
    action_page_down = page_down
    action_page_up = page_up
    action_home = home
    action_end = end
    action_next_failed = next_failed
    action_previous_failed = previous_failed
    action_toggle_fold = toggle_fold

    # Verdicts and the window

    def _failed(self) -> list[int]:
        """Return which of the shown turns have a verdict that failed, in order."""
        if self._failing is None:
            # Once for all keys: ten thousand verdicts take longer to look through than a key may.
            turns = (self._turns.by_number.get(number) for number in failing(self._verdicts))
            self._failing = sorted(turn for turn in turns if turn is not None)
        return self._failing[: bisect_left(self._failing, self._turns.shown)]

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

    # Scrolling: the place decides, the scroll bar follows

    def _reveal(self, turn: int) -> None:
        """Scroll as little as shows the turn, or its start where it is longer than the window."""
        place, window = self._turns.place, self.size.height
        if turn >= place.shown or not window or self._palette is None:
            return
        place.know(turn)
        start, height = place.heights.before(turn), place.heights[turn] - GAP
        if start < place.top or height >= window or start > place.top + 2 * window:
            self._go(turn, 0)
        elif start + height > place.top + window:
            self._go_to_line(start + height - window)
        else:
            self._go(place.item, place.line)

    def _cursor_into_sight(self) -> None:
        """Put the cursor on the first turn that starts in the window, or on the last one at the end."""
        place = self._turns.place
        bottom = place.top + self.size.height
        turn = place.item
        if bottom >= place.lines and place.top:
            turn = place.shown - 1
        elif place.line and turn + 1 < place.shown and place.heights.before(turn + 1) < bottom:
            turn += 1
        self.move_cursor(turn, reveal=False)

    def _tell(self) -> None:
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
