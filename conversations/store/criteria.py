"""Criteria: every version of one that was tried or saved, and what it scored. Nothing is overwritten."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from turnwise.conversations.results import OutcomeWord
from turnwise.conversations.store.database import Database

_VERSIONS = """
SELECT *, row_number() OVER (PARTITION BY name ORDER BY id) AS number FROM criterion_versions
"""
# The other columns of a group are those of the row that has the maximum: SQLite says so.
_SCORED = """
SELECT c.session_id, c.id, c.outcome, c.score, c.reason, c.judge, c.cost, c.seconds, s.name,
    max(coalesce(c.exchange, 0) * 1099511627776 + c.id)
FROM scores c JOIN sessions s ON s.id = c.session_id
"""


@dataclass(frozen=True, slots=True)
class CriterionVersion:
    """One version of a criterion.

    number: from 1, in the order in which the versions of that name came. fingerprint: of all that it says.
    metric_fingerprint: the one its scores carry; versions that differ in their threshold alone share it.
    text: the criterion as YAML. source: the file it was from, '' where it was in none.
    """

    id: int
    name: str
    number: int
    fingerprint: str
    metric_fingerprint: str
    text: str
    source: str
    author: str
    created_at: float


@dataclass(frozen=True, slots=True)
class CriterionOutcome:
    """The newest outcome of a criterion on one session. score: None unless it is one."""

    session_id: int
    name: str
    outcome: OutcomeWord
    score: float | None
    reason: str
    judge: str
    cost: float | None
    seconds: float


class CriterionTable:
    """The criteria of one database, in all their versions."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(
        self,
        *,
        name: str,
        fingerprint: str,
        metric_fingerprint: str,
        text: str,
        author: str,
        source: str = "",
        at: float | None = None,
    ) -> CriterionVersion:
        """Return the version with this content, keeping it where it is new; see CriterionVersion.

        at: when it was written, in seconds since 1970; None for now.
        """
        with self._database.writing() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO criterion_versions "
                "(name, fingerprint, metric_fingerprint, text, source, author, created_at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                [
                    name,
                    fingerprint,
                    metric_fingerprint,
                    text,
                    source,
                    author,
                    time.time() if at is None else at,
                ],
            )
        return next(one for one in self.versions(name) if one.fingerprint == fingerprint)

    def names(self) -> list[str]:
        """Return the names of all criteria that were ever tried or saved, those tried last first."""
        rows = self._database.connection.execute(
            "SELECT name FROM criterion_versions GROUP BY name ORDER BY max(id) DESC"
        )
        return [row["name"] for row in rows]

    def versions(self, name: str) -> list[CriterionVersion]:
        """Return the versions of a criterion, oldest first."""
        rows = self._database.connection.execute(f"{_VERSIONS} WHERE name = ? ORDER BY id", [name])
        return [_version(row) for row in rows]

    def outcomes(self, metric: str, metric_fingerprint: str) -> list[CriterionOutcome]:
        """Return the newest outcome of a criterion on each session, whoever judged, in their order."""
        rows = self._database.connection.execute(
            f"{_SCORED} WHERE c.metric = ? AND c.metric_fingerprint = ? GROUP BY c.session_id",
            [metric, metric_fingerprint],
        )
        return [_outcome(row) for row in rows]

    def outcomes_of_run(self, run_id: int, metric: str) -> list[CriterionOutcome]:
        """Return the outcomes of a criterion in one run, those kept from earlier runs included."""
        rows = self._database.connection.execute(
            f"{_SCORED} JOIN run_scores m ON m.score_id = c.id "
            "WHERE m.run_id = ? AND c.metric = ? GROUP BY c.session_id",
            [run_id, metric],
        )
        return [_outcome(row) for row in rows]

    def fingerprints(self, session_ids: Sequence[int]) -> dict[int, str]:
        """Return the fingerprints of the contents of sessions, by id."""
        found: dict[int, str] = {}
        for start in range(0, len(session_ids), 500):
            part = session_ids[start : start + 500]
            found |= {
                row["id"]: row["fingerprint"]
                for row in self._database.connection.execute(
                    f"SELECT id, fingerprint FROM sessions WHERE id IN ({', '.join('?' * len(part))})",  # noqa: S608
                    part,
                )
            }
        return found


def _version(row: sqlite3.Row) -> CriterionVersion:
    return CriterionVersion(
        id=row["id"],
        name=row["name"],
        number=row["number"],
        fingerprint=row["fingerprint"],
        metric_fingerprint=row["metric_fingerprint"],
        text=row["text"],
        source=row["source"],
        author=row["author"],
        created_at=row["created_at"],
    )


def _outcome(row: sqlite3.Row) -> CriterionOutcome:
    return CriterionOutcome(
        session_id=row["session_id"],
        name=row["name"],
        outcome=cast("OutcomeWord", row["outcome"]),
        score=row["score"],
        reason=row["reason"],
        judge=row["judge"],
        cost=row["cost"],
        seconds=row["seconds"],
    )
