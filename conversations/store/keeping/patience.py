"""Patience: how long to wait for a file that another program holds, and what is said meanwhile.

SQLite's own waiting hears no ctrl+c, so it is asked for short stretches again and again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

from turnwise.conversations.store.keeping.faults import is_busy

SECONDS_AT_A_STRETCH = 0.1
"""So long SQLite waits by itself: nothing else is heard meanwhile."""
SECONDS_IN_SILENCE = 1.0

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a thread waits for another program.

    seconds: infinite where somebody is there to press ctrl+c. on_wait: called once a second of waiting has
    gone by, for whoever waits to be told. on_end: called when a wait that was told of is over. stop: asked
    all the while; once it says so the waiting ends as if the time were up.
    """

    seconds: float
    on_wait: Callable[[], None] | None = None
    on_end: Callable[[], None] | None = None
    stop: Callable[[], bool] | None = None

    def through(self, work: Callable[[], Found]) -> Found:
        """Return what the work returns, trying it again while the file is held; it leaves nothing half done.

        Raises sqlite3.OperationalError, that of the last try, where the file stays held.
        """
        began = time.monotonic()
        told = False
        try:
            while True:
                try:
                    return work()
                except Exception as error:
                    waited = time.monotonic() - began
                    if not is_busy(error) or waited >= self.seconds or (self.stop and self.stop()):
                        raise
                if not told and waited >= SECONDS_IN_SILENCE and self.on_wait is not None:
                    told = True
                    self.on_wait()
                # Some refusals come at once, without SQLite's own waiting.
                time.sleep(0.005)
        finally:
            if told and self.on_end is not None:
                self.on_end()


@contextmanager
def held_for(holder: object, name: str, value: object) -> Iterator[None]:
    """Set an attribute of an object for the length of the block."""
    missing = object()
    before = getattr(holder, name, missing)
    setattr(holder, name, value)
    try:
        yield
    finally:
        if before is missing:
            delattr(holder, name)
        else:
            setattr(holder, name, before)
