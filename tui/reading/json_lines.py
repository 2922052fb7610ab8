"""JSON as lines for reading: keys and values told apart, and what does not fit on a line folded by depth."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.conversations.words import counted
from turnwise.tui.drawing.lines import Line
from turnwise.tui.drawing.palette import Palette
from turnwise.tui.drawing.wrapping import fit, wrap
from turnwise.tui.reading.tool_words import short_value

ITEMS_AT_ONCE = 20
"""A longer list shows so many of its items, and a line that opens the others."""
LINES_AT_ONCE = 12
"""The same of a text in it."""
INDENT = "  "
LEAST_WIDTH = 12
"""Cells: what is nested so deep that less is left is not indented further."""
LONGEST = 400
"""Characters: no line is longer, so that no text past them is looked at."""
BROKEN = "broken"
"""The kind of a text that has lines of its own."""


@dataclass(frozen=True, slots=True)
class FoldableLine:
    """A line, and the name of what it opens or folds; empty where it does neither."""

    line: Line
    fold: str = ""


@dataclass(frozen=True, slots=True)
class JsonDrawer:
    """Draws a value `width` cells wide. opened: the names of what is open, of those that lines have."""

    width: int
    palette: Palette
    opened: frozenset[str]

    def draw(self, value: Any, name: str) -> Iterator[FoldableLine]:
        """Yield the lines of a list or a record, what lies deeper folded. name: of its folds' beginning."""
        if (short := _compact(value, self.width)) is not None:
            yield FoldableLine(self._coloured(short))
        else:
            yield from self._members(value, name, "")

    def _members(self, value: Any, name: str, indent: str) -> Iterator[FoldableLine]:
        is_record = isinstance(value, dict)
        pairs = value.items() if is_record else enumerate(value)
        rest = f"{name}/rest"
        count = len(value)
        most = count if rest in self.opened or count <= ITEMS_AT_ONCE + 1 else ITEMS_AT_ONCE
        for place, (key, member) in enumerate(islice(pairs, most)):
            label = f"{make_safe_line(str(key))}: " if is_record else f"{key + 1}. "
            yield from self._member(member, label, f"{name}/{place}", indent, is_record=is_record)
        if most < count:
            word = "fields" if is_record else "items"
            yield self._fold_line(indent, f"▸ {count - most:,} more {word}", rest)
        elif rest in self.opened:
            yield self._fold_line(indent, "▾ show less", rest)

    def _member(
        self, value: Any, label: str, name: str, indent: str, *, is_record: bool
    ) -> Iterator[FoldableLine]:
        label = fit(label, min(cell_len(label), max(1, self.width - len(indent) - LEAST_WIDTH)))
        head = [Segment(indent), Segment(label, self.palette.key if is_record else self.palette.muted)]
        room = max(1, self.width - len(indent) - cell_len(label))
        if (short := _compact(value, room)) is not None:
            yield FoldableLine([*head, *self._coloured(short)])
        elif isinstance(value, dict | list):
            is_open = name in self.opened
            sign = "▾" if is_open else "▸"
            count = counted(len(value), "field" if isinstance(value, dict) else "item")
            told = fit(count if is_open else f"{count}  {short_value(value)}", max(1, room - 2)).rstrip()
            before, after = (Segment(text, self.palette.fold) for text in (f"{sign} ", told))
            yield FoldableLine([Segment(indent), before, head[1], after], name)
            if is_open:
                deeper = indent + INDENT
                yield from self._members(
                    value, name, deeper if self.width - len(deeper) > LEAST_WIDTH else indent
                )
        else:
            yield from self._text(value, head, room, name, indent)

    def _text(self, value: Any, head: Line, room: int, name: str, indent: str) -> Iterator[FoldableLine]:
        """Yield a text that does not fit on a line, as it reads: with the breaks that it has."""
        text = value if isinstance(value, str) else json.dumps(value)
        deeper = indent + INDENT if self.width - len(indent) > LEAST_WIDTH else ""
        lines = wrap(make_safe(text), max(1, self.width - len(deeper)))
        most = None if name in self.opened else LINES_AT_ONCE
        shown = list(islice(lines, most))
        more = next(lines, None) is not None
        yield FoldableLine(head)
        for line in shown:
            yield FoldableLine([Segment(deeper), Segment(line, self.palette.value)])
        if more:
            yield self._fold_line(deeper, f"▸ more of {len(text):,} characters", name)
        elif most is None:
            yield self._fold_line(deeper, "▾ show less", name)

    def _fold_line(self, indent: str, words: str, name: str) -> FoldableLine:
        shown = fit(words, min(cell_len(words), max(1, self.width - len(indent))))
        return FoldableLine([Segment(indent), Segment(shown, self.palette.fold)], name)

    def _coloured(self, pieces: list[tuple[str, str]]) -> Line:
        styles: dict[str, Style] = {
            "key": self.palette.key,
            "value": self.palette.value,
            "mark": self.palette.muted,
        }
        return [Segment(text, styles[kind]) for text, kind in pieces]


def open_lines(value: Any, width: int, palette: Palette, steps: int) -> list[Line]:
    """Return the lines of a value of which so many steps are open; what lies deeper has a line each."""
    opened: frozenset[str] = frozenset()
    lines: list[FoldableLine] = []
    for _ in range(steps + 1):
        lines = list(JsonDrawer(width, palette, opened).draw(value, ""))
        opened |= {line.fold for line in lines}
    return [line.line for line in lines]


def _compact(value: Any, room: int) -> list[tuple[str, str]] | None:
    """Return a value in pieces (text, kind) on one line of `room` cells; None where it does not fit."""
    pieces: list[tuple[str, str]] = []
    used = 0
    for text, kind in _pieces(value):
        if kind == BROKEN or len(text) > LONGEST:
            return None
        # What stands between keeps its blanks.
        safe = text if kind == "mark" else make_safe_line(text)
        used += cell_len(safe)
        if used > room:
            return None
        pieces.append((safe, kind))
    return pieces


def _pieces(value: Any) -> Iterator[tuple[str, str]]:
    """Yield a value as JSON, piece by piece, so that whoever has enough can stop."""
    if isinstance(value, dict):
        yield "{", "mark"
        for place, (key, member) in enumerate(value.items()):
            yield ", " if place else "", "mark"
            yield f"{key}:", "key"
            yield " ", "mark"
            yield from _pieces(member)
        yield "}", "mark"
    elif isinstance(value, list):
        yield "[", "mark"
        for place, item in enumerate(value):
            yield ", " if place else "", "mark"
            yield from _pieces(item)
        yield "]", "mark"
    elif isinstance(value, str) and ("\n" in value or len(value) > LONGEST):
        yield "", BROKEN
    else:
        yield json.dumps(value, ensure_ascii=False), "value"
