"""Pair queues: two sessions beside each other, and which of them people prefer.

What people say is append-only: of what one person says of one pair, the newest counts.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.store.database import Database
from turnwise.conversations.store.keeping.damage import stored_json
from turnwise.conversations.texts import mend_text
from turnwise.conversations.words import did_you_mean

Preference = Literal["left", "right", "tie"]
PREFERENCES: tuple[Preference, ...] = get_args(Preference)
_FIRST_WORDS = 400
_OPENINGS = """
SELECT session_id, substr(content, 1, ?) AS content, min(position) FROM turns
WHERE role = 'user' AND number IS NOT NULL GROUP BY session_id
"""


@dataclass(frozen=True, slots=True)
class PairedSessions:
    """Two sessions of one queue, at a place from 1, and the groups that they are of."""

    place: int
    left: int
    right: int
    left_group: str
    right_group: str


@dataclass(frozen=True, slots=True)
class PairQueueRow:
    """One queue of pairs. settings: how it was made, such as by, query and seed. count: how many pairs."""

    id: int
    name: str
    created_at: float
    count: int
    settings: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PreferenceRow:
    """What one person says of one pair. preferred: None where it was taken back, or a note is all so far."""

    place: int
    author: str
    preferred: Preference | None
    note: str
    created_at: float


class PairQueueTable:
    """The queues of pairs of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def openings(self) -> dict[int, str]:
        """Return what the user says first, by session, no longer than what tells two questions apart."""
        rows = self._database.connection.execute(_OPENINGS, [_FIRST_WORDS])
        return {row["session_id"]: row["content"] for row in rows}

    def add(self, name: str, pairs: Sequence[PairedSessions], settings: Mapping[str, Any]) -> int:
        """Keep a queue of pairs and return its number.

        Raises SettingError without a name and for one that is taken.
        """
        name = " ".join(mend_text(name).split())
        if not name or name.isdecimal():
            raise SettingError(
                "A queue of pairs needs a name", next_step="Give it a word or two, not a number."
            )
        with self._database.writing() as connection:
            if connection.execute("SELECT 1 FROM pair_queues WHERE name = ?", [name]).fetchone():
                raise SettingError(
                    f"There are pairs {name} already", next_step="Give another name, or go on with those."
                )
            cursor = connection.execute(
                "INSERT INTO pair_queues (name, settings, created_at) VALUES (?, ?, ?)",
                [name, json.dumps(dict(settings), ensure_ascii=False), time.time()],
            )
            queue_id = cast("int", cursor.lastrowid)
            connection.executemany(
                "INSERT INTO pair_items VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (queue_id, one.place, one.left, one.right, one.left_group, one.right_group)
                    for one in pairs
                ],
            )
        return queue_id

    def all(self) -> list[PairQueueRow]:
        """Return all queues of pairs, the newest first."""
        rows = self._database.connection.execute(
            "SELECT q.*, count(i.place) AS count FROM pair_queues q "
            "LEFT JOIN pair_items i ON i.queue_id = q.id GROUP BY q.id ORDER BY q.id DESC"
        )
        return [
            PairQueueRow(
                row["id"], row["name"], row["created_at"], row["count"], stored_json(row["settings"])
            )
            for row in rows
        ]

    def get(self, name: str) -> PairQueueRow:
        """Return a queue of pairs by its name. Raises NotFoundError."""
        rows = self.all()
        for row in rows:
            if row.name.casefold() == name.casefold():
                return row
        raise NotFoundError(
            f"There are no pairs {name}",
            next_step=did_you_mean(name, [row.name for row in rows])
            or "`turnwise pairs list` lists those there are.",
        )

    def remove(self, queue_id: int) -> None:
        """Forget a queue of pairs and all that was said of them; the sessions stay."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM pair_queues WHERE id = ?", [queue_id])

    def pairs(self, queue_id: int) -> list[PairedSessions]:
        """Return the pairs of a queue by place."""
        rows = self._database.connection.execute(
            "SELECT place, left_session, right_session, left_group, right_group FROM pair_items "
            "WHERE queue_id = ? ORDER BY place",
            [queue_id],
        )
        return [PairedSessions(*row) for row in rows]

    def say(
        self, queue_id: int, place: int, author: str, preferred: Preference | None, *, note: str = ""
    ) -> None:
        """Keep what somebody says of a pair; None takes back which side, and leaves the note alone."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO pair_preferences (queue_id, place, author, preferred, note, created_at) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                [queue_id, place, mend_text(author), preferred, mend_text(note), time.time()],
            )

    def history(self, queue_id: int) -> list[PreferenceRow]:
        """Return all that was ever said of the pairs of a queue, oldest first."""
        rows = self._database.connection.execute(
            "SELECT place, author, preferred, note, created_at FROM pair_preferences "
            "WHERE queue_id = ? ORDER BY id",
            [queue_id],
        )
        return [PreferenceRow(*row) for row in rows]

    def preferences(self, queue_id: int) -> list[PreferenceRow]:
        """Return which side each person prefers by now of each pair, what was taken back left out."""
        return [row for row in self.standing(queue_id) if row.preferred is not None]

    def standing(self, queue_id: int) -> list[PreferenceRow]:
        """Return what each person says by now of each pair, be it a note alone."""
        newest = {(row.place, row.author): row for row in self.history(queue_id)}
        return [row for row in newest.values() if row.preferred is not None or row.note]
