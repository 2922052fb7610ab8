"""TurnCursor: turns of which one is the current one, and all ways to go to another."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import partial

from turnwise.conversations.store.rows import TurnRow
from turnwise.tui.widgets.drawn_transcript import GAP
from turnwise.tui.widgets.jump_places import JumpPlace
from turnwise.tui.widgets.marks import failing
from turnwise.tui.widgets.turns_view import TurnsView


class TurnCursor(TurnsView, inherit_bindings=False):
    """Moves a cursor over turns, which scroll with it, and folds what is under it."""

    _failing: list[int] | None = None
    """The turns with a verdict that failed, in order; None before they were looked for."""

    def cursor_moved(self) -> None:
        """Tell of it; for who inherits."""

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
            self.cursor_moved()

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

    def _failed(self) -> list[int]:
        """Return which of the shown turns have a verdict that failed, in order."""
        if self._failing is None:
            # Once for all keys: ten thousand verdicts take longer to look through than a key may.
            turns = (self._turns.by_number.get(number) for number in failing(self._verdicts))
            self._failing = sorted(turn for turn in turns if turn is not None)
        return self._failing[: bisect_left(self._failing, self._turns.shown)]

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
