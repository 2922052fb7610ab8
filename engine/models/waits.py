"""Waits: what those who ask a model wait for, in words for whoever sits before the screen."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

QUIET_SECONDS = 10.0
"""After so many seconds without any answer it is told."""
_LONGEST_SHOWN = 100


class Waits:
    """The calls of a model that are under way, and for how long nothing came of any. clock: in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._calls = 0
        self._quiet_since = 0.0
        self._asked = 0.0
        self._until = 0.0
        self._last = ""

    @contextmanager
    def call(self) -> Iterator[None]:
        """Count a call as under way, the pauses between its tries included."""
        if not self._calls:
            self._quiet_since, self._last = self._clock(), ""
        self._calls += 1
        try:
            yield
        finally:
            self._calls -= 1

    def answered(self) -> None:
        """Say that an answer came."""
        self._quiet_since, self._last = self._clock(), ""

    def failed(self, told: str, asked: float) -> None:
        """Say that a try failed and another follows. asked: seconds to wait, where the model named them."""
        self._last = told.split("\n")[0][:_LONGEST_SHOWN]
        if self._clock() + asked > self._until:
            self._asked, self._until = asked, self._clock() + asked

    @property
    def retrying(self) -> float:
        """For how many seconds nothing came while tries failed; 0 where none failed since the last answer."""
        now = self._clock()
        if not self._calls or not self._last or self._until - now >= 1:
            return 0.0
        return now - self._quiet_since

    def words(self, noun: str) -> str:
        """Return what is waited for, where that is worth a word: "no answer for 12 s yet"; else nothing.

        noun: what the model is asked as.
        """
        now = self._clock()
        if not self._calls:
            return ""
        if self._until - now >= 1:
            return f"the {noun} asks to wait {self._asked:.0f} s, {self._until - now:.0f} s left"
        quiet = now - self._quiet_since
        if quiet < QUIET_SECONDS:
            return ""
        last = f" ({self._last})" if self._last else ""
        return f"the {noun}: no answer for {quiet:.0f} s yet{last}"
