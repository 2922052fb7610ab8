"""Timeline: one line with all that happened to a session; a click on it goes to that moment."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence, Set
from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from turnwise.conversations.marks import FAILED, PASSED, SKIPPED, outcome_sign
from turnwise.conversations.store import Event, LabelRow, ScoreRow, SessionModeRow, TurnRow
from turnwise.tui.drawing.lines_view import TONES_CSS, Toned, Tones
from turnwise.tui.parts.words import ago
from turnwise.tui.reading.turn_lines import stamp

TURN, NOW, LABEL, LINE = "●", "◆", "✎", "─"
TURN_TO_COME, SCORE_TO_COME = "○", "◦"
"""Told apart, as the title counts turns alone."""
TURN_FAILED = "⊗"
"""A turn with a verdict that failed, once its score came; a failed score has the sign of its outcome."""
NOTHING_FOUND = "·"
"""A skipped score: its own sign would not be seen on a line."""
LEGEND = (
    f"  {TURN} turn  {TURN_FAILED} fails  {NOW} now  {PASSED} {FAILED} score  {LABEL} label, mode    "
    f"to come: {TURN_TO_COME} turn {SCORE_TO_COME} score "
)
STATE_CELLS = 15
"""Kept for the state, whatever it is: else all stops would be dealt out anew once it plays."""
LEGEND_FROM = 148
"""In fewer cells than this, the legend has a line of its own."""


@dataclass(frozen=True, slots=True)
class Stop:
    """A sign on the line. place: that of its event among all events. turn: its number, 0 for what is none."""

    place: int
    sign: str
    turn: int = 0


def stops_of(happened: Sequence[Event]) -> list[Stop]:
    """Return what stands on the line: spoken turns, scores, labels and failure modes."""
    stops: list[Stop] = []
    for place, event in enumerate(happened):
        match event.row:
            case TurnRow(number=int(number)):
                stops.append(Stop(place, TURN, number))
            case ScoreRow() as score:
                sign = outcome_sign(score)
                stops.append(Stop(place, NOTHING_FOUND if sign == SKIPPED else sign))
            case LabelRow() | SessionModeRow():
                stops.append(Stop(place, LABEL))
    return stops


_DATED = ScoreRow | LabelRow | SessionModeRow
"""What is told by its own day where it comes after the last turn."""


def times_of(happened: Sequence[Event], now: float) -> list[str]:
    """Return what to call the moment after so many events: the last turn's time, or else its number.

    What was found or said after the last turn is of its own day, as it may be a week later.
    """
    timed = any(isinstance(event.row, TurnRow) and event.row.at is not None for event in happened)
    latest, number = 0.0, 0
    times = [stamp(0) if timed else "0"]
    last = max((place for place, event in enumerate(happened) if isinstance(event.row, TurnRow)), default=0)
    for place, event in enumerate(happened):
        if place > last and isinstance(event.row, _DATED):
            times.append(ago(event.row.created_at, now))
            continue
        if isinstance(event.row, TurnRow):
            latest, number = max(latest, event.row.at or 0.0), event.row.number or number
        times.append(stamp(latest) if timed else str(number))
    return times


def times_later(times: Sequence[str], happened: Sequence[Event], now: float) -> list[str]:
    """Return what `times_of` gave earlier, as it is now: what came after the last turn is longer ago."""
    turns = (place for place in range(len(happened) - 1, -1, -1) if isinstance(happened[place].row, TurnRow))
    after = next(turns, 0) + 1
    later = [
        ago(event.row.created_at, now)
        if isinstance(event.row, ScoreRow | LabelRow | SessionModeRow)
        else time
        for event, time in zip(happened[after:], times[after + 1 :], strict=True)
    ]
    return [*times[: after + 1], *later]


def cells_of(stops: Sequence[Stop], width: int) -> list[list[Stop]]:
    """Return which stops fall in each of `width` cells: spread evenly, several to a cell where they must.

    Between two cells with stops one is always free, so that signs do not run together.
    """
    cells: list[list[Stop]] = [[] for _ in range(max(0, width))]
    places = (len(cells) + 1) // 2
    for index, stop in enumerate(stops):
        if len(stops) > places > 0:
            cells[2 * (index * places // len(stops))].append(stop)
        elif places:
            cells[index * (width - 1) // max(1, len(stops) - 1)].append(stop)
    return cells


@dataclass(frozen=True, slots=True)
class _Cell:
    """What is told of the stops in a cell: the places of the first and the last, their signs and turns."""

    first: int
    last: int
    signs: Sequence[str]
    turns: frozenset[int]

    @classmethod
    def of(cls, stops: Sequence[Stop]) -> _Cell | None:
        """Sum up stops in their order; None where there are none."""
        if not stops:
            return None
        turns = frozenset(stop.turn for stop in stops if stop.turn)
        return cls(stops[0].place, stops[-1].place, [stop.sign for stop in stops], turns)

    def sign(self, failing: Set[int]) -> str:
        """Return the sign of the worst, else that of the last. failing: turns of which it is known by now."""
        for worst, there in (
            (FAILED, FAILED in self.signs),
            (TURN_FAILED, not failing.isdisjoint(self.turns)),
            (LABEL, LABEL in self.signs),
        ):
            if there:
                return worst
        return self.signs[-1]


class Timeline(Toned):
    """Draws from left to right whether it plays, the time so far, all events, and the time of the last."""

    ALLOW_SELECT = False
    DEFAULT_CSS = "Timeline { height: auto; background: $background; color: $text;" + TONES_CSS + "}"

    @dataclass
    class Sought(Message):
        """A place was clicked. shown: how many events are to be visible."""

        shown: int

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._stops: Sequence[Stop] = ()
        self._times: Sequence[str] = ("0",)
        self._widest_time = 1
        self._shown = 0
        self._failing: Set[int] = frozenset()
        self._state = ""
        self._cells: list[_Cell | None] = []
        self._start = 0

    def set_events(self, stops: Sequence[Stop], times: Sequence[str]) -> None:
        """Show another session's events. times: what each moment is called, the start first."""
        if stops is not self._stops:
            self._stops, self._cells = stops, []
        self._times, self._widest_time = times, max(map(len, times))
        self.refresh()

    def show(self, shown: int, state: str, failing: Set[int] = frozenset()) -> None:
        """Show that so many events are visible. state: a few words at the left.

        failing: numbers of turns that the scores among these events found to fail.
        """
        self._shown, self._state, self._failing = shown, state, failing
        self.refresh()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how many lines it takes: the legend has one of its own where it is narrow."""
        return 1 if width >= LEGEND_FROM else 2

    def render_line(self, y: int) -> Strip:
        """Draw the line, or the legend under it."""
        base, tones, width = self.rich_style, self.tones, self.size.width
        if y:
            words = Segment(LEGEND[1:] if self._stops else "", tones.muted)
            return Strip(Segment.apply_style([words], base)).adjust_cell_length(width, base)
        now, end = self._times[min(self._shown, len(self._times) - 1)], self._times[-1]
        # At the end both would say the same, as if the line began and ended at one time.
        told = "" if self._shown >= len(self._times) - 1 else now
        left = f" {self._state.ljust(STATE_CELLS)}  {told.rjust(self._widest_time)}"
        right = f" {end} "
        legend = LEGEND if width >= LEGEND_FROM else ""
        room = width - cell_len(left) - 1 - cell_len(right) - cell_len(legend)
        if not self._stops or room < 8:
            return Strip([Segment(left, base)]).adjust_cell_length(width, base)
        self._start = cell_len(left) + 1
        if len(self._cells) != room:
            self._cells = [_Cell.of(stops) for stops in cells_of(self._stops, room)]
        current = self._current()
        line = [Segment(f"{left} ", tones.text)]
        line += [_segment(cell, self._shown, current, self._failing, tones) for cell in self._cells]
        line += [Segment(right, tones.muted), Segment(legend, tones.muted)]
        return Strip(Segment.apply_style(line, base)).adjust_cell_length(width, base)

    def _current(self) -> int:
        """Return the place of the last stop that is visible; -1 for none."""
        place = bisect_left(self._stops, self._shown, key=lambda stop: stop.place)
        return self._stops[place - 1].place if place else -1

    def on_click(self, event: events.Click) -> None:
        """Go to what was clicked, or to what stands nearest to it."""
        x = event.x - self._start
        if event.y == 0 and 0 <= x < len(self._cells):
            full = [(abs(at - x), cell.last) for at, cell in enumerate(self._cells) if cell is not None]
            self.post_message(self.Sought(min(full)[1] + 1))


def _segment(cell: _Cell | None, shown: int, current: int, failing: Set[int], tones: Tones) -> Segment:
    """Return what stands in a cell: now, else the worst, else what came last."""
    if cell is None:
        return Segment(LINE, tones.muted)
    if cell.first <= current <= cell.last:
        return Segment(NOW, tones.bar)
    past, sign = cell.last < shown, cell.sign(failing)
    if not past:
        # How it comes out is told when it has come: nobody knew it at the moment that is shown.
        ahead = TURN_TO_COME if cell.turns else SCORE_TO_COME
        return Segment(LABEL if sign == LABEL else ahead, tones.muted)
    if sign == TURN:
        return Segment(TURN, tones.text)
    return Segment(sign, tones.failed if sign == TURN_FAILED else tones.of_sign(sign))
