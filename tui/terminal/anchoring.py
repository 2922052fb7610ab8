"""Anchoring: text that terminals draw in different widths is written so that nothing beside it moves.

A joined emoji takes two cells in one terminal and eight in another, a vowel sign of Hindi none or one. Where
the app counts otherwise than the terminal, all that follows on the row is drawn beside its place, and what is
left over there stays for good. So behind every such piece of text the cursor is put where the app has it, and
the cells of the piece are blank before it is drawn, whatever it fills of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

from rich.cells import cell_len

MARKED = "\u0928\u093f"
"""A letter of Hindi with a vowel sign beside it: two cells where the sign takes one, else one."""
JOINED = "\U0001f469\U0001f3fd\u200d\U0001f4bb"
"""A woman with a skin tone and a computer: two cells where they are one picture."""

_FLAG_LETTERS = "\U0001f1e6-\U0001f1ff"
# Pictures that are two cells wide by Unicode: not the marks and arrows that the app itself draws.
_PICTURES = (
    "\u231a\u231b\u23e9-\u23ec\u23f0\u23f3\u25fd\u25fe\u2614\u2615\u2630-\u2637\u2648-\u2653\u267f"
    "\u268a-\u268f\u2693\u26a1\u26aa\u26ab\u26bd\u26be\u26c4\u26c5\u26ce\u26d4\u26ea\u26f2\u26f3\u26f5"
    "\u26fa\u26fd\u2705\u270a\u270b\u2728\u274c\u274e\u2753-\u2755\u2757\u2795-\u2797\u27b0\u27bf"
    "\u2b1b\u2b1c\u2b50\u2b55\u3248-\u324f\u4dc0-\u4dff\U0001d300-\U0001d376\U0001f000-\U0001faff"
)
# From Hebrew to the old Jamo, and what stands apart from them: their vowels and marks take a cell or none.
_SCRIPTS = (
    "\u0590-\u11ff\u135d-\u135f\u1700-\u1cff\ua66f-\ua67d\ua69e\ua69f\ua6f0\ua6f1\ua800-\uabff\ud7b0-\ud7fb"
    "\ufb1d-\ufdff\ufe70-\ufefc\U00010a00-\U00011fff"
)
# What is written over the character before it, or changes how that is drawn.
_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u1dc0-\u1dff\u20d0-\u20ff\u302a-\u302f\u3099\u309a\ufe00-\ufe0f\ufe20-\ufe2f"
    "\U0001f3fb-\U0001f3ff\U000e0020-\U000e01ef"
)
_JOINER = "\u200d"
_SKINS = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"

_UNSURE = re.compile(f"[{_PICTURES}{_SCRIPTS}{_MARKS}\u200c{_JOINER}]")
_PIECE = re.compile(
    rf"[{_SCRIPTS}][{_SCRIPTS}{_MARKS}\u200c{_JOINER}]*"
    rf"|[{_FLAG_LETTERS}]{{2}}"
    rf"|.(?:[{_MARKS}\u200c]|{_JOINER}.?)+"
    rf"|[{_PICTURES}]"
)
_OF_SCRIPT = re.compile(f"[{_SCRIPTS}]")
_PLACE = re.compile(r"\x1b\[\d+;(\d+)H")
_CODE = re.compile(r"(\x1b\[[0-9;?<>=]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|[\x00-\x1f\x7f])")
_STAYS = re.compile(r"\x1b\[[\d;:]*m\Z|\x1b\]8;")
"""Codes after which the cursor stands where it stood: colours and links."""


class Joining(Enum):
    """What is known of how a terminal draws what is joined, such as a family of emoji.

    BETWEEN: a program such as tmux stands between, which counts it as one picture, whatever is drawn.
    """

    UNKNOWN = "unknown"
    JOINS = "joins"
    BETWEEN = "between"


def anchored(written: str, joining: Joining = Joining.UNKNOWN) -> str:
    """Return what is written to a terminal, with the cursor put right behind each piece of unsure width.

    written: whole codes, as Textual writes them: text follows the place that it is drawn at.
    """
    if not _is_unsure(written):
        return written
    parts: list[str] = []
    begun, column = 0, 0
    for place in (*_PLACE.finditer(written), None):
        stretch = written[begun : place.start() if place else None]
        # Before the first place nobody knows where the cursor is.
        parts.append(_anchored_stretch(stretch, column, joining) if column else stretch)
        if place is not None:
            parts.append(place[0])
            begun, column = place.end(), int(place[1])
    return "".join(parts)


def _is_unsure(text: str) -> bool:
    """Return whether text has a character whose width terminals disagree on."""
    # To search all of a frame takes four times as long as to look at each character that it has once.
    return not text.isascii() and _UNSURE.search("".join(set(text))) is not None


def _anchored_stretch(stretch: str, column: int, joining: Joining) -> str:
    """Return text and codes that are drawn in one go from a column on, counted from 1."""
    if not _is_unsure(stretch):
        return stretch
    pieces = _CODE.split(stretch)
    codes = pieces[1::2]
    # Past a code that moves the cursor, nothing is known again.
    known = next((at for at, code in enumerate(codes) if not _STAYS.match(code)), len(codes))
    texts, rest = pieces[: 2 * known + 1], pieces[2 * known + 1 :]
    end = column + sum(cell_len(text) for text in texts[::2])
    written: list[str] = []
    for at, text in enumerate(texts):
        if at % 2:
            written.append(text)
        else:
            written += _anchored_text(text, column, end, joining)
            column += cell_len(text)
    return "".join([*written, *rest])


def _anchored_text(text: str, column: int, end: int, joining: Joining) -> Iterator[str]:
    """Return text from a column on. end: the column behind all that is drawn in the same go."""
    done = 0
    for piece in _PIECE.finditer(text):
        if before := text[done : piece.start()]:
            yield before
            column += cell_len(before)
        cells = cell_len(piece[0])
        # What a terminal draws past the piece is drawn over by what follows, where anything does.
        # Between, what runs over its cells would be drawn over by nothing: the text after it is not moved.
        room = cells if joining is Joining.BETWEEN else end - column
        shown = piece[0] if joining is Joining.JOINS else _fitting(piece[0], room)
        yield f"{' ' * cells}\x1b[{column}G{shown}\x1b[{column + cells}G"
        column += cells
        done = piece.end()
    if after := text[done:]:
        yield after


def widest(piece: str) -> int:
    """Return how many cells a piece takes in a terminal that joins nothing."""
    return max(cell_len(piece), sum(2 if one in _SKINS else cell_len(one) for one in piece))


def _fitting(piece: str, room: int) -> str:
    """Return a piece, or its first character where a terminal may draw more than there is room for."""
    if widest(piece) <= room:
        return piece
    if not _OF_SCRIPT.match(piece):
        return piece[0]
    while len(piece) > 1 and widest(piece) > room:
        piece = piece[:-1].rstrip(_JOINER)
    return piece
