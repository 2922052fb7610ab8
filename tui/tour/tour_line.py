"""TourLine: the line of the tour, above the line of keys: which step it is, and what to do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.binding import BindingType
from textual.reactive import reactive
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from turnwise.tui.actions import ACTIONS, Place, bindings
from turnwise.tui.drawing.jump_places import JumpPlace
from turnwise.tui.drawing.palette import component
from turnwise.tui.parts.typed_into import is_typed_into
from turnwise.tui.tour.tour_steps import goes_on_from, words_after_escapes

WITH_FOCUS = "`enter` leaves this step out   `esc` leaves the tour"
"""What the line says while it has the focus."""
TOURED = "-toured"
"""The class of a screen that has the line: toasts stand above it."""
WITHOUT_KEYS = "It goes on once this is closed"
"""What it says below a dialog, where its keys would do something else."""
_GAP = 2
"""Cells between what is to be done and how the tour is left."""


@dataclass(frozen=True, slots=True)
class TourTurns:
    """What the line can be asked for. how_to_leave: in words and in fewer ones, while it has no focus."""

    leave: Callable[[], None]
    skip: Callable[[], None]
    how_to_leave: tuple[str, str]


class TourLine(Widget, can_focus=True):
    """One line. A click gives it the focus, where enter goes on to the next step and esc leaves the tour.

    How the tour is left stands at its end, in as many words as have room: at every step, as whoever wants no
    tour may not know it otherwise.
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
    while_typing: reactive[str] = reactive("")
    """What it says instead of its words while keys are typed into a field."""

    below: reactive[bool] = reactive(False)
    """Whether a dialog stands before its screen, and has the keys."""

    def __init__(self, turns: TourTurns, heading: str, words: str, while_typing: str) -> None:
        super().__init__()
        self._turns = turns
        self._typed = False
        """Whether it was drawn while keys were typed."""
        self._escapes = 1
        """How often escape was to be pressed to go on, when it was drawn."""
        self.set_reactive(TourLine.while_typing, while_typing)
        self.set_reactive(TourLine.heading, heading)
        self.set_reactive(TourLine.words, words)

    def render_line(self, y: int) -> Strip:
        """Draw the line."""
        base, width = self.rich_style, self.size.width
        segments = self._segments
        room = width - 1 - sum(segment.cell_length for segment in segments)
        ways = () if self.has_focus else self._turns.how_to_leave
        if leave := next((way for way in ways if cell_len(way) + _GAP <= room), ""):
            gap = room - cell_len(leave)
            segments += [Segment(" " * gap), Segment(leave, component(self, "tour--dim"))]
        return Strip(Segment.apply_style(segments, base)).adjust_cell_length(width, base)

    @property
    def _segments(self) -> list[Segment]:
        """What is to be done, after which step it is."""
        self._typed, self._escapes = is_typed_into(self.screen), self._escapes_now
        way = words_after_escapes(self.words, self._escapes)
        words = WITHOUT_KEYS if self.below else self.while_typing if self._typed else way
        key, word = component(self, "tour--key"), component(self, "tour--word")
        segments = [Segment(" "), Segment(self.heading, component(self, "tour--heading")), Segment("  ")]
        pieces = (WITH_FOCUS if self.has_focus else words).split("`")
        return segments + [Segment(piece, key if place % 2 else word) for place, piece in enumerate(pieces)]

    def on_mount(self) -> None:
        """Keep toasts off it from the start, and follow whether keys are typed into a field."""
        self.screen.add_class(TOURED)
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self._follow())

    def _follow(self) -> None:
        if (self._typed, self._escapes) != (is_typed_into(self.screen), self._escapes_now):
            self.refresh()

    @property
    def _escapes_now(self) -> int:
        """How often escape is to be pressed until the keys of places are there."""
        stack = self.app.screen_stack
        here = stack.index(self.screen) if self.screen in stack else 0
        escapes = 1 + _closes_a_part(self.screen)
        for below in reversed(stack[1:here]):
            place: Place = getattr(below, "PLACE", "everywhere")
            if below.is_modal or goes_on_from(place, ACTIONS):
                break
            escapes += 1 + _closes_a_part(below)
        return escapes

    def on_unmount(self) -> None:
        """Let toasts have its place."""
        self.screen.remove_class(TOURED)

    def on_focus(self, event: events.Focus) -> None:
        """Say how it is left."""
        self.refresh()

    def on_blur(self, event: events.Blur) -> None:
        """Say it no longer."""
        self.refresh()

    def jump_places(self) -> list[JumpPlace]:
        """Return its beginning: a letter between its words would be read as one of them."""
        return [JumpPlace(0, 0, self.focus)]

    def action_leave(self) -> None:
        """Leave the tour."""
        self._turns.leave()

    def action_next_step(self) -> None:
        """Go on to the next step."""
        self._turns.skip()


def _closes_a_part(screen: Screen[object]) -> bool:
    """Whether escape closes a part of a screen before it leads back."""
    return getattr(screen, "closes_a_part", False)
