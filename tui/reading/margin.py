"""The margin of a transcript: the bar of the current turn, the turn's number and its verdict marks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from rich.segment import Segment
from rich.style import Style

from turnwise.conversations.marks import verdict_sign
from turnwise.tui.parts.lines import BAR, BAR_AWAY, Line
from turnwise.tui.parts.palette import Palette

TurnMarks = Sequence[tuple[str, bool | None]]
"""The verdicts of one turn: the metric's letter and whether it passed, None for unsure."""


def merge(verdicts: TurnMarks) -> dict[str, bool | None]:
    """Return one outcome a letter: the worst where a metric gave a turn several verdicts."""
    merged: dict[str, bool | None] = {}
    for letter, passed in verdicts:
        if letter not in merged or severity(passed) > severity(merged[letter]):
            merged[letter] = passed
    return merged


def severity(passed: bool | None) -> int:
    """Return how much a verdict asks to be looked at: 2 failed, 1 unsure, 0 passed."""
    return 1 if passed is None else 0 if passed else 2


def letters(verdicts: Iterable[TurnMarks]) -> tuple[str, ...]:
    """Return the metrics' letters in the order they first appear."""
    return tuple(dict.fromkeys(letter for turn in verdicts for letter, _ in turn))


def margin_marks(verdicts: TurnMarks, order: Sequence[str], room: int) -> list[tuple[str, bool | None]]:
    """Return what the margin of a turn shows: (text, passed) pieces, in `room` cells at most.

    One metric shows its sign alone. Several show sign and letter, each in a column of its own where all
    have room, else the worst first.
    """
    merged = merge(verdicts)
    if len(order) <= 1:
        return [(verdict_sign(passed), passed) for passed in merged.values()]
    if 2 * len(order) <= room:
        return [
            (verdict_sign(merged[letter]) + letter, merged[letter]) if letter in merged else ("  ", None)
            for letter in order
        ]
    worst = sorted(merged.items(), key=lambda item: -severity(item[1]))
    return [(verdict_sign(passed) + letter, passed) for letter, passed in worst[: room // 2]]


def failing(verdicts: Mapping[int, TurnMarks]) -> list[int]:
    """Return the numbers of the turns with a verdict that failed, in order."""
    return sorted(number for number, turn in verdicts.items() if any(passed is False for _, passed in turn))


MOST_ROOM = 8
"""Cells the verdict marks of one turn may take; half of that where the window is narrow."""
NARROW = 70

_BLANK = Segment(" ")


@dataclass(frozen=True)
class Margin:
    """What stands left of the text, and how wide it is.

    last_number: the highest turn number. verdicts: per turn number. window: the cells of the whole view.
    """

    last_number: int
    window: int
    verdicts: Mapping[int, TurnMarks] = field(default_factory=dict)
    order: tuple[str, ...] = ()

    @classmethod
    def of(cls, last_number: int, window: int, verdicts: Mapping[int, TurnMarks]) -> Margin:
        """Return the margin for these verdicts, the metrics in the order they appear."""
        return cls(last_number, window, verdicts, letters(verdicts.values()))

    @property
    def number_width(self) -> int:
        """Cells of a turn's number."""
        return max(2, len(str(self.last_number)))

    @property
    def marks_width(self) -> int:
        """Cells of a turn's verdict marks: one metric needs its sign only."""
        if len(self.order) <= 1:
            return 1
        return min(2 * len(self.order), MOST_ROOM if self.window >= NARROW else MOST_ROOM // 2)

    @property
    def width(self) -> int:
        """Cells left of the text: bar, number, marks, and a space after number and marks."""
        return 1 + self.number_width + 1 + self.marks_width + 1

    def draw(
        self, number: int | None, *, first: bool, current: bool, palette: Palette, away: bool = False
    ) -> Line:
        """Return the margin of one line.

        first: the turn's first line, which has its number. away: whether keys go elsewhere.
        """
        bar = _BLANK
        if current:
            bar = Segment(BAR_AWAY, palette.muted) if away else Segment(BAR, palette.bar)
        if not first or number is None:
            return [bar, Segment(" " * (self.width - 1))]
        style = palette.role if current else palette.number
        line = [bar, Segment(str(number).rjust(self.number_width), style), _BLANK]
        room = self.marks_width
        colours: dict[bool | None, Style] = {
            True: palette.passed,
            False: palette.failed,
            None: palette.unsure,
        }
        for text, passed in margin_marks(self.verdicts.get(number, ()), self.order, room):
            # The letter repeats and stays dim, but where the metric failed.
            letter = colours[passed] if passed is False else palette.muted
            line += [Segment(text[:1], colours[passed]), Segment(text[1:], letter)]
            room -= len(text)
        line.append(Segment(" " * (room + 1)))
        return line

    def letter_at(self, number: int | None, cell: int) -> str | None:
        """Return the letter of the metric whose mark stands at a cell of a turn's first line."""
        start = 1 + self.number_width + 1
        marks = margin_marks(self.verdicts.get(number, ()), self.order, self.marks_width) if number else ()
        for text, _ in marks:
            if start <= cell < start + len(text):
                letter = text[1:] or next(iter(self.order), "")
                return letter if letter in self.order else None
            start += len(text)
        return None
