"""Near turns: which turns of a transcript stand in its window, and which the next keys may bring there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from turnwise.tui.reading.drawn_transcript import DrawnTranscript


def turns_in_sight(turns: DrawnTranscript, window: int) -> Iterator[tuple[int, int]]:
    """Yield the turns in a window of so many lines, each with the row of its first line that is in sight."""
    place = turns.place
    top = place.top
    for turn in range(place.item, place.shown):
        first = place.heights.before(turn) - top
        if first >= window:
            return
        yield turn, max(0, first)


def turns_ahead(turns: DrawnTranscript, window: int, leaps: Sequence[int], cursor: int) -> Iterator[int]:
    """Yield turns out of sight, also such as are not shown yet: a window below, one at each leap, one above.

    window: lines that can be read at once. leaps: turns that keys go to, such as the next one that fails;
    where the cursor is one of them such a key was pressed last, and they come first.
    """
    place = turns.place
    below = range(place.heights.at(place.top + window)[0], len(turns.groups))
    targets = [_around(turns, turn, window) for turn in leaps if turn != cursor]
    for order in (*targets, below) if cursor in leaps else (below, *targets):
        yield from _window_from(order, turns, window)
    yield from _window_from(range(place.item - 1, -1, -1), turns, window)


def is_near(turns: DrawnTranscript, turn: int, window: int) -> bool:
    """Whether a turn below is scrolled to, so that it ends the window; one further away begins it."""
    return turns.place.heights.before(turn) <= turns.place.top + 2 * window


def _around(turns: DrawnTranscript, turn: int, window: int) -> range:
    """Return the turns that stand in the window where a key goes to a turn, that one first."""
    # What is shown next ends what is shown.
    ends = turn >= turns.shown or is_near(turns, turn, window)
    return range(turn, -1, -1) if ends else range(turn, turns.shown)


def _window_from(order: Iterable[int], turns: DrawnTranscript, window: int) -> Iterator[int]:
    lines = 0
    for turn in order:
        if lines > window:
            return
        yield turn
        lines += turns.place.heights[turn]
