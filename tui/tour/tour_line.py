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
ONE_LINE, TWO_LINES = "-toured", "-toured-high"
"""Classes of a screen that has the line, by its height: toasts stand above it."""
_GAP = 2
"""Cells between what is to be done and how the tour is left."""


@dataclass(frozen=True, slots=True)
class TourTurns:
    """What the line can be asked for. how_to_leave: in words, while it has no focus."""

    leave: Callable[[], None]
    skip: Callable[[], None]
    how_to_leave: str


class TourLine(Widget, can_focus=True):
    """One line, or two where it is narrow. A click gives it the focus, where enter goes on to the next step
    and esc leaves the tour.
    """

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
        """Draw the line; how it is left stands at its end, or at the end of a second line."""
        base, width = self.rich_style, self.size.width
        segments = self._segments if y == 0 else []
        leave = self._leave if y == self.size.height - 1 else ""
        gap = width - 1 - sum(segment.cell_length for segment in segments) - len(leave)
        if leave and gap >= 0:
            segments += [Segment(" " * gap), Segment(leave, component(self, "tour--dim"))]
        return Strip(Segment.apply_style(segments, base)).adjust_cell_length(width, base)

    @property
    def _segments(self) -> list[Segment]:
        """What is to be done, after which step it is."""
        key, word = component(self, "tour--key"), component(self, "tour--word")
        segments = [Segment(" "), Segment(self.heading, component(self, "tour--heading")), Segment("  ")]
        pieces = (WITH_FOCUS if self.has_focus else self.words).split("`")
        return segments + [Segment(piece, key if place % 2 else word) for place, piece in enumerate(pieces)]

    @property
    def _leave(self) -> str:
        return "" if self.has_focus else self._turns.how_to_leave

    def on_resize(self) -> None:
        """Take a second line where both have no room in one."""
        self._fit()

    def watch_words(self) -> None:
        """Take a second line where both have no room in one."""
        self._fit()

    def _fit(self) -> None:
        if not self.size.width:
            return
        used = sum(segment.cell_length for segment in self._segments) + len(self._leave)
        height = 1 if used + _GAP < self.size.width else 2
        # Whoever comes to the line by a key or a click finds it where it was.
        if not self.has_focus and self.size.height != height:
            self.styles.height = height
            self._lift_toasts(height)

    def _lift_toasts(self, height: int) -> None:
        """Let toasts that stand above the line of keys stand above so many lines of the tour, too."""
        self.screen.set_class(height == 1, ONE_LINE)
        self.screen.set_class(height > 1, TWO_LINES)

    def on_mount(self) -> None:
        """Keep toasts off it from the start."""
        self._lift_toasts(1)

    def on_unmount(self) -> None:
        """Let toasts have its place."""
        self._lift_toasts(0)

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
