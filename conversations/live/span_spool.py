"""SpanSpool: the spans that came in, in a database of their own beside the other, until they are too old.

    spans   each span once, as a request of OTLP that holds nothing else, in JSON
    traces  the traces that they belong to, and whether one has spans that are in no session yet

They stay after they have become a session: what comes later of the same conversation is read together with
them. As this file is nobody else's, whoever sends spans never waits for a program that holds the database.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from turnwise.conversations.live.kept_file import KeptFile

ENDING = "-spans"
SECONDS_KEPT = 7 * 86_400.0
"""So long spans are kept after the last one of their trace came."""
SECONDS_BETWEEN_CLEARINGS = 600.0
SECONDS_FOR_MORE = 2.0
"""So long the rest of a trace is waited for whose first step has not ended yet."""
_SECONDS_TO_WAIT = 5.0
_TABLES = """
CREATE TABLE IF NOT EXISTS traces (
    trace TEXT PRIMARY KEY,
    conversation TEXT NOT NULL DEFAULT '',
    came REAL NOT NULL,
    begun INTEGER NOT NULL DEFAULT 0,
    due INTEGER NOT NULL DEFAULT 1
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS traces_by_conversation ON traces (conversation);
CREATE INDEX IF NOT EXISTS traces_due ON traces (due);
CREATE TABLE IF NOT EXISTS spans (
    id INTEGER PRIMARY KEY,
    trace TEXT NOT NULL REFERENCES traces (trace) ON DELETE CASCADE,
    span TEXT NOT NULL,
    request TEXT NOT NULL,
    UNIQUE (trace, span)
);
"""

Fields = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ReceivedSpan:
    """A span, by the ids that it has. request: it alone, as a request of OTLP in JSON. is_first: whether all
    others of its trace stand below it.
    """

    trace: str
    span: str
    request: Fields
    is_first: bool


class SpanSpool:
    """The spans of one database; usable from every thread, closed once."""

    def __init__(self, database: Path, *, clock: Callable[[], float] = time.time) -> None:
        """Raise StoreError where the file cannot be made or opened."""
        self.path = database.with_name(database.name + ENDING)
        self._clock = clock
        self._next_clearing = 0.0
        self._file = KeptFile(
            self.path, _TABLES, holds="Spans", seconds_to_wait=_SECONDS_TO_WAIT, survives="power cut"
        )

    def add(self, spans: Sequence[ReceivedSpan]) -> int:
        """Keep spans, each once, and return how many; they are on the disk when this returns.

        Raises StoreError where they cannot be kept; then none of them is.
        """
        now = self._clock()
        rows = [(one.trace, one.span, json.dumps(one.request, ensure_ascii=False)) for one in spans]
        firsts = {one.trace for one in spans if one.is_first}
        with self._file.writing() as connection:
            connection.executemany(
                "INSERT INTO traces (trace, came, begun) VALUES (?, ?, ?) ON CONFLICT (trace) DO UPDATE "
                "SET came = excluded.came, begun = max(begun, excluded.begun), due = due + 1",
                [(trace, now, trace in firsts) for trace in dict.fromkeys(row[0] for row in rows)],
            )
            connection.executemany(
                "INSERT INTO spans (trace, span, request) VALUES (?, ?, ?) "
                "ON CONFLICT (trace, span) DO UPDATE SET request = excluded.request",
                rows,
            )
        return len(rows)

    def due(self, *, all_of_them: bool = False) -> list[str]:
        """Return the traces with spans that are in no session yet, oldest first.

        One whose first step has not ended is among them once no more of it has come for a while, or where
        all are asked for.
        """
        until = self._clock() if all_of_them else self._clock() - SECONDS_FOR_MORE
        return [
            row[0]
            for row in self._file.read(
                "SELECT trace FROM traces WHERE due > 0 AND (begun OR came <= ?) ORDER BY came, trace",
                [until],
            )
        ]

    def requests_of(self, traces: Sequence[str]) -> dict[str, list[Fields]]:
        """Return the spans of traces, in the order in which they came."""
        return {
            trace: [
                json.loads(row[0])
                for row in self._file.read("SELECT request FROM spans WHERE trace = ? ORDER BY id", [trace])
            ]
            for trace in traces
        }

    def due_count(self, trace: str) -> int:
        """Return how often spans of a trace came since they were taken in; `taken_in` wants it back."""
        rows = self._file.read("SELECT due FROM traces WHERE trace = ?", [trace])
        return int(rows[0][0]) if rows else 0

    def conversation_of(self, trace: str) -> str:
        """Return the conversation that a trace was said to belong to; empty where none was."""
        rows = self._file.read("SELECT conversation FROM traces WHERE trace = ?", [trace])
        return str(rows[0][0]) if rows else ""

    def belongs_to(self, trace: str, conversation: str) -> None:
        """Note to which conversation a trace belongs."""
        with self._file.writing() as connection:
            connection.execute("UPDATE traces SET conversation = ? WHERE trace = ?", [conversation, trace])

    def traces_of(self, conversation: str) -> list[str]:
        """Return the traces of a conversation, oldest first."""
        rows = self._file.read(
            "SELECT t.trace FROM traces t JOIN spans s ON s.trace = t.trace WHERE t.conversation = ? "
            "GROUP BY t.trace ORDER BY min(s.id)",
            [conversation],
        )
        return [row[0] for row in rows]

    def taken_in(self, counts: dict[str, int]) -> None:
        """Note that traces are in sessions. counts: as `due_count` had them; what came since is still due."""
        with self._file.writing() as connection:
            connection.executemany(
                "UPDATE traces SET due = due - ? WHERE trace = ?", [(n, trace) for trace, n in counts.items()]
            )

    def forget_old(self) -> int:
        """Let go of the traces that are in sessions and of which nothing has come for long, now and then."""
        if self._clock() < self._next_clearing:
            return 0
        self._next_clearing = self._clock() + SECONDS_BETWEEN_CLEARINGS
        with self._file.writing() as connection:
            return connection.execute(
                "DELETE FROM traces WHERE due <= 0 AND came < ?", [self._clock() - SECONDS_KEPT]
            ).rowcount

    def close(self) -> None:
        """Close the file."""
        self._file.close()
