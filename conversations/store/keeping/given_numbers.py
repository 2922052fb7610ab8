"""Numbers that were given once are not given again, so that nothing is taken for what was forgotten.

SQLite gives the number of a last row anew once that row is gone. People write numbers of sessions down, a
queue knows by a label's number whether it was said since the queue was made, by a turn's number it is known
whether a session grew since it was brought in, and who brings sessions back finds their numbers free.
"""

from __future__ import annotations

import sqlite3
from typing import Literal

Numbered = Literal["sessions", "turns", "scores", "labels"]

_NAME = "last of the {} that were forgotten"


def last_number(table: Numbered) -> str:
    """Return the SQL for the highest number that a row of a table ever had; 0 where there was none."""
    forgotten = f"SELECT CAST(value AS INTEGER) FROM main.remembered WHERE name = '{_NAME.format(table)}'"  # noqa: S608
    return f"max(coalesce((SELECT max(id) FROM main.{table}), 0), coalesce(({forgotten}), 0))"  # noqa: S608


def note_numbers(connection: sqlite3.Connection, table: Numbered, highest: int) -> None:
    """Remember that a row of a table is forgotten, so that nothing gets its number or one below."""
    connection.execute(
        "INSERT INTO main.remembered VALUES (?, ?) ON CONFLICT (name) DO UPDATE "
        "SET value = max(CAST(value AS INTEGER), CAST(excluded.value AS INTEGER))",
        [_NAME.format(table), str(highest)],
    )
