"""Candidates: one line of words to complete with, each also a thing to click."""

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

from turnwise.tui.widgets.palette import component
from turnwise.tui.widgets.safe_text import make_safe_line
from turnwise.tui.widgets.wrapping import ELLIPSIS, fit

INDENT = 3
GAP = 2
MOST_CELLS = 30
HINT = "tab"


class Candidates(Widget):
    """Draws as many as have room from the one that is taken on; what has none is hinted at."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "candidates--word",
        "candidates--taken",
        "candidates--hint",
    }
    DEFAULT_CSS = """
    Candidates {
        height: 1;
        background: $background;
        & .candidates--word { color: $text-muted; }
        & .candidates--hint { color: $text; text-style: bold; }
        & .candidates--taken { color: $accent; text-style: bold; }
        &:ansi {
            .candidates--word { text-style: dim; }
        }
    }
    """

    @dataclass
    class Chosen(Message):
        """A word was clicked. place: from 0."""

        place: int

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._words: Sequence[str] = ()
        self._taken: int | None = None
        self._spans: list[tuple[int, int, int]] = []

    def show(self, words: Sequence[str], taken: int | None = None) -> None:
        """Show these words. taken: the place of the one that stands in the line."""
        if (words, taken) != (self._words, self._taken):
            self._words, self._taken = words, taken
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the line."""
        base, width = self.rich_style, self.size.width
        self._spans = []
        if not self._words or y:
            return Strip.blank(width, base)
        segments = [Segment(" " * INDENT)]
        x = INDENT
        for place in range(self._first(width), len(self._words)):
            text = make_safe_line(self._words[place])
            text = fit(text, MOST_CELLS).rstrip() if cell_len(text) > MOST_CELLS else text
            if x + cell_len(text) + GAP + len(HINT) > width and self._spans:
                segments.append(Segment(ELLIPSIS, component(self, "candidates--word")))
                break
            name = "taken" if place == self._taken else "word"
            segments += [Segment(text, component(self, f"candidates--{name}")), Segment(" " * GAP)]
            self._spans.append((x, x + cell_len(text), place))
            x += cell_len(text) + GAP
        if self._taken is None:
            segments.append(Segment(HINT, component(self, "candidates--hint")))
        return Strip(Segment.apply_style(segments, base)).adjust_cell_length(width, base)

    def _first(self, width: int) -> int:
        """Return the first word to draw: the taken one is always in sight."""
        x = INDENT
        for place in range((self._taken or 0) + 1):
            x += min(MOST_CELLS, cell_len(self._words[place])) + GAP
        return 0 if x + len(HINT) <= width else self._taken or 0

    def on_click(self, event: events.Click) -> None:
        """Choose a word."""
        for start, end, place in self._spans:
            if start <= event.x < end:
                event.stop()
                self.post_message(self.Chosen(place))
