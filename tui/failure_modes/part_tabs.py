"""PartTabs: one line that names the parts of a screen, and says which is shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from turnwise.tui.drawing.palette import component

GAP = 3


@dataclass(frozen=True, slots=True)
class PartTab:
    """A part: its name, and what is said of what it holds, where anything is: "12", "2 of 12 open"."""

    name: str
    holds: str = ""


class PartTabs(Widget):
    """Draws ` notes (12)   modes (5)   rates `, the part that is shown in bold with a line under it."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"tabs--shown", "tabs--other"}
    DEFAULT_CSS = """
    PartTabs {
        height: 1;
        margin: 1 0;
        background: $background;
        & .tabs--shown { color: $accent; text-style: bold underline; }
        & .tabs--other { color: $text-muted; }
    }
    """

    @dataclass
    class Chosen(Message):
        """A part was clicked."""

        name: str

    def __init__(self) -> None:
        super().__init__()
        self._tabs: Sequence[PartTab] = ()
        self._shown = ""
        self._spans: list[tuple[int, int, str]] = []

    def show(self, tabs: Sequence[PartTab], shown: str) -> None:
        """Show these parts; shown: the name of the one that is open."""
        self._tabs, self._shown = tuple(tabs), shown
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the line."""
        base = self.rich_style
        segments, x = [Segment("  ")], 2
        self._spans = []
        for tab in self._tabs:
            text = f"{tab.name}{f' ({tab.holds})' if tab.holds else ''}"
            style = component(self, "tabs--shown" if tab.name == self._shown else "tabs--other")
            segments += [Segment(text, style), Segment(" " * GAP)]
            self._spans.append((x, x + cell_len(text), tab.name))
            x += cell_len(text) + GAP
        return Strip(Segment.apply_style(segments, base)).adjust_cell_length(self.size.width, base)

    def on_click(self, event: events.Click) -> None:
        """Ask for the part that was clicked."""
        for start, end, name in self._spans:
            if start <= event.x < end:
                self.post_message(self.Chosen(name))
