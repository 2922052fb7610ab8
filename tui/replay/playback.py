"""Playback: a replay that goes on by itself at the recorded pace, a turn being seen while it is said."""

from __future__ import annotations

from collections.abc import Callable

from turnwise.conversations.store import TurnRow, pause_before
from turnwise.engine.replay import Replay

TYPED_A_SECOND = 90.0
"""Characters a second at speed 1, unless the recorded pause is shorter than that takes."""
MOST_OF_THE_PAUSE = 0.8
LEAST_SECONDS = 0.3


class Playback:
    """Lets time pass in a replay. The replay says how long to wait; here it is known how much has passed.

    It draws nothing and waits for nothing: `tick` is called again and again, and looks at the clock.
    """

    def __init__(self, clock: Callable[[], float], *, playing: bool) -> None:
        """clock: seconds from any moment on. playing: whether it plays as soon as it has events."""
        self.replay = Replay(())
        self._clock = clock
        self._plays_at_once = playing
        self._looked = 0.0
        """What the clock said at the last look."""
        self._progress = 0.0
        """How much of the wait for the next event has passed, 0 to 1."""

    def begin(self, replay: Replay) -> None:
        """Play it from the start, where the session itself is there, and with play its first turn."""
        self.replay = replay
        replay.playing, replay.speed = False, 1.0
        self.rewind()
        if self._plays_at_once:
            self.play()

    def wake(self) -> None:
        """Count from this moment: what has passed since the last look does not count."""
        self._looked = self._clock()

    def tick(self, *, held: bool = False) -> bool:
        """Let time pass since the last look; return whether other events are visible than before.

        held: whether time stands still, because something is asked.
        """
        now = self._clock()
        passed, self._looked = now - self._looked, now
        replay = self.replay
        if not replay.playing or held:
            return False
        moved = False
        while replay.playing:
            wait = replay.wait()
            if wait <= 0:
                replay.step()
            else:
                self._progress += passed / wait
                passed = 0.0
                if self._progress < 1:
                    break
                replay.step()
                self._progress = 0.0
            moved = True
            replay.playing = not replay.at_end
        return moved

    @property
    def said(self) -> int | None:
        """How many characters of the turn that comes next are said by now; None where none is being said."""
        replay = self.replay
        if not replay.playing:
            return None
        row = replay.events[replay.shown].row
        if not isinstance(row, TurnRow):
            return None
        return typed_characters(len(row.content), pause_before(replay.events, replay.shown), self._progress)

    def play(self) -> None:
        """Play on from here; from the start with the first turn, as nobody waits for an empty screen."""
        if not self.replay.turn_number:
            self.replay.step_turn()
        self.replay.playing = not self.replay.at_end
        self.wake()

    def rewind(self) -> None:
        """Go back to the start, at which the session itself is there."""
        self.replay.shown = min(1, len(self.replay.events))

    def go(self, move: Callable[[], object], *, pause: bool) -> None:
        """Go to another place. move: changes what the replay shows. pause: whether playing ends with it."""
        self._progress = 0.0
        move()
        if pause or self.replay.at_end:
            self.replay.playing = False


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
