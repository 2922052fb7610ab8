"""Remembered: what the app takes up again when it is opened, such as the columns of a list."""

from __future__ import annotations

import json
from typing import Any

from turnwise.conversations.store.database import Database


class RememberedTable:
    """Values by name, as JSON. Nothing depends on them: a database that holds none is as good."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, name: str) -> Any:
        """Return what was kept under a name, None without any."""
        row = self._database.connection.execute(
            "SELECT value FROM remembered WHERE name = ?", [name]
        ).fetchone()
        return None if row is None else json.loads(row[0])

    def keep(self, name: str, value: Any) -> None:
        """Keep a value that JSON can hold, in the place of the one before."""
        with self._database.writing() as connection:
            connection.execute("INSERT OR REPLACE INTO remembered VALUES (?, ?)", [name, json.dumps(value)])
