"""Signals learned from labels, in all versions. A forgotten one stays, for the scores that rest on it."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable
from dataclasses import dataclass

from turnwise.conversations.store.database import Database

_AT_ONCE = 500
# The other columns of a group are those of the row that has the maximum: SQLite says so.
_KEPT = """
SELECT session_id, metric, score, outcome, max(id) FROM scores
WHERE session_id IN ({sessions}) AND came_from = '' GROUP BY session_id, metric
"""
_PASSED = """
SELECT session_id, coalesce(passed, score >= 0.5) AS passed, outcome, max(id) FROM scores
WHERE metric = ? AND session_id IN ({sessions}) GROUP BY session_id
"""


@dataclass(frozen=True, slots=True)
class SignalVersion:
    """One version of a learned signal. number: from 1 under its name. content: the signal as JSON."""

    id: int
    name: str
    number: int
    fingerprint: str
    content: str
    author: str
    created_at: float


class LearnedSignalTable:
    """The learned signals of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, *, name: str, fingerprint: str, content: str, author: str) -> SignalVersion:
        """Keep a signal as the newest version of its name and return it."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO learned_signals (name, fingerprint, content, author, created_at) "
                "VALUES (?, ?, ?, ?, ?)",
                [name, fingerprint, content, author, time.time()],
            )
        return self.versions(name)[-1]

    def versions(self, name: str) -> list[SignalVersion]:
        """Return all versions of a name, oldest first, forgotten ones included."""
        rows = self._database.connection.execute(
            "SELECT * FROM learned_signals WHERE name = ? ORDER BY id", [name]
        )
        return [_version(row, number) for number, row in enumerate(rows, start=1)]

    def standing(self) -> list[SignalVersion]:
        """Return the newest version of every name that is not forgotten, by name."""
        rows = self._database.connection.execute(
            "SELECT name FROM learned_signals GROUP BY name HAVING sum(forgotten_at IS NULL) ORDER BY name"
        ).fetchall()
        return [self.versions(row["name"])[-1] for row in rows]

    def forget(self, name: str) -> int:
        """Forget a signal with all its versions; return how many there were."""
        with self._database.writing() as connection:
            return connection.execute(
                "UPDATE learned_signals SET forgotten_at = ? WHERE name = ? AND forgotten_at IS NULL",
                [time.time(), name],
            ).rowcount

    def kept_scores(self, session_ids: Iterable[int]) -> dict[int, dict[str, float]]:
        """Return the newest score of each metric by session, where the newest outcome is one.

        Scores that came with a file are left out: such a one may be the very truth that is to be foretold.
        """
        found: dict[int, dict[str, float]] = {}
        for row in self._of(_KEPT, [], session_ids):
            if row["outcome"] == "score":
                found.setdefault(row["session_id"], {})[row["metric"]] = row["score"]
        return found

    def labelled_metrics(self) -> list[str]:
        """Return the metrics that people gave labels about, by name."""
        rows = self._database.connection.execute("SELECT DISTINCT metric FROM labels ORDER BY metric")
        return [row["metric"] for row in rows if row["metric"]]

    def imported_metrics(self) -> list[str]:
        """Return the metrics whose scores came with files, such as a reward, by name."""
        rows = self._database.connection.execute(
            "SELECT DISTINCT metric FROM scores WHERE came_from != '' ORDER BY metric"
        )
        return [row["metric"] for row in rows]

    def passed_by(self, metric: str, session_ids: Iterable[int]) -> dict[int, bool]:
        """Return by session whether a metric's newest score passes; one without a threshold from 0.5 on."""
        found = self._of(_PASSED, [metric], session_ids)
        return {row["session_id"]: bool(row["passed"]) for row in found if row["outcome"] == "score"}

    def _of(self, sql: str, values: list[object], session_ids: Iterable[int]) -> Iterable[sqlite3.Row]:
        ids = list(session_ids)
        for start in range(0, len(ids), _AT_ONCE):
            part = ids[start : start + _AT_ONCE]
            places = ", ".join("?" * len(part))
            yield from self._database.connection.execute(sql.format(sessions=places), [*values, *part])


def _version(row: sqlite3.Row, number: int) -> SignalVersion:
    return SignalVersion(
        id=row["id"],
        name=row["name"],
        number=number,
        fingerprint=row["fingerprint"],
        content=row["content"],
        author=row["author"],
        created_at=row["created_at"],
    )
