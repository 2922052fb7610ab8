"""StripKey: the line over a transcript that says which slot of its verdict marks is which metric's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from turnwise.conversations.marks import SKIPPED
from turnwise.conversations.safe_text import make_safe_line
from turnwise.tui.drawing.lines import Line, line_text
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
FOLDS_FROM = 20
"""In a window of so many lines names that have no room in one line take two; in a lower one turns need it."""
FOLDED = 2
"""So many names at the least are not whole in one line where they take two."""
_EDGE = "│ "
"""Stands between the letters over the marks and what they mean, in the cells of a gap."""
_NONE = f"{SKIPPED}=no verdict"
"""What the sign in the slot of a metric means that says nothing of a turn."""
_HEAD = Style(underline=True)
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
        self._in_the_end: Mapping[str, str] = {}
        self._height = 1

    def show_margin(self, margin: Margin) -> None:
        """Stand over the slots of another margin."""
        self._margin = margin
        self._draw()

    def show_names(self, groups: Sequence[ScoreGroup], margin: Margin | None = None) -> None:
        """Say the names of these metrics; margin: where their slots are by now."""
        self._names = {group.letter: group.name for group in groups}
        self._margin = margin or self._margin
        self._draw()

    def keep_room(self, names: Mapping[str, str]) -> None:
        """Have as many lines as these names take, by letter, all of which will have been told in the end."""
        self._in_the_end = names
        self._draw()

    def on_resize(self) -> None:
        """Cut the names to the room that there is."""
        self._draw()

    def _draw(self) -> None:
        self.set_class(bool(self._margin.slots), "-told")
        width = self.size.width or self.screen.size.width
        folds = self.screen.size.height >= FOLDS_FROM
        lines = key_lines(self._margin, self._names, width, self.tones, folds=folds, to_be=self._in_the_end)
        self.set_lines(lines)
        if len(lines) != self._height:
            self._height = len(lines)
            self.styles.height = self._height

    def notify_style_update(self) -> None:
        """Draw in the styles of another theme."""
        super().notify_style_update()
        if self.is_mounted:
            self._draw()


def key_lines(
    margin: Margin,
    names: Mapping[str, str] | None,
    width: int,
    tones: Tones,
    *,
    folds: bool = False,
    to_be: Mapping[str, str] | None = None,
) -> list[Line]:
    """Return the letters of the slots where these stand, and after them what each means.

    A letter that means nothing yet, as before the first score of a replay, is left out. names: None where the
    letters stand alone, as those of two judges that are named elsewhere. folds: whether whole names may go on
    in a line below the letters; else they are told by their first words, or cut. to_be: the names that
    will be known in the end, which decide how many lines there are from the start.
    """
    named = _named(margin, names or {})
    letters = "".join(letter if names is None or letter in named else " " for letter in margin.slots)
    head = f"{' ' * margin.slots_start}{letters}".ljust(margin.width - 1)
    room = width - len(head) - GAP - EDGE
    parts = _in_two(_named(margin, to_be or names or {}), room) if folds else ()
    known: Sequence[Mapping[str, str]]
    if parts:
        known = [{letter: named[letter] for letter in part if letter in named} for part in parts]
        heads = (head, " " * len(head))
        lines = [_line(start, told, tones) for start, told in zip(heads, known, strict=True)]
    else:
        known = [_told_in(named, room)]
        lines = [_line(head, known[0], tones)]
    if known[-1] and cell_len(line_text(lines[-1])) + cell_len(_NONE) + EDGE <= width and margin.has_gaps:
        lines[-1].append(Segment(_NONE, tones.muted))
    return lines


def _line(head: str, told: Mapping[str, str], tones: Tones) -> Line:
    # The letters are the heads of columns of marks, and are not to be read on into the names beside them.
    indent = len(head) - len(head.lstrip())
    line: Line = [Segment(head[:indent]), Segment(head[indent:].rstrip(), tones.heading + _HEAD)]
    line += [
        Segment(" " * (len(head) - max(indent, len(head.rstrip())))),
        Segment(_EDGE if told else "", tones.muted),
    ]
    for letter, name in told.items():
        # Not as in a line of keys, a bold letter before a grey word: pressed, it says nothing of the metric.
        line += [Segment(letter, tones.text), Segment(f"={name}{' ' * GAP}", tones.muted)]
    return line


def _named(margin: Margin, names: Mapping[str, str]) -> Mapping[str, str]:
    """Return the names of the slots by their letters, those of metrics that share the last one as one."""
    named = {letter: make_safe_line(names[letter]) for letter in margin.slots if letter in names}
    return named | ({REST: "others"} if REST in margin.slots else {})


def _in_two(names: Mapping[str, str], room: int) -> Sequence[Mapping[str, str]]:
    """Return the names as they stand whole in two lines; none where one will do, or two do not hold them.

    One will do where it tells all but one of them whole: turns need the lines more.
    """
    told = _told_in(names, room)
    if sum(told.get(letter) != name for letter, name in names.items()) < FOLDED:
        return ()
    upper: dict[str, str] = {}
    for letter, name in names.items():
        if _cells(longer := {**upper, letter: name}) > room:
            break
        upper = longer
    lower = {letter: name for letter, name in names.items() if letter not in upper}
    return (upper, lower) if upper and _cells(lower) <= room else ()


def _told_in(names: Mapping[str, str], room: int) -> Mapping[str, str]:
    """Return the names as they fit into so many cells: whole, by their first words, or cut; at worst none.

    As many as have room stay whole, those of a short first word before all others: it says little alone.
    Where two begin with the same word, or the words have no room, all that do not fit are cut, and what room
    is left goes to one of them.
    """
    if _cells(names) <= room:
        return names
    first = {letter: _first_word(name) for letter, name in names.items()}
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


def _first_word(name: str) -> str:
    """Return the first word of a name, with the sign that it goes on where it does."""
    word, _, rest = name.partition(" ")
    return f"{word}…" if rest else word


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
