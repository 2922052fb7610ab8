"""TranscriptWindow: what part of a transcript is in sight, and how it moves so that a turn can be read."""

from __future__ import annotations

from collections.abc import Callable

from turnwise.tui.drawing.virtual_scroll import WindowPlace
from turnwise.tui.reading.drawn_transcript import DrawnTranscript
from turnwise.tui.reading.near_turns import is_near

LAST_LINE = 1 << 30
"""Far past the last line of any turn: the place stops where the window is full."""


class TranscriptWindow:
    """The window over drawn turns. It knows no cursor: whoever has one says which turn is to be in sight.

    Some lines at its bottom may be covered by what lies over the transcript: nothing hides there.
    """

    def __init__(self, turns: DrawnTranscript, lines: Callable[[], int], settle: Callable[[], None]) -> None:
        """lines: gives how many it has, covered ones too. settle: hears that it may stand elsewhere."""
        self.turns = turns
        self._lines = lines
        self._settle = settle
        self._settled_height = 0
        """As it was when the place was last settled for it."""
        self.covered = 0

    @property
    def height(self) -> int:
        """How many lines can be read at once."""
        return max(0, self._lines() - self.covered)

    @property
    def place(self) -> WindowPlace:
        """Where it stands."""
        return self.turns.place

    @property
    def is_at_end(self) -> bool:
        """Whether the last line that is shown is in sight."""
        return self._ends(self.height)

    def _ends(self, height: int) -> bool:
        return self.place.top + height >= self.place.lines

    # To a place

    def go(self, turn: int, line: int) -> None:
        """Begin with a line of a turn, or as near to it as the ends allow."""
        self.place.go(turn, line, self.height)
        self._settle()

    def go_to_line(self, line: int) -> None:
        """Begin with a line, counted from the first turn's first."""
        self.place.go_to_line(line, self.height)
        self._settle()

    def go_to_end(self) -> None:
        """Show the end of the last turn."""
        self.go(self.turns.shown - 1, LAST_LINE)

    def stay(self) -> None:
        """Settle the place anew where it is, as more or less may stand below it."""
        self.go(self.place.item, self.place.line)

    def page(self, by: int) -> None:
        """Go down by a window for 1, up for -1; one line stays in sight."""
        self.go_to_line(max(0, self.place.top + by * max(1, self.height - 1)))

    # To a turn

    def reveal(self, turn: int) -> None:
        """Move as little as shows the turn, or its start where it is longer than the window."""
        place, window = self.place, self.height
        if turn >= place.shown or not window or not self.turns.can_be_drawn:
            return
        place.know(turn)
        start, height = place.heights.before(turn), place.heights[turn] - self.turns.gap(turn)
        if start < place.top or height >= window or not is_near(self.turns, turn, window):
            self.go(turn, 0)
        elif start + height > place.top + window:
            self.go_to_line(start + height - window)
        else:
            self.stay()

    def reveal_line(self, turn: int, line: int) -> None:
        """Move to a line of a turn where it is out of sight."""
        place, window = self.place, self.height
        if not place.top <= place.heights.before(turn) + line < place.top + window:
            self.go(turn, max(0, line - window // 3))

    def turn_to_read(self) -> int:
        """Return the first turn that starts in the window, or the last one where the window ends with it."""
        place = self.place
        turn = place.item
        if self.is_at_end and place.top:
            return place.shown - 1
        if place.line and turn + 1 < place.shown:
            return turn + (place.heights.before(turn + 1) < place.top + self.height)
        return turn

    # In another size

    def cover(self, lines: int, turn: int) -> None:
        """Let nothing hide in so many lines at the bottom; what is in sight of a turn stays there."""
        if lines != self.covered:
            whole, self.covered = self._shows_whole(turn), lines
            self.keep_in_sight(turn, self.stay)
            if whole and not self._shows_whole(turn):
                self.reveal(turn)

    def keep_in_sight(self, turn: int, change: Callable[[], None]) -> None:
        """Take another size or drawing; what was in sight of a turn stays there, and so does the end."""
        seen = self._shows(turn)
        at_end = turn == self.turns.shown - 1 and self._ends(self._settled_height)
        self._settled_height = self.height
        change()
        if at_end:
            self.go(turn, LAST_LINE)
        elif seen and not self._shows(turn):
            self.reveal(turn)

    def _shows_whole(self, turn: int) -> bool:
        place = self.place
        if not self._shows(turn):
            return False
        end = place.heights.before(turn) + place.heights[turn] - self.turns.gap(turn)
        return end <= place.top + self.height

    def _shows(self, turn: int) -> bool:
        place = self.place
        return place.item <= turn and place.heights.before(turn) < place.top + self._settled_height
