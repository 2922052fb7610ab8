"""Runs: which evaluations there were, and how each came out, counted from its outcomes."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Mapping, Sequence
from typing import Any, cast

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store.database import Database
from turnwise.conversations.store.rows import RunRow

_SELECT = """
SELECT r.*,
    count(c.id) FILTER (WHERE c.outcome = 'score') AS scored,
    count(c.id) FILTER (WHERE c.score >= c.threshold) AS passed,
    count(c.id) FILTER (WHERE c.outcome = 'failure') AS failures,
    count(c.id) FILTER (WHERE c.outcome = 'skipped') AS skipped
FROM runs r LEFT JOIN run_scores m ON m.run_id = r.id LEFT JOIN scores c ON c.id = m.score_id
"""


class RunTable:
    """The runs of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(
        self, *, judge: str, metrics: Sequence[str], judge_settings: Mapping[str, Any] | None = None
    ) -> int:
        """Note that a run begins, and return its number."""
        with self._database.writing() as connection:
            cursor = connection.execute(
                "INSERT INTO runs (created_at, judge, judge_settings, metrics) VALUES (?, ?, ?, ?)",
                [time.time(), judge, json.dumps(dict(judge_settings or {})), json.dumps(list(metrics))],
            )
        return cast("int", cursor.lastrowid)

    def finish(self, run_id: int) -> None:
        """Note that a run came to its end; one that was stopped never does."""
        with self._database.writing() as connection:
            connection.execute("UPDATE runs SET finished_at = ? WHERE id = ?", [time.time(), run_id])

    def get(self, run_id: int) -> RunRow:
        """Return one run. Raises NotFoundError."""
        row = self._database.connection.execute(
            f"{_SELECT} WHERE r.id = ? GROUP BY r.id", [run_id]
        ).fetchone()
        if row is None:
            raise NotFoundError(f"There is no run {run_id}")
        return _run_row(row)

    def all(self) -> list[RunRow]:
        """Return all runs, newest first."""
        rows = self._database.connection.execute(f"{_SELECT} GROUP BY r.id ORDER BY r.id DESC")
        return [_run_row(row) for row in rows]


def _run_row(row: sqlite3.Row) -> RunRow:
    return RunRow(
        id=row["id"],
        created_at=row["created_at"],
        finished_at=row["finished_at"],
        judge=row["judge"],
        metrics=tuple(json.loads(row["metrics"])),
        scores=row["scored"],
        passed=row["passed"],
        failures=row["failures"],
        skipped=row["skipped"],
    )
