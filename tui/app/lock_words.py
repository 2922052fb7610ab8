"""LockWords: says in the app that another program holds the database, as long as something waits for it."""

from __future__ import annotations

import sys
import threading
from typing import Any

from textual.app import App

from turnwise.conversations.store import Patience

WAITING = "Another program is writing to the database: waiting for it."
SECONDS_OF_A_REMARK = 4.0
SECONDS_OF_PATIENCE = 30.0
"""So long a thread waits, unless it is impatient."""


class LockWords:
    """Words about waiting, from any thread. app: that says them; until there is one, standard error does."""

    def __init__(self) -> None:
        self.app: App[Any] | None = None
        self.patience = Patience(SECONDS_OF_PATIENCE, on_wait=self._began, on_end=self._ended)
        self._waiting = 0
        self._lock = threading.Lock()

    def _began(self) -> None:
        with self._lock:
            self._waiting += 1
            first = self._waiting == 1
        if self.app is None:
            print(WAITING, file=sys.stderr)
        elif first:
            self.app.call_later(self._say)

    def _ended(self) -> None:
        with self._lock:
            self._waiting -= 1

    def _say(self) -> None:
        """Say it, and again as long as it is so."""
        if self.app is not None and self._waiting:
            self.app.notify(WAITING, timeout=SECONDS_OF_A_REMARK)
            self.app.set_timer(SECONDS_OF_A_REMARK, self._say)
