"""Typing pace: how much of a turn is seen while it is being said."""

from __future__ import annotations

TYPED_A_SECOND = 90.0
"""Characters a second at speed 1, unless the recorded pause is shorter than that takes."""
MOST_OF_THE_PAUSE = 0.8
LEAST_SECONDS = 0.3


def typed_characters(length: int, pause: float, progress: float) -> int:
    """Return how many of `length` characters are seen once a share of the pause has passed.

    pause: seconds before the turn is whole, at speed 1. progress: 0 to 1. The words come at the end of the
    pause, where they were said, and all of them are there when it is over.
    """
    if progress >= 1 or pause <= 0:
        return length
    seconds = min(MOST_OF_THE_PAUSE * pause, max(LEAST_SECONDS, length / TYPED_A_SECOND))
    start = 1 - seconds / pause
    return int(length * max(0.0, (progress - start) / (1 - start)))
