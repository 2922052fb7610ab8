"""JSON that stands in a text on lines of its own, outside of fenced blocks: how models write calls down."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from turnwise.engine.suites.values import strict_json

_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})(.*)")
_MARKS = re.compile(r'"(?:\\.|[^"\\])*"|"(?P<open>.*)|[{}\[\]]')
_PAIRS = {"}": "{", "]": "["}
_MOST_TRIES = 500


@dataclass(frozen=True, slots=True)
class _Mark:
    """A brace or bracket outside of quotation marks. begins, ends: whether it does so to its line."""

    sign: str
    place: int
    begins: bool
    ends: bool


def json_on_lines(text: str) -> Iterator[Any]:
    """Yield the objects and lists of a text that begin a line and end one; one in another does not count.

    Where a piece is no JSON, what it holds is looked at instead.
    """
    waiting, tries = [(text, False)], 0
    while waiting and tries < _MOST_TRIES:
        piece, inside = waiting.pop()
        found = list(_blocks(piece, inside=inside))
        for begin, end, begins in reversed(found) if inside else found:
            tries += 1
            try:
                value = strict_json(piece[begin:end])
            except ValueError:
                waiting.append((piece[begin:end], True))
            else:
                if begins:
                    yield value


def _blocks(text: str, *, inside: bool) -> Iterator[tuple[int, int, bool]]:
    """Yield where a balanced piece begins and ends, if it ends a line, and whether it begins one."""
    marks = list(_marks(text))
    lone = _lone(marks)
    depth, start = 0, None
    for mark in marks:
        if mark is None or mark.place in lone:
            continue
        if mark.sign in "{[":
            if start is None and depth == int(inside):
                start = mark
            depth += 1
            continue
        depth -= 1
        if start is not None and depth == int(inside):
            if mark.ends:
                yield start.place, mark.place + 1, start.begins
            start = None


def _lone(marks: list[_Mark | None]) -> set[int]:
    """Return the places of the marks without a partner; nothing closes what a fence or a quote parts."""
    open_marks: list[_Mark] = []
    border = 0
    for mark in marks:
        if mark is None:
            border = len(open_marks)
        elif mark.sign in "{[":
            open_marks.append(mark)
        elif len(open_marks) > border and open_marks[-1].sign == _PAIRS[mark.sign]:
            open_marks.pop()
        else:
            open_marks.append(mark)
            border = len(open_marks)
    return {mark.place for mark in open_marks}


def _marks(text: str) -> Iterator[_Mark | None]:
    """Yield the braces and brackets of a text, and None where one part of it ends."""
    fence, offset = "", 0
    for line in text.split("\n"):
        fenced = _FENCE.match(line)
        if fence:
            if fenced and fenced[1].startswith(fence) and not fenced[2].strip():
                fence = ""
        elif fenced and not (fenced[1][0] == "`" and "`" in fenced[2]):
            fence = fenced[1]
            yield None
        else:
            first, last = len(line) - len(line.lstrip()), len(line.rstrip()) - 1
            for mark in _MARKS.finditer(line):
                if mark["open"] is not None:
                    yield None
                elif mark[0] in "{}[]":
                    place = mark.start()
                    yield _Mark(mark[0], offset + place, place == first, place == last)
        offset += len(line) + 1
