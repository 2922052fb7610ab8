"""What other programs bring into the database while the app is open, shown as it comes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import suppress

from textual.app import App

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store import Store
from turnwise.tui.parts.newest_reading import NewestReading
from turnwise.tui.shell.runs import Runs

SECONDS_BETWEEN_LOOKS = 1.0


class OutsideChanges:
    """Looks, once a second, whether sessions came, grew, or were scored or labelled, and tells of it.

    Mostly nobody has written anything, which SQLite says in some millionths of a second. Else six numbers
    are read, in a thread, that indexes end in. While a run of the app goes on, the run tells by itself.
    """

    def __init__(self, app: App[int], store: Store, runs: Runs, tell: Callable[[], None]) -> None:
        """What is there now is known; what comes later is told of, also before `begin`."""
        self._app = app
        self._store = store
        self._runs = runs
        self._tell = tell
        self._reading = NewestReading(app)
        self._version = self._written()
        self._mark = self._read()

    def begin(self) -> None:
        """Look from now on."""
        self._app.set_interval(SECONDS_BETWEEN_LOOKS, self._look)

    def _look(self) -> None:
        if self._runs.under_way:
            return
        version = self._written()
        if version != self._version or self._mark is None:
            self._version = version
            self._reading.ask(self._read, self._take)

    def _written(self) -> int | None:
        # Whoever works with what cannot be read is told of it; this here is not the place.
        with suppress(TurnwiseError, sqlite3.Error):
            return self._store.growing.version()
        return None

    def _read(self) -> tuple[int, ...] | None:
        with suppress(TurnwiseError, sqlite3.Error):
            return self._store.growing.mark()
        return None

    def _take(self, mark: tuple[int, ...] | None) -> None:
        if mark is not None and mark != self._mark:
            self._mark = mark
            self._tell()
