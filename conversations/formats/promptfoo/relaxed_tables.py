"""CSV whose quotes are not as the format wants them: what stands in the cells is taken as it stands."""

from __future__ import annotations

import re

_STOP = re.compile(r'"|,|\r\n|\r|\n')
_AFTER_CLOSING = ("", ",", "\r", "\n")


def relaxed_lines(text: str) -> list[list[str]]:
    """Return the cells of every line of a CSV text.

    A quote inside a cell is a character of it. A cell that begins with a quote, and goes on behind the one
    that seems to close it, keeps both.
    """
    lines: list[list[str]] = []
    cells: list[str] = []
    place = 0
    while place < len(text):
        cell, place = _quoted(text, place) if text[place] == '"' else _bare(text, place, "")
        cells.append(cell)
        if text[place : place + 1] == ",":
            place += 1
            if place < len(text):
                continue
            cells.append("")
        lines.append(cells)
        cells = []
        place += 2 if text.startswith("\r\n", place) else 1
    return [[] if line == [""] else line for line in lines]


def _quoted(text: str, start: int) -> tuple[str, int]:
    """Return the cell that begins with a quote, and where it ends."""
    parts: list[str] = []
    place = start + 1
    while (end := text.find('"', place)) >= 0:
        parts.append(text[place:end])
        if text[end + 1 : end + 2] == '"':
            parts.append('"')
            place = end + 2
        elif text[end + 1 : end + 2] in _AFTER_CLOSING:
            return "".join(parts), end + 1
        else:
            return _bare(text, end + 1, f'"{"".join(parts)}"')
    return "".join([*parts, text[place:]]), len(text)


def _bare(text: str, start: int, before: str) -> tuple[str, int]:
    """Return the cell whose rest stands without quotes, and where it ends."""
    place = start
    while (found := _STOP.search(text, place)) and found[0] == '"':
        place = found.end()
    end = found.start() if found else len(text)
    return before + text[start:end], end
