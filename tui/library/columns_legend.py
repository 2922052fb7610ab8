"""ColumnsLegend: what the keys over the columns of metrics stand for, in a line or two under the list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from turnwise.tui.drawing.palette import component
from turnwise.tui.parts.typed_into import is_typed_into
from turnwise.tui.session_lists.metric_keys import ITEM_GAP, LegendLine, legend_lines, shown_keys

if TYPE_CHECKING:
    from turnwise.conversations.store import ScoreTally

INDENT = 2
LINES, LINES_OF_A_TALL_APP = 1, 2
TALL = 30
"""From so many lines of the terminal up there are two lines for it."""


class ColumnsLegend(Widget):
    """Draws each key with its words. A click asks for the columns: some may have no room."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {"legend--sign", "legend--key", "legend--words"}
    DEFAULT_CSS = """
    ColumnsLegend {
        height: auto;
        background: $background;
        & .legend--sign { color: $text; }
        & .legend--key { color: $text; text-style: bold; }
        & .legend--words { color: $text-muted; }
        &:ansi .legend--words { text-style: dim; }
    }
    """

    class Clicked(Message):
        """The legend was clicked."""

    def __init__(self, more: str = "") -> None:
        """more: is said before the count of those without room, such as "W names"."""
        super().__init__()
        self._more = more
        self._keys: Mapping[str, str] = {}
        self._rates: Mapping[str, float] = {}
        self._lines: list[LegendLine] = []
        self._named_key = False
        """Whether the key that names those without room is told."""
        self.display = False

    def on_mount(self) -> None:
        """Follow whether keys are typed into a field: then its key would be, too."""
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self._follow())

    def _follow(self) -> None:
        if self._named_key == is_typed_into(self.screen):
            self.refresh()

    def show(self, keys: Mapping[str, str]) -> None:
        """Show these keys of metrics; nothing for none."""
        self._keys = keys
        self._fill()

    def rank(self, tallies: Mapping[str, ScoreTally]) -> None:
        """Take how often metrics pass: where not all have room, the weakest are named."""
        self._rates = {metric: one.passed / one.scores for metric, one in tallies.items() if one.scores}
        self._fill()

    def on_resize(self) -> None:
        """Use the room."""
        self._fill()

    def _fill(self) -> None:
        most = LINES_OF_A_TALL_APP if self.app.size.height >= TALL else LINES
        width = (self.size.width or self.app.size.width) - INDENT
        self._lines = legend_lines(self._keys, width, most, more=self._more)
        if self._lines and not self._lines[-1][-1][1]:
            weakest = sorted(self._keys, key=lambda metric: self._rates.get(metric, 1.0))
            self._lines = legend_lines(shown_keys(self._keys, weakest), width, most, more=self._more)
            self._lines = self._in_order(width, most)
        self.display = bool(self._lines)
        self.styles.height = max(1, len(self._lines))
        self.refresh()

    def _in_order(self, width: int, most: int) -> list[LegendLine]:
        """Return the lines with the metrics that they name in the order of the columns, where all fit so."""
        named = {key for line in self._lines for key, words in line if words}
        ordered = sorted(self._keys, key=lambda metric: self._keys[metric] not in named)
        lines = legend_lines(shown_keys(self._keys, ordered), width, most, more=self._more)
        return lines if {key for line in lines for key, words in line if words} == named else self._lines

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        base, width = self.rich_style, self.size.width
        segments = [Segment(" " * INDENT)]
        self._named_key = not is_typed_into(self.screen)
        of_sign, of_key, of_words = (component(self, f"legend--{one}") for one in ("sign", "key", "words"))
        for sign, words in self._lines[y] if y < len(self._lines) else ():
            if words:
                # Not as in a line of keys, a bold letter before a grey word: it is no key.
                segments += [Segment(sign, of_sign), Segment(f"={words}{' ' * ITEM_GAP}", of_words)]
            elif self._named_key:
                key = self._more.partition(" ")[0]
                segments += [Segment(key, of_key), Segment(sign.removeprefix(key), of_words)]
            else:
                segments.append(Segment(sign.removeprefix(self._more).lstrip(), of_words))
        return Strip(Segment.apply_style(segments, base)).adjust_cell_length(width, base)

    def on_click(self, event: events.Click) -> None:
        """Ask for the columns."""
        event.stop()
        self.post_message(self.Clicked())
