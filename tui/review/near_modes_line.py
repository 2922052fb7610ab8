"""NearModesLine: in a queue the failure modes that a digit gives, each with its digit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment
from textual import events

from turnwise.conversations.marks import FAILED
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import FailureMode
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import DrawnLines, Tones
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.failure_modes.mode_words import OF_OTHERS

MOST_LINES = 2
LEAST_NAME, MOST_NAME = 12, 34
"""Cells of a mode's name: below, one mode less stands in a line."""
_SIGNS = {True: FAILED, False: OF_OTHERS, None: " "}
_AROUND = 6
"""The cells of a digit, of what stands around it, and of the gap after a name."""


@dataclass(frozen=True, slots=True)
class NumberedMode:
    """A mode that stands under a digit, at a line and a cell; `width` is that of its place."""

    number: int
    mode: FailureMode
    line: int
    start: int
    width: int


def places_for(names: Sequence[str], width: int) -> tuple[int, int]:
    """Return how many modes stand in a line of so many cells, and how wide the place of each is."""
    longest = max((cell_len(name) for name in names), default=0)
    room = max(LEAST_NAME, min(longest, MOST_NAME)) + _AROUND
    # What stands in fewer lines than there are has more room than it needs otherwise.
    columns = max(1, min(len(names), width // room))
    if columns * MOST_LINES < len(names):
        columns = max(columns, min(-(-len(names) // MOST_LINES), width // (LEAST_NAME + _AROUND)))
    return columns, max(1, width // columns)


def laid_out(modes: Sequence[FailureMode | None], width: int) -> list[NumberedMode]:
    """Return the modes with their places in so many cells; those without a place are left out.

    modes: by digit, from 1; None for a digit that gives none.
    """
    if not modes or width < LEAST_NAME + _AROUND:
        return []
    columns, room = places_for([make_safe_line(mode.name) if mode else "" for mode in modes], width)
    return [
        NumberedMode(place + 1, mode, place // columns, (place % columns) * room, room)
        for place, mode in enumerate(modes[: columns * MOST_LINES])
        if mode is not None
    ]


def lines_of(
    places: Sequence[NumberedMode], given: Mapping[int, bool], tones: Tones, *, deciding: bool
) -> list[Line]:
    """Return the modes as they are drawn. given: as in `NearModesLine.show`. deciding: a fail waits."""
    lines: list[Line] = [[] for _ in range(max((one.line for one in places), default=-1) + 1)]
    for one in places:
        mine = given.get(one.mode.id)
        name = fit(make_safe_line(one.mode.name), one.width - _AROUND)
        lines[one.line] += [
            Segment(f" {one.number}", tones.heading),
            Segment(f" {_SIGNS[mine]} ", tones.failed if mine else tones.muted),
            Segment(f"{name} ", tones.heading if mine else tones.text if deciding else tones.muted),
        ]
    return lines


class NearModesLine(DrawnLines):
    """Shows the modes, the nearest to each session among them; none while there are none."""

    ALLOW_SELECT = False
    DEFAULT_CSS = "NearModesLine { height: 0; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._modes: Sequence[FailureMode | None] = ()
        """By digit, from 1."""
        self._given: Mapping[int, bool] = {}
        self._deciding = False
        self._places: Sequence[NumberedMode] = ()

    def offer(self, modes: Sequence[FailureMode | None]) -> None:
        """Offer modes by digit, from 1; None for a digit that gives none."""
        if modes or self._modes:
            self._modes = modes
            self._redraw()

    def show(self, given: Mapping[int, bool], *, deciding: bool) -> None:
        """Show which modes the session has. deciding: whether a fail waits for them.

        given: by the number of a mode whether the one who reviews gave it; False for somebody else.
        """
        if (given, deciding) != (self._given, self._deciding):
            self._given, self._deciding = given, deciding
            self._redraw()

    def mode_at(self, number: int) -> FailureMode | None:
        """Return the mode that bears a digit on the screen."""
        return next((one.mode for one in self._places if one.number == number), None)

    @property
    def last_digit(self) -> int:
        """The last digit that a mode bears on the screen; 0 for none."""
        return max((one.number for one in self._places), default=0)

    def on_resize(self) -> None:
        """Lay the modes out anew."""
        self._redraw()

    def _redraw(self) -> None:
        if not self.is_mounted:
            return
        self._places = laid_out(self._modes, self.app.size.width - 1)
        lines = lines_of(self._places, self._given, self.tones, deciding=self._deciding)
        if self.styles.height is None or self.styles.height.value != len(lines):
            self.styles.height = len(lines)
        self.set_lines(lines)

    async def on_click(self, event: events.Click) -> None:
        """Do what the digit does."""
        for one in self._places:
            if one.line == event.y and one.start <= event.x < one.start + one.width:
                event.stop()
                await self.run_action(f"screen.near_mode({one.number})")
                return
