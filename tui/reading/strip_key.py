"""StripKey: the line over a transcript that says which slot of its verdict marks is which metric's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.segment import Segment

from turnwise.conversations.safe_text import make_safe_line
from turnwise.tui.parts.lines import Line
from turnwise.tui.parts.lines_view import DrawnLines, Tones
from turnwise.tui.parts.wrapping import fit
from turnwise.tui.reading.margin import REST, Margin
from turnwise.tui.reading.score_groups import ScoreGroup

SHORTEST_NAME = 8
"""Cells: names are cut to no less; where not even so much has room, the letters stand alone."""
NO_MARGIN = Margin(0, 0)


class StripKey(DrawnLines):
    """Stands over a transcript while it has verdict marks: their letters over the slots, then their names."""

    DEFAULT_CSS = """
    StripKey { height: 1; display: none; background: $background; }
    StripKey.-told { display: block; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._margin = NO_MARGIN
        self._names: Mapping[str, str] = {}

    def show_margin(self, margin: Margin) -> None:
        """Stand over the slots of another margin."""
        self._margin = margin
        self._draw()

    def show_names(self, groups: Sequence[ScoreGroup]) -> None:
        """Say the names of these metrics."""
        self._names = {group.letter: group.name for group in groups}
        self._draw()

    def on_resize(self) -> None:
        """Cut the names to the room that there is."""
        self._draw()

    def _draw(self) -> None:
        self.set_class(bool(self._margin.slots), "-told")
        width = self.size.width or self.screen.size.width
        self.set_lines([key_line(self._margin, self._names, width, self.tones)])

    def notify_style_update(self) -> None:
        """Draw in the styles of another theme."""
        super().notify_style_update()
        if self.is_mounted:
            self._draw()


def key_line(margin: Margin, names: Mapping[str, str], width: int, tones: Tones) -> Line:
    """Return the letters of the slots where these stand, and after them what each means."""
    letters = "".join(margin.slots)
    start = " " * margin.slots_start
    line: Line = [Segment(f"{start}{letters}".ljust(margin.width), tones.heading)]
    named = [(letter, make_safe_line(names[letter])) for letter in margin.slots if letter in names]
    named += [(REST, "others")] if REST in margin.slots else []
    if not named:
        return line
    room = width - margin.width
    needed = sum(cell_len(name) + 4 for _, name in named)
    most = room // len(named) - 4 if needed > room else room
    if most < SHORTEST_NAME:
        return line
    for letter, name in named:
        shown = fit(name, min(most, cell_len(name)))
        line += [Segment(f"{letter} ", tones.heading), Segment(f"{shown}  ", tones.muted)]
    return line
