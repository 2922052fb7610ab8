"""FoundLines: where the words that one looks for stand in drawn turns, and which of these one has gone to."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable

from rich.style import Style

from turnwise.conversations.patterns import WrittenPattern
from turnwise.tui.drawing.lines import Line, holds_match, mark_matches
from turnwise.tui.reading.drawn_transcript import DrawnTranscript

HERE = Style(bold=True, underline=True)
"""What a match that was gone to has beyond the others."""
MOST_STEPS = 8
"""So deep is opened what hides a match."""


class FoundLines:
    """The lines of turns in which a pattern matches. pattern: None while nothing is looked for."""

    def __init__(self) -> None:
        self.pattern: WrittenPattern | None = None
        self._at: tuple[int, int] | None = None

    def look_for(self, pattern: WrittenPattern | None) -> None:
        """Look for something else; None for nothing."""
        self.pattern, self._at = pattern, None

    def hides_in(self, text: str) -> bool:
        """Whether the pattern matches in a text, drawn or not."""
        return self.pattern is not None and holds_match(text, self.pattern)

    def lines_of(self, turns: DrawnTranscript, turn: int) -> list[int]:
        """Return the drawn lines of a turn that match, counted from 0."""
        texts = ("".join(piece.text for piece in line) for line in turns.draw(turn).lines)
        return [number for number, text in enumerate(texts) if self.hides_in(text)]

    def opened_in(self, turns: DrawnTranscript, turn: int, lay_out: Callable[[], None]) -> list[int]:
        """Return the lines of a turn that match, once it is opened as far as shows one.

        lay_out: is called after each step by which it was opened further.
        """
        turns.open_for_search(turn)
        if self.hides_in(turns.row(turn).content):
            # Of a long turn all matches are gone to, and not those of its beginning alone.
            turns.open_rest(turn)
        lines = self.lines_of(turns, turn)
        for _ in range(MOST_STEPS):
            if lines or not turns.open_deeper(turn):
                break
            lay_out()
            lines = self.lines_of(turns, turn)
        return lines

    def go_to(self, turn: int, line: int) -> None:
        """Note the match that was gone to."""
        self._at = turn, line

    def beside(self, turns: DrawnTranscript, turn: int, by: int) -> int | None:
        """Return the next line that matches after the one gone to, or the one before it for -1; None where
        there is none in this turn, or a match of another turn was gone to.
        """
        at, line = self._at or (-1, 0)
        if at != turn:
            return None
        found = self.lines_of(turns, turn)
        place = bisect_right(found, line) if by > 0 else bisect_left(found, line) - 1
        return found[place] if 0 <= place < len(found) else None

    def marked(self, text: Line, place: tuple[int, int], style: Style) -> Line:
        """Return a line, that of this turn and number, with what matches in a style."""
        if self.pattern is None or not text:
            return text
        return mark_matches(text, self.pattern, style + HERE if place == self._at else style)
