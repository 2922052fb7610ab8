"""DialogsAhead: dialogs are made while nobody presses a key, so that they open at once the first time too."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.app import App
    from textual.screen import Screen

SECONDS_STILL = 0.5
"""A step is taken once no key was pressed for so long."""
SECONDS_BETWEEN_STEPS = 0.1
SECONDS_AFTER_START = 1.0
"""The first screen has drawn by then what it reads in threads: the judge, the counts, how many passed."""

Steps = Callable[["Screen[Any]"], Iterator[None]]


class DialogsAhead:
    """Takes the steps by which a screen's dialogs are made, one at a time: a key waits for one at most."""

    def __init__(self, app: App[Any], heard_at: Callable[[], float], steps_of: Steps) -> None:
        """heard_at: tells when a key was heard last, on the clock of `time.monotonic`.

        steps_of: gives what makes the dialogs of a screen. It does a little whenever it is asked to go on.
        """
        self._app, self._heard_at, self._steps_of = app, heard_at, steps_of
        self._screen: Screen[Any] | None = None
        self._steps: Iterator[None] = iter(())
        self._done: Screen[Any] | None = None
        """The screen in front for which all is made."""

    def begin(self) -> None:
        """Take the first step once what is read at the start has been drawn, and nobody presses a key."""
        go_on = partial(self._app.set_interval, SECONDS_BETWEEN_STEPS, self.go_on)
        self._app.set_timer(SECONDS_AFTER_START, go_on)

    def go_on(self) -> None:
        """Take a step for the screen that is in front, where that is due."""
        # None is left once the app ends.
        if not (screens := self._app.screen_stack) or time.monotonic() - self._heard_at() < SECONDS_STILL:
            return
        screen = screens[-1]
        if screen is self._done:
            return
        if screen is not self._screen:
            # What was begun for another screen is taken up again when that is in front.
            self._screen, self._steps = screen, self._steps_of(screen)
        if next(self._steps, self) is self:
            self._done = screen
            self._screen, self._steps = None, iter(())
