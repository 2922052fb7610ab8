"""Splits: which labelled sessions are for learning, for trying and for the last test, and when that was used.

A session stays in its split for good: moved to another, it would be tested on what was learned from it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast, get_args

from turnwise.conversations.store.database import Database

SplitName = Literal["train", "dev", "test"]
SPLITS: tuple[SplitName, ...] = get_args(SplitName)


@dataclass(frozen=True, slots=True)
class SplitUse:
    """That a criterion or a metric was tried on a split, or its figures there were looked at.

    version: the criterion's fingerprint, empty for a metric. sessions: how many.
    """

    split: SplitName
    criterion: str
    version: str
    run_id: int
    sessions: int
    author: str
    created_at: float


class SplitTable:
    """The splits of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def members(self) -> dict[int, SplitName]:
        """Return the split of each session that has one, by the id of the session."""
        rows = self._database.connection.execute("SELECT session_id, split FROM split_members")
        return {row["session_id"]: cast("SplitName", row["split"]) for row in rows}

    def add(self, members: Mapping[int, SplitName]) -> None:
        """Put sessions into splits; one that is in a split already stays there."""
        now = time.time()
        with self._database.writing() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO split_members (session_id, split, created_at) VALUES (?, ?, ?)",
                [(session, split, now) for session, split in members.items()],
            )

    def note_use(
        self, split: SplitName, *, criterion: str, version: str, run_id: int, sessions: int, author: str
    ) -> None:
        """Note that a criterion is tried on a split now, or looked at there."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO split_uses (split, criterion, version, run_id, sessions, author, created_at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?)",
                [split, criterion, version, run_id, sessions, author, time.time()],
            )

    def uses(self, split: SplitName) -> list[SplitUse]:
        """Return when a split was used, oldest first."""
        rows = self._database.connection.execute(
            "SELECT * FROM split_uses WHERE split = ? ORDER BY id", [split]
        )
        return [
            SplitUse(
                split=split,
                criterion=row["criterion"],
                version=row["version"],
                run_id=row["run_id"],
                sessions=row["sessions"],
                author=row["author"],
                created_at=row["created_at"],
            )
            for row in rows
        ]
