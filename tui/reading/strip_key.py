"""StripKey: the line over a transcript that says which slot of its verdict marks is which metric's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.segment import Segment

from turnwise.conversations.marks import PASSED_IN_STRIP
from turnwise.conversations.safe_text import make_safe_line
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.lines_view import DrawnLines, Tones
from turnwise.tui.drawing.wrapping import ELLIPSIS, fit
from turnwise.tui.reading.margin import REST, Margin
from turnwise.tui.reading.score_groups import ScoreGroup

TELLING_WORD = 6
"""Cells: a first word that is shorter, such as "turn", tells no metric from others alone."""
TOLD_OF_SHORT = 9
"""Cells of a name whose first word is short, where not all of it has room."""
SHORTEST_NAME = 5
"""Cells: names are cut to no less; where not even so much has room, the letters stand alone."""
GAP = 2
"""Cells after the letters of the slots, and after each name."""
EDGE = 1
"""Cells that stay free at the right, as beside the turns."""
_PASSES = f"{PASSED_IN_STRIP} passes"
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
    # Elsewhere what passes is ✓. One metric alone keeps that.
    if len(margin.slots) > 1 and told and told == named and _cells(told) + GAP + len(_PASSES) <= room:
        line.append(Segment(_PASSES, tones.muted))
    return line


def _told_in(names: Mapping[str, str], room: int) -> Mapping[str, str]:
    """Return the names as they fit into so many cells: whole, short, or cut alike; none at the worst.

    As many as have room stay whole, those of a short first word before all others: it says little alone.
    What room is left goes to one that is cut. Where two would be shortened to the same, all that do not fit
    are cut.
    """
    if _cells(names) <= room:
        return names
    first = {letter: _short(name) for letter, name in names.items()}
    if len(set(first.values())) == len(first) and _cells(first) <= room:
        return _lengthened(first, names, room)
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


def _lengthened(cut: Mapping[str, str], names: Mapping[str, str], room: int) -> Mapping[str, str]:
    """Return names that are cut with the room that is left: first to those that it makes whole."""
    by_first_word = sorted(names, key=lambda letter: cell_len(names[letter].partition(" ")[0]))
    for letter in by_first_word:
        whole = {**cut, letter: names[letter]}
        cut = whole if _cells(whole) <= room else cut
    for letter in by_first_word:
        if cut[letter] != names[letter]:
            cells = cell_len(cut[letter]) + room - _cells(cut)
            return {**cut, letter: fit(names[letter], cells)}
    return cut


def _short(name: str) -> str:
    """Return the first word of a name, and a mark where there are more; a short one with some of the next."""
    word, more, _ = name.partition(" ")
    if not more or cell_len(word) >= TELLING_WORD:
        return word + ELLIPSIS * bool(more)
    return fit(name, min(TOLD_OF_SHORT, cell_len(name)))


def _cells(names: Mapping[str, str]) -> int:
    """Return how many cells letters and names take, without the gap after the last one."""
    return sum(cell_len(name) + 2 + GAP for name in names.values()) - GAP
