"""Answers: what chatbots said to the cases of test files, kept so that nobody is asked the same twice."""

from __future__ import annotations

import time
from collections.abc import Iterable

from turnwise.conversations.store.database import Database


class AnswerTable:
    """The answers of one database, each under the key that names who was asked what. Append-only."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_all(self, run_id: int, answers: Iterable[tuple[str, str]]) -> None:
        """Keep answers of a run: each its key, and what was answered as JSON."""
        with self._database.writing() as connection:
            now = time.time()
            connection.executemany(
                "INSERT INTO answers (run_id, key, answer, created_at) VALUES (?, ?, ?, ?)",
                [(run_id, key, answer, now) for key, answer in answers],
            )

    def newest(self, key: str, *, since: int = 0) -> str | None:
        """Return the newest answer under a key, None without one. since: the first run that counts."""
        row = self._database.connection.execute(
            "SELECT answer FROM answers WHERE key = ? AND run_id >= ? ORDER BY id DESC LIMIT 1", [key, since]
        ).fetchone()
        return None if row is None else str(row["answer"])
