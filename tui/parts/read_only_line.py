"""ReadOnlyLine: says from the start that nothing can be kept, above the line of keys of every screen."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

from turnwise.conversations.safe_text import make_safe_line
from turnwise.tui.drawing.palette import component
from turnwise.tui.drawing.wrapping import fit

_SHORT = "Nothing is kept: the database is read-only. Open a copy: turnwise --db COPY"
"""As much as has room in 80 cells."""
_LONG = (
    "Nothing is kept: {name} or its folder cannot be written. Take permission to write both, or copy the "
    "file and open the copy: turnwise --db COPY"
)


class ReadOnlyLine(Widget):
    """One line, of a database that can be read only; a label that is lost is no time to learn of it."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"read-only--mark", "read-only--words"}
    DEFAULT_CSS = """
    ReadOnlyLine {
        height: 1;
        background: $panel;
        color: $text;
        & .read-only--mark { color: $text-warning; text-style: bold; }
        & .read-only--words { color: $text; }
    }
    """

    def __init__(self, name: str) -> None:
        """name: the database's."""
        super().__init__()
        self._long = _LONG.format(name=make_safe_line(name))

    def render_line(self, y: int) -> Strip:
        """Draw the line, with all there is to say where that has room."""
        base, width = self.rich_style, self.size.width
        room = width - 4
        words = self._long if cell_len(self._long) <= room else _SHORT
        segments = [
            Segment(" "),
            Segment("! ", component(self, "read-only--mark")),
            Segment(fit(words, room), component(self, "read-only--words")),
        ]
        return Strip(Segment.apply_style(segments, base)).adjust_cell_length(width, base)
