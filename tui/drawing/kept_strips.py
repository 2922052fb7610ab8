"""KeptStrips: drawn lines that are shown again as long as all is the same that they were drawn from."""

from __future__ import annotations

from collections.abc import Callable

from textual.strip import Strip

MOST = 512
"""So many lines are kept: more than any window shows."""


class KeptStrips:
    """Lines by their places in a list.

    One that is shown in another row of the window, as where a list scrolls by one, is neither drawn nor cut
    up anew.
    """

    def __init__(self) -> None:
        self._kept: dict[int, tuple[object, Strip]] = {}

    def of(self, place: int, made_of: object, draw: Callable[[], Strip]) -> Strip:
        """Return the line of a place, which `draw` draws where it was made of anything else before."""
        kept = self._kept.pop(place, None)
        if kept is None or kept[0] != made_of:
            kept = made_of, draw()
        # It goes to the end: first in line to be forgotten is what was not shown for longest.
        self._kept[place] = kept
        if len(self._kept) > MOST:
            del self._kept[next(iter(self._kept))]
        return kept[1]

    def forget(self) -> None:
        """Draw all lines anew."""
        self._kept.clear()
