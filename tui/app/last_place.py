"""The last place: where somebody was when they left, kept in the database, and offered the next time.

A run that was left before its end is told of there too: nothing else in sight would say that it goes on. So
is, once, what stands under another key because the user's settings took its own.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Protocol

from textual.screen import Screen

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store import Store
from turnwise.tui.actions import Place, Table
from turnwise.tui.actions.places import NUMBERED
from turnwise.tui.app.going import Going
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.settings.keymap import Moved, key_of, moved_words

NAME = "last place"
"""Under this name it is kept among what is taken up again."""
_MOVED = "moved keys"
"""Under this name is kept what was told of keys."""
_MOST_NAME = 40
SECONDS_OF_A_RUN = 7 * 24 * 3600
"""A run that is older is left for good, and no news at every start."""
_PLACES: tuple[Place, ...] = ("review", *(one.place for one in NUMBERED))


@dataclass(frozen=True, slots=True)
class LastPlace:
    """Where somebody was. place: by its name. session: the one that was read, or that the cursor was on."""

    place: Place
    session: int | None = None

    def words(self, store: Store) -> str:
        """Say where that was: "in Runs", "reading “A refund”"; empty where the session is gone."""
        if self.session is None:
            return next((f"in {one.title}" for one in NUMBERED if one.place == self.place), "")
        rows = store.sessions.rows([self.session])
        if not rows:
            return ""
        name = rows[0].name
        name = name if len(name) <= _MOST_NAME else f"{name[:_MOST_NAME]}…"
        return f"{'at' if self.place == 'library' else 'reading'} “{name}”"


def place_of(screens: Sequence[Screen[Any]]) -> LastPlace | None:
    """Return where somebody is, by the screens that are open; None where all is as at the start."""
    for screen in reversed(screens):
        place: Place | None = getattr(screen, "PLACE", None)
        if place == "review":
            return LastPlace("review", getattr(screen, "session_id", None))
        if isinstance(screen, LibraryScreen):
            row = screen.list.current if screen.is_mounted and screen.list.cursor else None
            return None if row is None else LastPlace("library", row.id)
        if place is not None and place in _PLACES:
            return LastPlace(place)
    return None


def keep_place(store: Store, place: LastPlace | None) -> None:
    """Keep where somebody was; a database that cannot be written keeps nobody from leaving."""
    with suppress(TurnwiseError, sqlite3.Error):
        kept = None if place is None else {"place": place.place, "session": place.session}
        if kept is not None or store.remembered.get(NAME) is not None:
            store.remembered.keep(NAME, kept)


def kept_place(store: Store) -> LastPlace | None:
    """Return where somebody was when they left last; None where that is not known."""
    with suppress(TurnwiseError, sqlite3.Error):
        kept = store.remembered.get(NAME)
        if isinstance(kept, dict):
            session = kept.get("session")
            place = next((one for one in _PLACES if one == kept.get("place")), None)
            return None if place is None else LastPlace(place, session if isinstance(session, int) else None)
    return None


class ReturningShell(Protocol):
    """The app, as it is gone about in by one who comes back."""

    places: Going
    actions: Table

    def open_session(self, session_id: int) -> None:
        """Read a session."""

    @property
    def library(self) -> LibraryScreen:
        """The screen below all others."""

    @property
    def screen_stack(self) -> Sequence[Screen[Any]]:
        """The screens that are open."""

    def notify(self, message: str) -> None:
        """Show a toast."""


class Returning:
    """Offers the last place, and goes there where that is wanted."""

    def __init__(self, app: ReturningShell, store: Store, moved: Sequence[Moved] = ()) -> None:
        """app: that is gone about in. store: where the place is kept. moved: what gave its key up."""
        self._app = app
        self._store = store
        self._moved = moved
        self._last: LastPlace | None = None

    def offer(self) -> None:
        """Say where that was, what run was left, which keys go there, and which are others than before."""
        self._last = kept_place(self._store)
        told = []
        if self._last is not None and (words := self._last.words(self._store)):
            key = key_of(self._app.actions, "library", "last_place")
            told.append(f"Last time you were {words}: {key} goes there.")
        if (run := self._left_run()) is not None:
            key = key_of(self._app.actions, "library", "runs")
            told.append(f"Run {run} is not finished: {key} shows what is left of it.")
        if words := self._moved_keys():
            told.append(words)
        if told:
            self._app.notify(" ".join(told))

    def _moved_keys(self) -> str:
        """Return what is to be told of keys: each time that it is not what was told before."""
        words = moved_words(self._moved)
        with suppress(TurnwiseError, sqlite3.Error):
            if words == (self._store.remembered.get(_MOVED) or ""):
                return ""
            self._store.remembered.keep(_MOVED, words)
        return words

    def _left_run(self) -> int | None:
        with suppress(sqlite3.Error):
            return self._store.runs.left_since(time.time() - SECONDS_OF_A_RUN)
        return None

    def go(self) -> None:
        """Go there."""
        last, app = self._last, self._app
        if last is None:
            app.notify("Where you were last time is not known.")
        elif last.session is None:
            app.places.go(last.place)
        elif last.place == "library":
            app.library.go_to_session(last.session)
        else:
            app.open_session(last.session)

    def keep(self) -> None:
        """Keep where one is now."""
        keep_place(self._store, place_of(self._app.screen_stack))
