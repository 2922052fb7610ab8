"""Heights: how many lines each item of a long list takes, and which item a line falls in."""

from __future__ import annotations

from collections.abc import Iterable


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
