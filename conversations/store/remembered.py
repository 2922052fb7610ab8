"""What a person leaves for the next time: filters under a name, and how the app was arranged."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.store.database import Database
from turnwise.conversations.store.keeping.damage import stored_json
from turnwise.conversations.texts import mend_text
from turnwise.conversations.words import did_you_mean

TIMES_GROWN = "times that sessions grew"
"""Under this name stands how often sessions changed in a way that no new row shows."""


@dataclass(frozen=True, slots=True)
class SavedFilter:
    """A query under a name. created_at: seconds since 1970 in UTC."""

    name: str
    query: str
    created_at: float


class SavedFilterTable:
    """The saved filters of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[SavedFilter]:
        """Return them in the order of their names."""
        rows = self._database.connection.execute(
            "SELECT name, query, created_at FROM saved_filters ORDER BY lower(name), name"
        )
        return [SavedFilter(*row) for row in rows]

    def add(self, name: str, query: str) -> bool:
        """Keep a query under a name; return whether the name is new. One that was there is replaced.

        Raises SettingError where there is no name or no query.
        """
        name, query = (" ".join(mend_text(text).split()) for text in (name, query))
        if not name:
            raise SettingError("A saved filter needs a name")
        if not query:
            raise SettingError("There is no filter to save", next_step="Type one first.")
        with self._database.writing() as connection:
            known = connection.execute("SELECT 1 FROM saved_filters WHERE name = ?", [name]).fetchone()
            connection.execute(
                "INSERT OR REPLACE INTO saved_filters VALUES (?, ?, ?)", [name, query, time.time()]
            )
        return known is None

    def remove(self, name: str) -> None:
        """Forget a saved filter. Raises NotFoundError."""
        with self._database.writing() as connection:
            done = connection.execute("DELETE FROM saved_filters WHERE name = ?", [name]).rowcount
        if not done:
            raise NotFoundError(
                f"There is no saved filter {name}",
                next_step=did_you_mean(name, [one.name for one in self.all()])
                or "`turnwise filters` lists those there are.",
            )


class RememberedTable:
    """Values by name, as JSON. Nothing depends on them: without any, the app opens as it does at first."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, name: str) -> Any:
        """Return what was kept under a name, None without any."""
        row = self._database.connection.execute(
            "SELECT value FROM remembered WHERE name = ?", [name]
        ).fetchone()
        return None if row is None else stored_json(row[0])

    def keep(self, name: str, value: Any) -> None:
        """Keep a value that JSON can hold, in the place of the one before."""
        with self._database.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO remembered VALUES (?, ?)", [name, json.dumps(value)])
