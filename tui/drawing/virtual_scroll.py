"""Virtual scroll: the place in a list of items whose heights are known only once they are drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable


class Heights:
    """The heights of items, in lines, with prefix sums in a Fenwick tree.

    Building takes O(n); changing one height, adding one item, summing a prefix and finding the item at a
    line take O(log n). Heights are whole numbers, 0 or more.
    """

    def __init__(self, heights: Iterable[int] = ()) -> None:
        self._heights = list(heights)
        self._tree = [0, *self._heights]
        for index in range(1, len(self._tree)):
            parent = index + (index & -index)
            if parent < len(self._tree):
                self._tree[parent] += self._tree[index]

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, index: int) -> int:
        return self._heights[index]

    def __setitem__(self, index: int, height: int) -> None:
        difference = height - self._heights[index]
        if not difference:
            return
        self._heights[index] = height
        node = index + 1
        while node < len(self._tree):
            self._tree[node] += difference
            node += node & -node

    def append(self, height: int) -> None:
        """Add one item at the end."""
        self._heights.append(height)
        node = len(self._tree)
        total, child, stop = height, node - 1, node - (node & -node)
        while child > stop:
            total += self._tree[child]
            child -= child & -child
        self._tree.append(total)

    def before(self, index: int) -> int:
        """Return the lines of all items before `index`, 0 <= index <= len: where item `index` starts."""
        total = 0
        while index > 0:
            total += self._tree[index]
            index -= index & -index
        return total

    def at(self, line: int) -> tuple[int, int]:
        """Return (item, line in the item) for a line counted from 0.

        A line past the end falls in the last item that has lines, at its last line; one before the start
        at (0, 0). Items of height 0 are never found. An empty list gives (0, 0).
        """
        last = self.before(len(self._heights)) - 1
        if line < 0 or last < 0:
            return 0, 0
        rest = min(line, last)
        node = 0
        step = 1 << (len(self._tree) - 1).bit_length()
        while step:
            if node + step < len(self._tree) and self._tree[node + step] <= rest:
                node += step
                rest -= self._tree[node]
            step >>= 1
        return node, rest


NEARBY = 400
"""Lines: a move up no longer than this keeps its distance exactly; a longer one is a jump."""


class WindowPlace:
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
