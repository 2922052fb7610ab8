"""Virtual scroll: the place in a list of items whose heights are known only once they are drawn."""

from __future__ import annotations

from collections.abc import Callable

from turnwise.tui.widgets.heights import Heights

NEARBY = 400
"""Lines: a move up no longer than this keeps its distance exactly; a longer one is a jump."""


class Place:
    """Where the window stands over the items: a top item and a line in it, never a line number alone.

    Heights are estimates until `measure` (item -> its true height, in lines) is asked. Only what stands in
    the window is measured, and what is corrected never moves what is being read.
    """

    def __init__(self, heights: Heights, measure: Callable[[int], int]) -> None:
        self.heights = heights
        self._measure = measure
        self._known = bytearray(len(heights))
        self.shown = len(heights)
        """How many items, from the first, can be seen at all."""
        self.item = 0
        self.line = 0

    @property
    def lines(self) -> int:
        """The lines of all items that can be seen."""
        return self.heights.before(self.shown)

    @property
    def top(self) -> int:
        """The line the window starts at."""
        return self.heights.before(self.item) + self.line

    def append(self, height: int) -> None:
        """Add an item at the end, with an estimated height."""
        self.heights.append(height)
        self._known.append(0)

    def forget(self, item: int) -> None:
        """Take an item's height as an estimate again, because what it shows has changed."""
        self._known[item] = 0

    def know(self, item: int) -> None:
        """Measure an item unless it has been."""
        if not self._known[item]:
            self._known[item] = 1
            self.heights[item] = self._measure(item)

    def go(self, item: int, line: int, window: int) -> None:
        """Put the window of `window` lines at a line of an item, or as near as the ends allow."""
        if not self.shown:
            self.item = self.line = 0
            return
        item = max(0, min(item, self.shown - 1))
        self.know(item)
        self.item, self.line = item, max(0, min(line, self.heights[item] - 1))
        filled = self.heights[item] - self.line
        below = item + 1
        while filled < window and below < self.shown:
            self.know(below)
            filled += self.heights[below]
            below += 1
        if filled < window:
            self.item, self.line = self._back_from(self.shown, window)

    def go_to_line(self, line: int, window: int) -> None:
        """Put the window at a line counted from the first item's first.

        A move up passes items that were never measured; it goes so many lines up as it seemed to.
        """
        distance = self.top - line
        if 0 < distance <= NEARBY and self.item < self.shown:
            item, inner = self._back_from(self.item, distance - self.line)
        else:
            item, inner = self.heights.at(min(line, self.lines - 1))
        self.go(item, inner, window)

    def _back_from(self, item: int, lines: int) -> tuple[int, int]:
        """Return the place so many lines before the start of `item`, measuring on the way."""
        if lines <= 0:
            return item, -lines
        while item > 0:
            item -= 1
            self.know(item)
            if lines <= self.heights[item]:
                return item, self.heights[item] - lines
            lines -= self.heights[item]
        return 0, 0
