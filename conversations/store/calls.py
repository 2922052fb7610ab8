"""Judge calls as they are stored: the cache of replies, and the evidence behind every score."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from typing import Any

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store.database import Database
from turnwise.conversations.store.keeping.damage import stored_json
from turnwise.conversations.store.rows import CallRow

_INSERT = (
    "INSERT INTO calls (key, reusable, judge, model, request, reply, finish_reason, tokens, usage, seconds, "
    "cost, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


class CallTable:
    """The judge calls of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, key: str) -> CallRow:
        """Return the newest call under a key. Raises NotFoundError."""
        row = self._database.connection.execute(
            "SELECT * FROM calls WHERE key = ? ORDER BY id DESC LIMIT 1", [key]
        ).fetchone()
        if row is None:
            raise NotFoundError(f"There is no judge call {key}")
        return _call_row(row)

    def reusable(self, key: str) -> CallRow | None:
        """Return the newest well-formed answer under a key, or None: the cache."""
        row = self._database.connection.execute(
            "SELECT * FROM calls WHERE key = ? AND reusable ORDER BY id DESC LIMIT 1", [key]
        ).fetchone()
        return _call_row(row) if row else None

    def requests(self, judge: str) -> Iterator[Mapping[str, Any]]:
        """Yield the requests to the judge of a fingerprint whose answers may serve again, newest first."""
        found = self._database.connection.execute(
            "SELECT request FROM calls WHERE judge = ? AND reusable ORDER BY id DESC", [judge]
        )
        for row in found:
            yield stored_json(row["request"])

    def add_all(self, calls: list[tuple[CallRow, bool]]) -> None:
        """Keep calls, each with whether its reply may serve again."""
        with self._database.writing() as connection:
            connection.executemany(_INSERT, [_values(call, reusable) for call, reusable in calls])


def _values(call: CallRow, reusable: bool) -> tuple[Any, ...]:
    return (
        call.key,
        reusable,
        call.judge,
        call.model,
        json.dumps(call.request, ensure_ascii=False),
        call.reply,
        call.finish_reason,
        None if call.tokens is None else json.dumps(call.tokens, ensure_ascii=False),
        json.dumps(call.usage),
        call.seconds,
        call.cost,
        call.created_at,
    )


def _call_row(row: sqlite3.Row) -> CallRow:
    return CallRow(
        key=row["key"],
        judge=row["judge"],
        model=row["model"],
        request=stored_json(row["request"]),
        reply=row["reply"],
        finish_reason=row["finish_reason"],
        tokens=stored_json(row["tokens"]) if row["tokens"] else None,
        usage=stored_json(row["usage"]),
        seconds=row["seconds"],
        cost=row["cost"],
        created_at=row["created_at"],
    )
