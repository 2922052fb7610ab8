"""DrawnGlance: a glance as lines, of which only those that a window shows are ever drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.segment import Segment
from rich.style import Style

from turnwise.conversations.words import counted
from turnwise.tui.drawing.lines import Line, line_text, mark_selected
from turnwise.tui.drawing.palette import Palette
from turnwise.tui.drawing.virtual_scroll import Heights, WindowPlace
from turnwise.tui.drawing.wrapping import ELLIPSIS, fit
from turnwise.tui.library.glance import Glance, glance_head, left_out
from turnwise.tui.reading.drawn_transcript import DrawnTranscript
from turnwise.tui.reading.margin import EDGE
from turnwise.tui.reading.turn_lines import TurnDrawer, estimate_height
from turnwise.tui.session_lists.found_words import found_spans

if TYPE_CHECKING:
    from turnwise.conversations.store import TurnRow

TURN_LINES = 12
"""Of a longer turn so many lines are shown, and a line that opens the rest."""
INDENT = 2
HEAD = 0
"""The first item of the place: what stands over the turns. The turns follow it."""


class DrawnGlance:
    """What a preview holds of a session, and the place in it. It owns no widget."""

    def __init__(
        self, glance: Glance, width: int, window: int, palette: Palette, found: Style | None = None
    ) -> None:
        """width: cells of a line. window: lines in sight. found: how what was searched for is marked."""
        self.glance = glance
        self.width, self.window = width, window
        self._palette, self._found = palette, found or Style.null()
        self._head = glance_head(glance, max(1, width - INDENT), window, palette)
        turns = glance.found_turns
        self._turns = DrawnTranscript(turns or glance.turns)
        self._left_out = left_out(turns, glance.row.turns) if turns else []
        # They go up with the turns.
        self._number = max(2, len(str(next(reversed(self._turns.by_number), 0))))
        if before := self._left_out_line(0):
            self._head += [[Segment(" " * (self._margin - INDENT)), *before], []]
        text = max(1, width - self._margin)
        self._turns.take_drawer(TurnDrawer(text, palette, most=TURN_LINES, opener=""))
        heights = [len(self._head), *(estimate_height(one.row, text) for one in self._turns.groups)]
        self.place = WindowPlace(Heights(heights), self._measure)
        self.place.go(HEAD, 0, window)

    def with_all_turns(self, rows: Sequence[TurnRow]) -> DrawnGlance:
        """Return the same of a glance of which all turns were read."""
        glance = replace(self.glance, turns=rows, is_whole=True)
        return DrawnGlance(glance, self.width, self.window, self._palette, self._found)

    def is_of(self, glance: Glance) -> bool:
        """Return whether it shows the same session, looked at in the same search."""
        return (self.glance.row.id, self.glance.sought) == (glance.row.id, glance.sought)

    def go_as(self, other: DrawnGlance) -> None:
        """Go where another one stands."""
        self.place.go(other.place.item, other.place.line, self.window)

    @property
    def _margin(self) -> int:
        """Cells left of the text: a turn's number, and the edge of what the user says."""
        return self._number + 2

    def line(self, absolute: int) -> tuple[Line, bool]:
        """Return a line counted from the first, and whether the user says it."""
        item, line = self.place.heights.at(absolute)
        if item == HEAD:
            text = self._head[line] if line < len(self._head) else []
            return [Segment(" " * INDENT), *self._marked(text, self.glance.sought.in_names)], False
        lines = self._turns.draw(item - 1).lines
        if line >= len(lines):
            return [Segment(" " * self._margin), *self._left_out_line(item)], False
        row, palette = self._turns.row(item - 1), self._palette
        by_user = row.role == "user"
        number = str(row.number) if line == 0 and row.number is not None else ""
        margin = [
            Segment(number.rjust(self._number) + " ", palette.number),
            Segment(EDGE, palette.user) if by_user else Segment(" "),
        ]
        return [*margin, *self._marked(lines[line], self.glance.sought.in_turns_of(row.role))], by_user

    def toggle_at(self, absolute: int) -> bool:
        """Open or fold what a line opens or folds; return whether it does either."""
        item, line = self.place.heights.at(absolute)
        fold = self._turns.draw(item - 1).folds.get(line) if item != HEAD else None
        if fold is not None:
            self._turns.toggle(item - 1, fold)
            self.place.forget(item)
            self.place.go(self.place.item, self.place.line, self.window)
        return fold is not None

    def _measure(self, item: int) -> int:
        if item == HEAD:
            return len(self._head)
        return len(self._turns.draw(item - 1).lines) + self._turns.gap(item - 1)

    def _left_out_line(self, after: int) -> Line:
        """Return what stands between turns: how many are left out there. after: so many that are shown."""
        many = self._left_out[after] if self._left_out else 0
        if not many:
            return []
        room = max(1, self.width - self._margin)
        words = fit(f"{ELLIPSIS} {counted(many, 'turn')} left out", room).rstrip()
        return [Segment(words, self._palette.muted)]

    def _marked(self, line: Line, words: Sequence[str]) -> Line:
        """Return a line with these words in a style of their own."""
        for start, end in found_spans(line_text(line), words) if words else ():
            line = mark_selected(line, start, end, self._found)
        return line
