"""Labels: what people found about a session. A changed mind is a new row; nothing is overwritten."""

from __future__ import annotations

import time
from typing import cast

from turnwise.conversations.store.database import Database
from turnwise.conversations.store.rows import LabelRow, LabelWord


class LabelTable:
    """The labels of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        session_id: int,
        label: LabelWord | None,
        *,
        author: str,
        blind: bool,
        turn: int | None = None,
        note: str = "",
    ) -> int:
        """Keep a label and return its id; None takes the author's label back.

        blind: whether the scores were hidden when it was given. turn: the number of the turn it points at.
        """
        with self._database.writing() as connection:
            cursor = connection.execute(
                "INSERT INTO labels (session_id, label, turn, note, author, blind, created_at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                [session_id, label, turn, note, author, blind, time.time()],
            )
        return cast("int", cursor.lastrowid)

    def of(self, session_id: int) -> list[LabelRow]:
        """Return all labels that were ever given to a session, oldest first."""
        rows = self._database.connection.execute(
            "SELECT * FROM labels WHERE session_id = ? ORDER BY id", [session_id]
        )
        return [
            LabelRow(
                id=row["id"],
                session_id=row["session_id"],
                label=row["label"],
                turn=row["turn"],
                note=row["note"],
                author=row["author"],
                blind=bool(row["blind"]),
                created_at=row["created_at"],
            )
            for row in rows
        ]
