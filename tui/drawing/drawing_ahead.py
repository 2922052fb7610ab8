"""DrawingAhead: what the next keys may show is drawn while none is pressed, so that they only show it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from textual.timer import Timer
from textual.widget import Widget

SECONDS_STILL = 0.04
"""Nothing is drawn ahead sooner after a move: held keys follow one another in that time."""
SECONDS_BETWEEN_STEPS = 0.002
SECONDS_A_STEP = 0.003
"""A key waits for so long at most, and for what was begun by then: a turn, or a few lines."""


class DrawingAhead:
    """Draws ahead for a widget, a little at a time, from its last move on until all is drawn."""

    def __init__(self, widget: Widget, pieces: Callable[[], Iterator[None]]) -> None:
        """pieces: draws what the next keys may show, what is likeliest first. It stops after each piece."""
        self._widget, self._pieces = widget, pieces
        self._moved_at = 0.0
        self._left: Iterator[None] | None = None
        self._timer: Timer | None = None

    def begin(self) -> None:
        """Draw from now on what may follow: something else is shown by now."""
        self._moved_at, self._left = time.monotonic(), None
        if self._timer is not None:
            self._timer.resume()
        elif self._widget.is_running:
            self._timer = self._widget.set_interval(SECONDS_BETWEEN_STEPS, self._go_on)

    def _go_on(self) -> None:
        now = time.monotonic()
        if now - self._moved_at < SECONDS_STILL:
            return
        if self._left is None:
            self._left = self._pieces()
        while time.monotonic() - now < SECONDS_A_STEP:
            if next(self._left, self) is self:
                self._left = None
                if self._timer is not None:
                    self._timer.pause()
                return
