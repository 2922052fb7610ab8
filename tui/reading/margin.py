"""The margin of a transcript: the bar of the current turn, the turn's number and its verdict marks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from turnwise.conversations.marks import QUOTED, SKIPPED, verdict_sign
from turnwise.tui.drawing.lines import BAR, BAR_AWAY, Line
from turnwise.tui.drawing.palette import Palette

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


def slots_of(letters_shown: Sequence[str], room: int) -> tuple[str, ...]:
    """Return the letters that have a slot of one cell each; what has no room shares the last slot.

    The order is that of the alphabet, the same for every turn and session.
    """
    order = tuple(sorted(letters_shown))
    return order if len(order) <= room else (*order[: room - 1], REST)


def slot_marks(verdicts: TurnMarks, slots: Sequence[str]) -> list[tuple[str, bool | None]]:
    """Return what stands in each slot of a turn: a sign, and whether the metric passed.

    Slots of metrics that say nothing of the turn hold a dash, and all are blank where none says anything.
    """
    if not verdicts:
        return [(" ", None)] * len(slots)
    merged = merge(verdicts)
    rest = [passed for letter, passed in merged.items() if letter not in slots]
    if rest and REST in slots:
        merged[REST] = max(rest, key=severity)
    return [
        (verdict_sign(merged[letter]), merged[letter]) if letter in merged else (SKIPPED, None)
        for letter in slots
    ]


def _tone(sign: str, passed: bool | None, palette: Palette, *, alone: bool) -> Style:
    """Return the style of a sign in a slot; what passed needs no attention among others."""
    if sign in (SKIPPED, " ") or (passed and not alone):
        return palette.muted
    return {True: palette.passed, False: palette.cross, None: palette.unsure}[passed]


def failing(verdicts: Mapping[int, TurnMarks]) -> list[int]:
    """Return the numbers of the turns with a verdict that failed, in order."""
    return sorted(number for number, turn in verdicts.items() if any(passed is False for _, passed in turn))


MOST_SLOTS = 12
"""Cells the verdict marks of one turn may take; half of that where the window is narrow."""
NARROW = 70
REST = "+"
"""Stands in the key for all metrics that have no slot of their own."""
EDGE = "▎"
"""Stands left of every line that the user said: roles differ by shape, not by colour alone."""

_BLANK = Segment(" ")


@dataclass(frozen=True)
class Margin:
    """What stands left of the text, and how wide it is.

    last_number: the highest turn number. window: the cells of the whole view. verdicts: per turn number.
    slots: the letters of the metrics, each with one cell of its own.
    """

    last_number: int
    window: int
    verdicts: Mapping[int, TurnMarks] = field(default_factory=dict)
    slots: tuple[str, ...] = ()

    @classmethod
    def of(cls, last_number: int, window: int, verdicts: Mapping[int, TurnMarks]) -> Margin:
        """Return the margin for these verdicts."""
        room = MOST_SLOTS if window >= NARROW else MOST_SLOTS // 2
        return cls(last_number, window, verdicts, slots_of(letters(verdicts.values()), room))

    @cached_property
    def has_gaps(self) -> bool:
        """Whether a metric says nothing of a turn that others say something of, as `slot_marks` shows it."""
        told = {frozenset(letter for letter, _ in marks) for marks in self.verdicts.values() if marks}
        named, rest = frozenset(self.slots) - {REST}, REST in self.slots
        return any(not named <= letters or (rest and letters <= named) for letters in told)

    @property
    def number_width(self) -> int:
        """Cells of a turn's number."""
        return max(2, len(str(self.last_number)))

    @property
    def slots_start(self) -> int:
        """The cell of the first slot: what stands before it are the bar, the number and a space."""
        return 1 + self.number_width + 1

    @property
    def width(self) -> int:
        """Cells left of the text: bar, number, a space, one slot at least, and the edge."""
        return self.slots_start + max(1, len(self.slots)) + 1

    def draw(
        self,
        number: int | None,
        *,
        first: bool,
        current: bool,
        palette: Palette,
        away: bool = False,
        edge: bool = False,
        quoting: str = "",
    ) -> Line:
        """Return the margin of one line.

        first: the turn's first line, which has its number. away: whether keys go elsewhere. edge: whether
        the user says it. quoting: the letters of the metrics whose verdicts rest on words of the line.
        """
        bar = _BLANK
        if current:
            bar = Segment(BAR_AWAY, palette.muted) if away else Segment(BAR, palette.bar)
        end = Segment(EDGE, palette.user) if edge else _BLANK
        if not first or number is None:
            if not quoting:
                return [bar, Segment(" " * (self.width - 2)), end]
            slots = "".join(self._quote_sign(letter, quoting) for letter in self.slots)
            before, after = self.slots_start - 1, self.width - 1 - self.slots_start - len(slots)
            return [bar, Segment(" " * before), Segment(slots, palette.failed), Segment(" " * after), end]
        style = palette.role if current else palette.number
        line = [bar, Segment(str(number).rjust(self.number_width), style), _BLANK]
        for sign, passed in slot_marks(self.verdicts.get(number, ()), self.slots):
            line.append(Segment(sign, _tone(sign, passed, palette, alone=len(self.slots) == 1)))
        line.append(Segment(" " * (self.width - 1 - self.slots_start - len(self.slots))))
        return [*line, end]

    def _quote_sign(self, letter: str, quoting: str) -> str:
        others = set(quoting) - set(self.slots)
        return QUOTED if letter in quoting or (letter == REST and others) else " "

    def letter_at(self, number: int | None, cell: int) -> str | None:
        """Return the letter of the metric whose mark stands at a cell of a turn's first line."""
        slot = cell - self.slots_start
        if number is None or not 0 <= slot < len(self.slots) or number not in self.verdicts:
            return None
        found = merge(self.verdicts[number])
        letter = self.slots[slot]
        if letter == REST:
            rest = [other for other in found if other not in self.slots]
            return max(rest, key=lambda other: severity(found[other]), default=None)
        return letter if letter in found else None


@dataclass(frozen=True, slots=True)
class MarginedLine:
    """A line of a transcript and what is to stand left of it: two that are equal look the same there.

    number, first, current, away, by_user, quoting: as Margin draws them. width: cells of the line.
    ground_ends: the cell where the ground of what a user says ends. base: the style of the transcript itself.
    """

    text: Line
    number: int | None
    first: bool
    current: bool
    away: bool
    by_user: bool
    quoting: str
    width: int
    ground_ends: int
    base: Style

    def draw(self, margin: Margin, palette: Palette) -> Strip:
        """Return the line as it is drawn."""
        left = margin.draw(
            self.number,
            first=self.first,
            current=self.current,
            palette=palette,
            away=self.away,
            edge=self.by_user,
            quoting=self.quoting,
        )
        ground = self.base + palette.said if self.by_user else self.base
        drawn = [
            *Segment.apply_style(left[:-1], self.base),
            *Segment.apply_style([left[-1], *self.text], ground),
        ]
        strip = Strip(drawn).adjust_cell_length(min(self.width, self.ground_ends), ground)
        return strip.adjust_cell_length(self.width, self.base)
