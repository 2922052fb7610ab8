"""Row: one line in the making of what is said of a session, with what can be clicked in it."""

from __future__ import annotations

from dataclasses import dataclass, field

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from turnwise.conversations.safe_text import make_safe
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import Tones
from turnwise.tui.drawing.wrapping import fit

TO_TURN = "jump_to_turn"
"""The action that goes to a turn."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Cells of a line, from `start` up to `end`, that do an action of the screen when they are clicked."""

    line: int
    start: int
    end: int
    action: str


@dataclass(slots=True)
class LabelLines:
    """Lines, and what can be clicked in them."""

    lines: list[Line] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)


class Row:
    """One line in the making, of texts of which some can be clicked."""

    def __init__(self, drawn: LabelLines, width: int, tones: Tones) -> None:
        self._drawn, self._width, self._tones = drawn, width, tones
        self._line: Line = [Segment("  ")]
        self.used = 2

    @property
    def width(self) -> int:
        """How many cells it may take."""
        return self._width

    def add(self, text: str, style: Style, action: str = "") -> None:
        """Add any text, made safe; where there is room for a part of it only, that part."""
        text = make_safe(text).replace("\n", " ")
        room = self._width - self.used
        if room < 1 or not text:
            return
        if cell_len(text) > room:
            text = fit(text, room)
        if action:
            end = self.used + cell_len(text)
            self._drawn.spots.append(Spot(len(self._drawn.lines), self.used, end, action))
        self._line.append(Segment(text, style))
        self.used += cell_len(text)

    def key(self, key: str, word: str, action: str) -> None:
        """Add a key with what it does, if both have room; what it does alone where there is no key."""
        if self.used + cell_len(key) + 1 + cell_len(word) <= self._width:
            start = self.used
            self.add(key, self._tones.heading)
            self.add(f" {word}" if key else word, self._tones.muted)
            self._drawn.spots.append(Spot(len(self._drawn.lines), start, self.used, action))

    def gap(self, cells: int = 3) -> None:
        """Leave so many cells free."""
        self.add(" " * cells, self._tones.muted)

    def push(self, cells: int) -> None:
        """Leave free what puts the next so many cells at the right end."""
        self.gap(max(1, self._width - self.used - cells - 1))

    def end(self) -> None:
        """The line is done."""
        self._drawn.lines.append(self._line)


def to_turn(turn: int) -> str:
    """Return the action that goes to a turn."""
    return f"{TO_TURN}({turn})"
