"""Replay: the events of a session played again, by steps or at their recorded pace.

A pure machine: it holds a place among the events and says how long to wait; whoever plays does the waiting.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from turnwise.conversations.store import Event, TurnRow, pause_before

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)


@dataclass
class Replay:
    """A place in a session's events.

    shown: how many events are visible, from 0 to len(events). speed: one of SPEEDS.
    """

    events: Sequence[Event]
    shown: int = 0
    speed: float = 1.0
    playing: bool = False
    _turns: list[int] = field(init=False, repr=False)
    _spoken_ends: list[int] = field(init=False, repr=False)
    """How many events are visible once a spoken turn is, for each of them."""

    def __post_init__(self) -> None:
        self._turns = [place for place, event in enumerate(self.events) if event.kind == "turn"]
        self._spoken_ends = [
            place + 1
            for place, event in enumerate(self.events)
            if isinstance(event.row, TurnRow) and event.row.number
        ]

    @property
    def at_end(self) -> bool:
        """Whether all events are shown."""
        return self.shown >= len(self.events)

    @property
    def turns_shown(self) -> int:
        """How many messages are visible."""
        return bisect_right(self._turns, self.shown - 1)

    @property
    def turn_number(self) -> int:
        """The number of the last spoken turn that is visible; 0 before the first."""
        spoken = bisect_right(self._spoken_ends, self.shown)
        row = self.events[self._spoken_ends[spoken - 1] - 1].row if spoken else None
        return (row.number or 0) if isinstance(row, TurnRow) else 0

    def step(self, by: int = 1) -> None:
        """Show one event more, or fewer."""
        self.shown = min(len(self.events), max(0, self.shown + by))

    def step_turn(self, by: int = 1) -> None:
        """Go on to the next spoken turn (with the tool messages before it), or back to the one before."""
        ends = self._spoken_ends
        if by > 0:
            place = bisect_right(ends, self.shown)
            self.shown = ends[place] if place < len(ends) else len(self.events)
        else:
            place = bisect_left(ends, self.shown)
            self.shown = ends[place - 1] if place else 0

    def seek_turn(self, number: int) -> bool:
        """Show all up to a numbered turn; say whether there is one."""
        for place, event in enumerate(self.events):
            if isinstance(event.row, TurnRow) and event.row.number == number:
                self.shown = place + 1
                return True
        return False

    def faster(self, by: int = 1) -> None:
        """Take the next higher speed, or a lower one where `by` is negative."""
        place = min(range(len(SPEEDS)), key=lambda place: abs(SPEEDS[place] - self.speed))
        self.speed = SPEEDS[min(len(SPEEDS) - 1, max(0, place + by))]

    def wait(self) -> float:
        """Return the seconds to wait before the next event is shown, at the present speed; 0 at the end."""
        if self.at_end:
            return 0.0
        return pause_before(self.events, self.shown) / self.speed
