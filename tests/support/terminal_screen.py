"""What a terminal shows of what was written to it: cells at their places, and what ran over the edge."""

from __future__ import annotations

import codecs
import re
import unicodedata

from rich.cells import split_graphemes

_PARTS = re.compile(
    r"\x1b\[(?P<numbers>[0-9;?<>=]*)[ -/]*(?P<command>[@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"
    r"|\x1bP[^\x1b]*\x1b\\|\x1b[^\[\]P]|(?P<control>[\x00-\x1a\x1c-\x1f\x7f])|(?P<text>[^\x00-\x1f\x7f]+)",
    re.DOTALL,
)
_MOVES = {"A": (0, -1), "B": (0, 1), "C": (1, 0), "D": (-1, 0)}


class TerminalScreen:
    """Draws what the app writes: text, moves of the cursor, and erasing; colours are left out.

    overflowing: the lines as they were written whose text went past the last column, or below the last line.
    """

    def __init__(self, size: tuple[int, int], *, joins: bool = True) -> None:
        """size: columns and lines. joins: whether joined emoji are one picture; else each part is drawn."""
        self._joins = joins
        self._columns, self._lines = size
        self._cells = [[" "] * self._columns for _ in range(self._lines)]
        self._x = self._y = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._cut = ""
        self._last: tuple[int, str] | None = None
        """The cell and the text of what was drawn last, where nothing but text may follow it."""
        self.overflowing: list[str] = []

    def feed(self, written: bytes) -> TerminalScreen:
        """Draw what was written next; a command that is cut off waits for its rest."""
        text = self._cut + self._decoder.decode(written)
        last = text.rfind("\x1b")
        whole = last < 0 or _PARTS.match(text, last) is not None
        self._cut = "" if whole else text[last:]
        for part in _PARTS.finditer(text if whole else text[:last]):
            if part["text"]:
                self._draw(part["text"])
                continue
            self._last = None
            if part["control"]:
                self._x = 0 if part["control"] == "\r" else self._x
                self._y += part["control"] == "\n"
            elif part["command"]:
                self._obey(part["command"], part["numbers"])
        return self

    def resize(self, size: tuple[int, int]) -> None:
        """Take another size as terminals do: what is beyond it is cut off, and what is new is blank."""
        self._columns, self._lines = size
        kept = [(line + [" "] * self._columns)[: self._columns] for line in self._cells[: self._lines]]
        blank = [[" "] * self._columns for _ in range(self._lines - len(kept))]
        self._cells = kept + blank

    @property
    def cells(self) -> list[list[str]]:
        """What stands in each cell; the second cell of a wide character is empty."""
        return self._cells

    @property
    def lines(self) -> list[str]:
        """What stands in each line, without what is blank at its end."""
        return ["".join(line).rstrip() for line in self._cells]

    def _draw(self, text: str) -> None:
        if not self._joins:
            self._draw_parts(text)
            return
        if self._last is not None and not text[0].isascii():
            # Written in two pieces: a sign may end in the one before, and what changes it stand in this one.
            self._x, before = self._last
            text = before + text
        # Most of it is ASCII, where every character is a cell.
        plain = [(place, place + 1, 1) for place in range(len(text))] if text.isascii() else None
        for start, end, cells in plain or split_graphemes(text)[0]:
            if self._x + cells > self._columns or self._y >= self._lines:
                self.overflowing.append(f"{self._y + 1}: {text[start:end]!r} after {self._line(self._y)!r}")
            elif cells:
                # The second cell of a wide character holds nothing of its own.
                self._cells[self._y][self._x : self._x + cells] = [text[start:end], *[""] * (cells - 1)]
            self._last = self._x, text[start:end]
            self._x += cells

    def _draw_parts(self, text: str) -> None:
        """Draw every character for itself; what goes past the last column is drawn over it."""
        line = self._cells[self._y]
        for character in text:
            if unicodedata.category(character) in ("Mn", "Me", "Cf"):
                continue
            cells = 2 if unicodedata.east_asian_width(character) in "WF" else 1
            self._x = min(self._x, self._columns - cells)
            for at in range(self._x, self._x + cells):
                self._break_up(line, at)
            line[self._x : self._x + cells] = [character, *[""] * (cells - 1)]
            self._x += cells

    def _break_up(self, line: list[str], at: int) -> None:
        """Blank the wide character that has a cell here: half of it cannot be drawn."""
        if line[at] == "" and at:
            line[at - 1] = " "
        if at + 1 < self._columns and line[at + 1] == "":
            line[at + 1] = " "
        line[at] = " "

    def _line(self, y: int) -> str:
        return "".join(self._cells[min(y, self._lines - 1)])

    def _obey(self, command: str, numbers: str) -> None:
        given = [int(number) if number.isdigit() else 0 for number in numbers.split(";")]
        if command in "Hf":
            row, column = (*given, 0, 0)[:2]
            self._y, self._x = max(1, row) - 1, max(1, column) - 1
        elif command == "G":
            self._x = max(1, given[0]) - 1
        elif command in _MOVES:
            across, down = _MOVES[command]
            self._x += across * max(1, given[0])
            self._y += down * max(1, given[0])
        elif command == "J" and given[0] == 2:
            self._cells = [[" "] * self._columns for _ in range(self._lines)]
        elif command == "K" and self._y < self._lines:
            self._cells[self._y][self._x :] = [" "] * (self._columns - self._x)
