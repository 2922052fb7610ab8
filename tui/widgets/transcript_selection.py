"""Selecting text over drawn turns: where a selection stands, how it looks, what it holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Offset

from turnwise.conversations.store.rows import TurnRow
from turnwise.tui.widgets.safe_text import make_safe
from turnwise.tui.widgets.turn_lines import Line

MOST_DRAWN_TURNS = 200
"""A selection over more turns takes the text of those between from their rows: drawing all would be felt."""


class Lines:
    """A line of a turn as one number that keeps the order, so that corrected heights move no selection."""

    _SHIFT = 24

    @classmethod
    def encode(cls, turn: int, line: int) -> int:
        """Return the number of a line of a turn, both counted from 0."""
        return (turn << cls._SHIFT) | line

    @classmethod
    def decode(cls, number: int) -> tuple[int, int]:
        """Return (turn, line)."""
        return number >> cls._SHIFT, number & ((1 << cls._SHIFT) - 1)


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


def selected_text(
    start: Offset,
    end: Offset,
    turns: int,
    lines_of: Callable[[int], list[Line]],
    row_of: Callable[[int], TurnRow],
) -> str:
    """Return the text from one offset to another, each (character, encoded line)."""
    (first, first_line), (last, last_line) = Lines.decode(start.y), Lines.decode(end.y)

    def texts() -> Iterator[str]:
        for turn in range(max(0, first), min(last, turns - 1) + 1):
            if first < turn < last and last - first > MOST_DRAWN_TURNS:
                row = row_of(turn)
                yield f"{row.role}\n{make_safe(row.content)}\n"
                continue
            # One line more than is drawn: the gap between turns.
            drawn = ["".join(text for text, _, _ in line).rstrip() for line in [*lines_of(turn), []]]
            for number, text in enumerate(drawn):
                if (turn == first and number < first_line) or (turn == last and number > last_line):
                    continue
                stop = end.x if (turn, number) == (last, last_line) else len(text)
                begin = start.x if (turn, number) == (first, first_line) else 0
                yield text[max(0, begin) : max(0, stop)]

    return "\n".join(texts())
