"""StripKey: the line over a transcript that says which slot of its verdict marks is which metric's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.segment import Segment

from turnwise.conversations.safe_text import make_safe_line
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import DrawnLines, Tones
from turnwise.tui.drawing.wrapping import fit
from turnwise.tui.reading.margin import REST, Margin
from turnwise.tui.reading.score_groups import ScoreGroup

SHORTEST_NAME = 5
"""Cells: names are cut to no less; where not even so much has room, the letters stand alone."""
GAP = 2
"""Cells after the letters of the slots, and after each name."""
EDGE = 1
"""Cells that stay free at the right, as beside the turns."""
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
        self._names: Mapping[str, str] | None = None

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


def key_line(margin: Margin, names: Mapping[str, str] | None, width: int, tones: Tones) -> Line:
    """Return the letters of the slots where these stand, and after them what each means.

    A letter that means nothing yet, as before the first score of a replay, is left out. names: None where the
    letters stand alone, as those of two judges that are named elsewhere.
    """
    known = names or {}
    named = {letter: make_safe_line(known[letter]) for letter in margin.slots if letter in known}
    named |= {REST: "others"} if REST in margin.slots else {}
    letters = "".join(letter if names is None or letter in named else " " for letter in margin.slots)
    start = " " * margin.slots_start
    head = f"{start}{letters}".ljust(margin.width - 1) + " " * GAP
    line: Line = [Segment(head, tones.heading)]
    room = width - len(head) - EDGE
    told = _told_in(named, room)
    for letter, name in told.items():
        # Not as in a line of keys, a bold letter before a grey word: pressed, it says nothing of the metric.
        line += [Segment(letter, tones.text), Segment(f"={name}{' ' * GAP}", tones.muted)]
    return line


def _told_in(names: Mapping[str, str], room: int) -> Mapping[str, str]:
    """Return the names as they fit into so many cells: whole, by their first words, or cut; at worst none.

    As many as have room stay whole, those of a short first word before all others: it says little alone.
    Where two begin with the same word, or the words have no room, all that do not fit are cut, and what room
    is left goes to one of them.
    """
    if _cells(names) <= room:
        return names
    first = {letter: name.partition(" ")[0] for letter, name in names.items()}
    if len(set(first.values())) == len(first) and _cells(first) <= room:
        return _made_whole(first, names, room)
    if _cells(_cut(names, SHORTEST_NAME)) > room:
        return {}
    longest = max(map(cell_len, names.values()))
    told = next(
        cut for most in range(longest, SHORTEST_NAME - 1, -1) if _cells(cut := _cut(names, most)) <= room
    )
    # Two that are the same tell nothing of what their letters mean.
    return _lengthened(told, names, room) if len(set(told.values())) == len(told) else {}


def _cut(names: Mapping[str, str], most: int) -> Mapping[str, str]:
    """Return the names, each in so many cells at the most."""
    return {letter: fit(name, min(most, cell_len(name))) for letter, name in names.items()}


def _made_whole(short: Mapping[str, str], names: Mapping[str, str], room: int) -> Mapping[str, str]:
    """Return shortened names of which as many are whole as have room."""
    for letter in _by_first_word(names):
        whole = {**short, letter: names[letter]}
        short = whole if _cells(whole) <= room else short
    return short


def _by_first_word(names: Mapping[str, str]) -> list[str]:
    """Return the letters of names, that of the shortest first word first."""
    return sorted(names, key=lambda letter: cell_len(names[letter].partition(" ")[0]))


def _lengthened(cut: Mapping[str, str], names: Mapping[str, str], room: int) -> Mapping[str, str]:
    """Return names that are cut with the room that is left: first to those that it makes whole."""
    cut = _made_whole(cut, names, room)
    for letter in _by_first_word(names):
        if cut[letter] != names[letter]:
            cells = cell_len(cut[letter]) + room - _cells(cut)
            return {**cut, letter: fit(names[letter], cells)}
    return cut


def _cells(names: Mapping[str, str]) -> int:
    """Return how many cells letters and names take, without the gap after the last one."""
    return sum(cell_len(name) + 2 + GAP for name in names.values()) - GAP
