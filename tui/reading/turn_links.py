"""Turn links: where a text says "turn 10", the number leads to that turn."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rich.cells import cell_len
from rich.style import Style

from turnwise.tui.drawing.lines import Line, mark_selected

_REFERENCE = re.compile(r"\bturns?[ \xa0](?:\d+(?:,[ \xa0]|[ \xa0](?:and|to|or|&)[ \xa0]|[-\u2013])?)+", re.I)
_NUMBER = re.compile(r"\d+")
_SPLIT = re.compile(r"\b(turns?) (?=\d)", re.I)
MOST_DIGITS = 7


def keep_together(text: str) -> str:
    """Return a text in which no line ends between "turn" and its number."""
    return _SPLIT.sub("\\1\xa0", text)


def turns_named(text: str) -> list[int]:
    """Return the numbers of the turns that a text names, in order, each once."""
    return list(dict.fromkeys(number for _, _, number in _references(text)))


def link_turns(line: Line, style: Style, last: int) -> Line:
    """Return a drawn line with the turns it names, up to number `last`, in `style`."""
    for start, end, number in _references(_text(line)):
        if 1 <= number <= last:
            line = mark_selected(line, start, end, style)
    return line


def links_in(line: Line, last: int) -> list[tuple[int, int, int]]:
    """Return (first cell, cell after the last, turn) of every turn that a drawn line names."""
    text = _text(line)
    return [
        (cell_len(text[:start]), cell_len(text[:end]), number)
        for start, end, number in _references(text)
        if 1 <= number <= last
    ]


def turn_at(line: Line, cell: int, last: int) -> int | None:
    """Return the turn that a drawn line names at a cell; None where it names none there."""
    return next((number for start, end, number in links_in(line, last) if start <= cell < end), None)


def _references(text: str) -> Iterator[tuple[int, int, int]]:
    for found in _REFERENCE.finditer(text):
        word = True
        for number in _NUMBER.finditer(text, found.start(), found.end()):
            if len(number[0]) <= MOST_DIGITS:
                # The first number's word is part of what can be clicked.
                yield found.start() if word else number.start(), number.end(), int(number[0])
            word = False


def _text(line: Line) -> str:
    return "".join(piece.text for piece in line)
