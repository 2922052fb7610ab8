"""Output: standard output is data, standard error is narration, and neither obeys what a transcript holds."""

from __future__ import annotations

import codecs
import json
import shutil
import sys
import time
from collections.abc import Sequence
from typing import Any

from turnwise.conversations.errors import DamageError
from turnwise.conversations.safe_text import make_safe, make_safe_json
from turnwise.tui.terminal.links import linked

_MOST_DAMAGED = 20
"""So many damaged sessions are named; the rest are counted."""
_FURTHER_IN = "  "
_GAP = "  "
_FEWEST = 8
"""A column that gives way to others in a narrow terminal keeps so many cells."""


def emit(value: Any) -> None:
    """Print one JSON object on a line of standard output, for people to read and for no terminal to obey."""
    sys.stdout.write(json_line(value) + "\n")


def json_line(value: Any, *, sort_keys: bool = False) -> str:
    """Return a value as JSON on one line, letters beyond ASCII as they were written.

    What a terminal obeys or hides is escaped, and so is every such letter where the output is not UTF-8.
    """
    if not _writes_utf_8():
        return json.dumps(value, sort_keys=sort_keys)
    return make_safe_json(json.dumps(value, sort_keys=sort_keys, ensure_ascii=False))


def _writes_utf_8() -> bool:
    try:
        return codecs.lookup(sys.stdout.encoding or "utf-8").name == "utf-8"
    except LookupError:
        return False


def say(text: str = "") -> None:
    """Print text on standard output, made safe for a terminal."""
    sys.stdout.write(make_safe(text) + "\n")


def say_whole_words(text: str, indent: str = "") -> None:
    """Print text on standard output, in a terminal cut between words, its further lines further in."""
    for place, line in enumerate(lines_in_terminal(make_safe(text), len(indent) + len(_FURTHER_IN))):
        say(f"{indent}{_FURTHER_IN if place else ''}{line}")


def lines_in_terminal(text: str, free: int) -> list[str]:
    """Return the lines of a text, in a terminal cut between words where so many cells at the left are free.

    The text must be safe already. What is no terminal gets each line as it is.
    """
    lines = text.splitlines() or [""]
    if not sys.stdout.isatty():
        return lines
    from turnwise.tui.drawing.wrapping import wrap  # with what it loads, for a terminal alone

    room = max(20, shutil.get_terminal_size().columns - free)
    return [piece for line in lines for piece in wrap(line, room)]


def say_linked(line: str, links: bool) -> None:
    """Print a line on standard output, made safe; with `links` its addresses can be opened from there."""
    safe = make_safe(line)
    sys.stdout.write((linked(safe) if links else safe) + "\n")


def narrate(text: str) -> None:
    """Print a remark on standard error, made safe for a terminal."""
    sys.stdout.flush()
    sys.stderr.write(make_safe(text) + "\n")
    sys.stderr.flush()


def tell_damage(damaged: Sequence[DamageError], fate: str) -> None:
    """Name the sessions that are damaged, count them, and say what to do. fate: what became of them here."""
    for error in damaged[:_MOST_DAMAGED]:
        narrate(f"! {error.title} and {fate}. {error.detail}")
    count = len(damaged)
    if count > _MOST_DAMAGED:
        narrate(f"! and {count - _MOST_DAMAGED:,} more")
    narrate(f"{count:,} damaged {'session' if count == 1 else 'sessions'} {fate}. {damaged[0].next_step}")


class Progress:
    """A line on standard error that is written over as work goes on; nothing where that is no terminal."""

    def __init__(self, *, every: float = 0.1) -> None:
        self._shown = sys.stderr.isatty()
        self._every = every
        self._last = 0.0

    def show(self, text: str) -> None:
        """Write over the line, at most ten times a second."""
        now = time.monotonic()
        if self._shown and now - self._last >= self._every:
            self._last = now
            sys.stderr.write(f"\r\x1b[K{make_safe(text)}")
            sys.stderr.flush()

    def clear(self) -> None:
        """Take the line away."""
        if self._shown and self._last:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def columns(
    rows: list[list[str]],
    *,
    right: frozenset[int] = frozenset(),
    most: int = 60,
    give_way: Sequence[int] = (),
    indent: str = "",
) -> list[str]:
    """Set rows in columns, padded by display width; the columns named in `right` align right.

    most: the widest a column may be; longer cells are cut. give_way: the columns that are cut, or left out,
    where a terminal is too narrow for a line, the first one first; the last of them is only cut. What is no
    terminal gets every column. indent: stands before each line.
    """
    from rich.cells import cell_len

    cells = [[_cut(" ".join(make_safe(cell).split()), most) for cell in row] for row in rows]
    widths = dict(enumerate(max(map(cell_len, column)) for column in zip(*cells, strict=True)))
    if give_way and sys.stdout.isatty():
        _narrow(widths, give_way, shutil.get_terminal_size().columns - len(indent))
    lines = []
    for row in cells:
        padded = []
        for place, width in widths.items():
            cell = _cut(row[place], width)
            gap = " " * (width - cell_len(cell))
            padded.append(gap + cell if place in right else cell + gap)
        lines.append(_GAP.join(padded).rstrip())
    return lines


def _narrow(widths: dict[int, int], give_way: Sequence[int], room: int) -> None:
    """Make columns narrower until they fit in so many cells, or leave them out; widths: by their places."""
    over = sum(widths.values()) + len(_GAP) * (len(widths) - 1) - room
    for place in give_way:
        if over <= 0:
            return
        width = widths[place]
        if width - over >= _FEWEST:
            widths[place] -= over
            return
        if place == give_way[-1]:
            widths[place] = min(width, _FEWEST)
        else:
            del widths[place]
            over -= width + len(_GAP)


def _cut(cell: str, most: int) -> str:
    from rich.cells import cell_len, set_cell_size

    return cell if cell_len(cell) <= most else set_cell_size(cell, most - 1).rstrip() + "…"
