"""Lines: text that is drawn already, a line a list of segments, and what is marked in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import groupby

from rich.segment import Segment
from rich.style import Style

from turnwise.conversations.patterns import PatternTimeError, WrittenPattern

Line = list[Segment]
"""One drawn line, from its left end."""

BAR, BAR_AWAY = "▌", "▏"
"""What marks the current place: where keys move it, and where they go elsewhere."""


def line_text(line: Line) -> str:
    """Return the characters of a line without their styles."""
    return "".join(piece.text for piece in line)


def on_own_ground(text: str, style: Style) -> Line:
    """Return a cell of a table in a style: where that has a ground of its own, blanks around it have none."""
    if not (style.reverse and (word := text.strip())):
        return [Segment(text, style)]
    before, after = text.split(word, 1)
    plain = style + Style(reverse=False)
    return [Segment(one, look) for one, look in ((before, plain), (word, style), (after, plain)) if one]


def with_marks(line: Line, styles: Mapping[str, Style]) -> Line:
    """Return a line in which some characters have a style of their own, such as the marks of a key."""
    marked: Line = []
    for text, own, _ in line:
        for style, alike in groupby(text, key=lambda sign: styles.get(sign, own)):
            marked.append(Segment("".join(alike), style))
    return marked


def joined(line: Iterable[Segment]) -> Line:
    """Return a line in as few segments as draw the same: each costs time, and bytes on the way to a terminal.

    What is blank is drawn with what stands before it, where neither has a ground or a line of its own.
    """
    found: Line = []
    text, style = "", None
    for piece, own, _ in line:
        if own is style or own == style or (piece.isspace() and _is_plain(own) and _is_plain(style)):
            text += piece
            continue
        if text:
            found.append(Segment(text, style))
        text, style = piece, own
    return [*found, Segment(text, style)] if text else found


def _is_plain(style: Style | None) -> bool:
    return style is None or not (
        style.bgcolor or style.underline or style.reverse or style.strike or style.meta
    )


def mark_selected(line: Line, start: int, end: int, style: Style) -> Line:
    """Return a line with its characters from `start` up to `end` in `style`; -1 is the line's end."""
    marked: Line = []
    position = 0
    for text, own, _ in line:
        first = max(0, start - position)
        last = len(text) if end < 0 else max(0, end - position)
        for piece, inside in (
            (text[:first], False),
            (text[first:last], True),
            (text[max(first, last) :], False),
        ):
            if piece:
                marked.append(Segment(piece, (own + style if own else style) if inside else own))
        position += len(text)
    return marked


_SECONDS_OF_A_LINE = 0.02
"""How long one line may be looked through while it is drawn: what was found in time in a whole message is
found in a line at once."""


def holds_match(text: str, pattern: WrittenPattern) -> bool:
    """Whether a drawn line holds a match; not where it cannot be told while one waits."""
    try:
        return any(True for _ in pattern.finditer(text, seconds=_SECONDS_OF_A_LINE))
    except PatternTimeError:
        return False


def mark_matches(line: Line, pattern: WrittenPattern, style: Style) -> Line:
    """Return a line with what matches a pattern in `style`."""
    text = line_text(line)
    with suppress(PatternTimeError):
        for match in pattern.finditer(text, seconds=_SECONDS_OF_A_LINE):
            if match.end() > match.start():
                line = mark_selected(line, match.start(), match.end(), style)
    return line
