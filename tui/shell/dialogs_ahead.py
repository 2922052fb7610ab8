"""DialogsAhead: dialogs are made while nobody presses a key, so that they open at once the first time too."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Literal
from weakref import ReferenceType, ref

if TYPE_CHECKING:
    from textual.app import App
    from textual.screen import Screen
    from textual.timer import Timer

SECONDS_STILL = 0.5
"""A step is taken once no key was pressed for so long."""
SECONDS_BEFORE_FIRST = 0.3
"""What is to be done before the next step is done sooner: it is what the next key asks for, most likely."""
SECONDS_BETWEEN_LOOKS = 0.05
"""It is looked so often for what is to be done."""
SECONDS_BETWEEN_STEPS = 0.015
"""While there are steps left they are taken so often."""
SECONDS_OF_STEPS = 0.002
"""Steps are taken one after another for so long; the last of them may take longer."""
SECONDS_AFTER_START = 1.0
"""The first screen has drawn by then what it reads in threads: the judge, the counts, how many passed."""

Step = Literal["wait"] | None
"""What was done of a screen that is made: something, or nothing, as parts are coming by themselves."""
Steps = Callable[["Screen[Any]"], Iterator[Step]]
DoFirst = Callable[["Screen[Any]"], bool]


class DialogsAhead:
    """Takes the steps by which a screen's dialogs are made, a few at a time: a key waits for one long one."""

    def __init__(
        self, app: App[Any], heard_at: Callable[[], float], steps_of: Steps, do_first: DoFirst
    ) -> None:
        """heard_at: tells when a key was heard last, on the clock of `time.monotonic`.

        steps_of: gives what makes the dialogs of a screen. It does a little whenever it is asked to go on.
        do_first: does what a screen has to do before the next step, and tells whether there was anything.
        """
        self._app, self._heard_at, self._steps_of, self._do_first = app, heard_at, steps_of, do_first
        self._screen: ReferenceType[Screen[Any]] | None = None
        """The screen that the steps are for; one that is gone is not kept."""
        self._steps: Iterator[Step] = iter(())
        self._between_steps: Timer | None = None
        """Ticks while there are steps left; the app sleeps longer once there are none."""

    def begin(self) -> None:
        """Take the first step once what is read at the start has been drawn, and nobody presses a key."""
        self._app.set_timer(SECONDS_AFTER_START, self._look)

    def _look(self) -> None:
        self._app.set_interval(SECONDS_BETWEEN_LOOKS, self._go_on)
        self._between_steps = self._app.set_interval(SECONDS_BETWEEN_STEPS, self._go_on, pause=True)

    def _go_on(self) -> None:
        if (timer := self._between_steps) is not None:
            (timer.resume if self.go_on() else timer.pause)()

    def go_on(self) -> bool:
        """Take steps for the screen that is in front, where that is due; return whether more are."""
        # None is left once the app ends.
        still = time.monotonic() - self._heard_at()
        if not (screens := self._app.screen_stack) or still < SECONDS_BEFORE_FIRST:
            return False
        screen = screens[-1]
        if self._screen is None or self._screen() is not screen:
            # Those that were taken before are taken again where what they made was used meanwhile.
            self._screen, self._steps = ref(screen), self._steps_of(screen)
        if self._do_first(screen) or still < SECONDS_STILL:
            return False
        # Most of what was made before is still there: of that many steps do nothing.
        until = time.monotonic() + SECONDS_OF_STEPS
        return any(step == "wait" or time.monotonic() >= until for step in self._steps)
