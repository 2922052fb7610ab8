"""LiveLine: the newest outcomes of a talk that goes on, in one line; nothing where there are none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from textual.strip import Strip
from textual.widget import Widget

from turnwise.conversations.marks import FAILURE
from turnwise.tui.drawing.lines_view import TONE_OF_SIGN
from turnwise.tui.drawing.palette import component, marks_css
from turnwise.tui.reading.score_groups import ScoreGroup

_STYLES = {**TONE_OF_SIGN, FAILURE: "failed"}


class LiveLine(Widget):
    """`live   ✓ role adherence   ✗ answer relevancy`; metrics that find no room are counted."""

    ALLOW_SELECT = False
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "live--text",
        "live--dim",
        "live--passed",
        "live--failed",
        "live--unsure",
    }
    DEFAULT_CSS = (
        """
    LiveLine {
        height: 1;
        display: none;
        background: $surface;
        color: $text;
        &.-shown { display: block; }
        & .live--text { color: $text; }
        & .live--dim { color: $text-muted; }
        &:ansi .live--dim { text-style: dim; }
    """
        + marks_css("live--")
        + "}"
    )

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._groups: Sequence[ScoreGroup] = ()
        self._as_of = 0

    def show(self, groups: Sequence[ScoreGroup], as_of: int) -> None:
        """Show outcomes. as_of: the turn up to which they hold; 0 where they hold for all that was said."""
        self._groups, self._as_of = groups, as_of
        self.set_class(bool(groups), "-shown")
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the line."""
        base, width = self.rich_style, self.size.width
        label = f" as of turn {self._as_of}   " if self._as_of else " live   "
        segments = [Segment(label, component(self, "live--dim"))]
        room = width - cell_len(label)
        for place, group in enumerate(self._groups):
            left = len(self._groups) - place
            more = f"+{left}"
            needed = cell_len(group.sign) + 1 + cell_len(group.name) + 3
            if needed + (cell_len(more) if left > 1 else 0) > room:
                segments.append(Segment(more, component(self, "live--dim")))
                break
            style = component(self, f"live--{_STYLES.get(group.sign, 'dim')}")
            segments += [
                Segment(f"{group.sign} ", style),
                Segment(f"{group.name}   ", component(self, "live--text")),
            ]
            room -= needed
        return Strip(Segment.apply_style(segments, base)).adjust_cell_length(width, base)
