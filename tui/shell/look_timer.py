"""LookTimer: how long somebody looks at a queue, without what goes by on other screens and in pauses."""

from __future__ import annotations

import time
from collections.abc import Callable

LONGEST_PAUSE = 120.0
"""Seconds: so much of a pause without a key or the mouse counts as reading, and no more."""


class LookTimer:
    """Counts while a queue is in front; the time is taken with whatever is said of a session."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """clock: tells seconds."""
        self._clock = clock
        self._queue_id: int | None = None
        self._heard_at: float | None = None
        """When something was heard last; None while no queue is in front."""
        self._seconds = 0.0

    def look(self, queue_id: int) -> None:
        """Take that a queue is in front."""
        if queue_id != self._queue_id:
            self._queue_id, self._seconds, self._heard_at = queue_id, 0.0, None
        if self._heard_at is None:
            self._heard_at = self._clock()

    def look_away(self) -> None:
        """Take that no queue is in front any more."""
        self.heard()
        self._heard_at = None

    def heard(self) -> None:
        """Take that somebody is there: a key was pressed, or the mouse moved."""
        if self._heard_at is not None:
            now = self._clock()
            self._seconds += min(now - self._heard_at, LONGEST_PAUSE)
            self._heard_at = now

    def came_back(self) -> None:
        """Take that one comes back from another window, of which nothing counts."""
        if self._heard_at is not None:
            self._heard_at = self._clock()

    def take(self) -> float:
        """Return how many seconds were counted since this was asked last."""
        self.heard()
        seconds, self._seconds = self._seconds, 0.0
        return seconds
