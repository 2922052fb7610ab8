"""TourLine: the line of the tour, above the line of keys: which step it is, and what to do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import BindingType
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from turnwise.tui.actions import Place, bindings
from turnwise.tui.drawing.palette import component

WITH_FOCUS = "`enter` leaves this step out   `esc` leaves the tour"
"""What the line says while it has the focus."""


@dataclass(frozen=True, slots=True)
class TourTurns:
    """What the line can be asked for. how_to_leave: in words, while it has no focus."""

    leave: Callable[[], None]
    skip: Callable[[], None]
    how_to_leave: str


class TourLine(Widget, can_focus=True):
    """One line. A click gives it the focus, where enter goes on to the next step and esc leaves the tour."""

    PLACE: ClassVar[Place] = "tour"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("tour"))
    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"tour--heading", "tour--key", "tour--word", "tour--dim"}
    DEFAULT_CSS = """
    TourLine {
        height: 1;
        background: $panel;
        color: $text;
        & .tour--heading { color: $accent; text-style: bold; }
        & .tour--key { color: $text; text-style: bold; }
        & .tour--word { color: $text; }
        & .tour--dim { color: $text-muted; }
        &:ansi {
            .tour--dim { text-style: dim; }
        }
        &:nocolor .tour--heading { text-style: reverse; }
    }
    """

    heading: reactive[str] = reactive("")
    words: reactive[str] = reactive("")

    def __init__(self, turns: TourTurns, heading: str, words: str) -> None:
        super().__init__()
        self._turns = turns
        self.set_reactive(TourLine.heading, heading)
        self.set_reactive(TourLine.words, words)

    def render_line(self, y: int) -> Strip:
        """Draw the line; how it is left stands at its end where that has room."""
        base, width = self.rich_style, self.size.width
        key, word = component(self, "tour--key"), component(self, "tour--word")
        segments = [Segment(" "), Segment(self.heading, component(self, "tour--heading")), Segment("  ")]
        pieces = (WITH_FOCUS if self.has_focus else self.words).split("`")
        segments += [Segment(piece, key if place % 2 else word) for place, piece in enumerate(pieces)]
        leave = "" if self.has_focus else self._turns.how_to_leave
        gap = width - 1 - sum(segment.cell_length for segment in segments) - len(leave)
        if gap >= 2:
            segments += [Segment(" " * gap), Segment(leave, component(self, "tour--dim"))]
        return Strip(Segment.apply_style(segments, base)).adjust_cell_length(width, base)

    def on_focus(self, event: events.Focus) -> None:
        """Say how it is left."""
        self.refresh()

    def on_blur(self, event: events.Blur) -> None:
        """Say it no longer."""
        self.refresh()

    def action_leave(self) -> None:
        """Leave the tour."""
        self._turns.leave()

    def action_next_step(self) -> None:
        """Go on to the next step."""
        self._turns.skip()
