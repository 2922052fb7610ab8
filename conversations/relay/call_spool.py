"""CallSpool: the calls that went through the proxy, in a database of their own beside the other.

    calls   each call once, with what it says as prints, and the session that it is part of

A call is in this file before its program hears the end of the reply, so a proxy that is killed loses at most
what is under way. Nobody else writes to it: no call waits for a program that holds the other database. Where
it cannot be written, calls wait in memory, and are written once that works again.
"""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import StoreError
from turnwise.conversations.live import KeptFile
from turnwise.conversations.relay.relayed_call import CallNames, RelayedCall

ENDING = "-calls"
SECONDS_KEPT = 7 * 86_400.0
"""So long calls are kept that are in a session, as later ones may go on from them."""
MOST_WAITING_BYTES = 256 * 1024 * 1024
"""So much waits in memory while the file cannot be written; what comes then is counted as lost."""
_AT_ONCE = 500
_TABLES = """
CREATE TABLE IF NOT EXISTS calls (
    id INTEGER PRIMARY KEY,
    interface TEXT NOT NULL,
    came REAL NOT NULL,
    name TEXT NOT NULL,
    user TEXT NOT NULL,
    reply_id TEXT NOT NULL DEFAULT '',
    call TEXT NOT NULL,
    after TEXT,
    told TEXT,
    parent INTEGER,
    session INTEGER,
    is_last INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX IF NOT EXISTS calls_by_after ON calls (after);
CREATE INDEX IF NOT EXISTS calls_by_reply ON calls (reply_id);
CREATE INDEX IF NOT EXISTS calls_by_name ON calls (name, id);
CREATE INDEX IF NOT EXISTS calls_due ON calls (id) WHERE session IS NULL;
"""


@dataclass(frozen=True, slots=True)
class KeptCall:
    """A call that is in a session. is_last: whether none goes on from it yet. after: see SaidMessages.

    name, user: of its conversation, where the program gave them. lane: who of several said it.
    """

    id: int
    name: str
    after: str
    told: str
    user: str
    session: int
    is_last: bool
    lane: str


class CallSpool:
    """The calls of one database; usable from every thread, closed once.

    waiting: how many calls are in memory alone, because the file cannot be written. lost: how many were let
    go since there were too many of them. fault: why, while that is so.
    """

    def __init__(self, database: Path, *, clock: Callable[[], float] = time.time) -> None:
        """Raise StoreError where the file cannot be made or opened."""
        self.path = database.with_name(database.name + ENDING)
        self.fault = ""
        self.lost = 0
        self._clock = clock
        self._lock = threading.Lock()
        self._waiting: deque[tuple[Any, ...]] = deque()
        self._waiting_bytes = 0
        # Calls must not wait: what cannot be written now is written later.
        self._file = KeptFile(self.path, _TABLES, holds="Calls", survives="kill")

    @property
    def waiting(self) -> int:
        """How many calls wait in memory."""
        return len(self._waiting)

    def add(self, call: RelayedCall) -> None:
        """Keep a call. It never fails: where the file cannot be written, the call waits in memory."""
        reply_id = str((call.reply or {}).get("id") or "")
        text = json.dumps(asdict(call), ensure_ascii=False)
        row = (call.interface, call.came, call.names.session, call.names.user, reply_id, text)
        with self._lock:
            if self._waiting_bytes + len(text) > MOST_WAITING_BYTES:
                self.lost += 1
                return
            self._waiting.append(row)
            self._waiting_bytes += len(text)
            self._write_waiting()

    def write_waiting(self) -> bool:
        """Try once more to write what waits; return whether nothing waits now."""
        with self._lock:
            return self._write_waiting()

    def _write_waiting(self) -> bool:
        if not self._waiting:
            return True
        try:
            with self._file.writing() as connection:
                connection.executemany(
                    "INSERT INTO calls (interface, came, name, user, reply_id, call) "
                    "VALUES (?, ?, ?, ?, ?, ?)",
                    list(self._waiting),
                )
        except StoreError as error:
            self.fault = str(error.__cause__)
            return False
        self._waiting.clear()
        self._waiting_bytes, self.fault = 0, ""
        return True

    def due(self, limit: int = 100) -> list[tuple[int, RelayedCall]]:
        """Return calls that are in no session yet, in the order in which they ended. Raises StoreError."""
        rows = self._file.read(
            "SELECT id, call FROM calls WHERE session IS NULL ORDER BY id LIMIT ?", [limit]
        )
        return [(row[0], _call(row[1])) for row in rows]

    def call(self, call_id: int) -> RelayedCall | None:
        """Return a call."""
        rows = self._file.read("SELECT call FROM calls WHERE id = ?", [call_id])
        return _call(rows[0][0]) if rows else None

    def parent_of(self, call_id: int) -> int | None:
        """Return the call that a call goes on from."""
        rows = self._file.read("SELECT parent FROM calls WHERE id = ?", [call_id])
        return rows[0][0] if rows else None

    def after(self, prints: Sequence[str]) -> list[KeptCall]:
        """Return the calls in sessions after which one of these prints stood, oldest first."""
        found: list[KeptCall] = []
        for start in range(0, len(prints), _AT_ONCE):
            part = prints[start : start + _AT_ONCE]
            marks = ", ".join("?" * len(part))
            sql = f"{_KEPT} AND after IN ({marks}) ORDER BY id"
            found += [_kept(row) for row in self._file.read(sql, part)]
        return found

    def of_reply(self, reply_id: str) -> KeptCall | None:
        """Return the call that gave a reply of this id."""
        rows = self._file.read(f"{_KEPT} AND reply_id = ? ORDER BY id DESC LIMIT 1", [reply_id])
        return _kept(rows[0]) if rows else None

    def last_named(self, name: str) -> KeptCall | None:
        """Return the last call of a conversation that its program named."""
        rows = self._file.read(f"{_KEPT} AND name = ? ORDER BY id DESC LIMIT 1", [name])
        return _kept(rows[0]) if rows else None

    def taken_in(self, call_id: int, *, session: int, after: str, told: str, parent: int | None) -> None:
        """Note the session of a call, and the call that it goes on from. Raises StoreError."""
        with self._file.writing() as connection:
            connection.execute(
                "UPDATE calls SET session = ?, after = ?, told = ?, parent = ?, is_last = 1 WHERE id = ?",
                [session, after, told, parent, call_id],
            )
            connection.execute("UPDATE calls SET is_last = 0 WHERE id = ?", [parent])

    def forget_old(self) -> int:
        """Let go of calls that have been in sessions for long."""
        with self._file.writing() as connection:
            return connection.execute(
                "DELETE FROM calls WHERE session IS NOT NULL AND came < ?", [self._clock() - SECONDS_KEPT]
            ).rowcount

    def close(self) -> None:
        """Write what waits, as far as it goes, and close the file."""
        self.write_waiting()
        self._file.close()


_KEPT = (
    "SELECT id, name, after, told, user, session, is_last, coalesce(json_extract(call, '$.names.lane'), '') "
    "FROM calls WHERE session IS NOT NULL"
)


def _kept(row: Any) -> KeptCall:
    return KeptCall(row[0], row[1], row[2], row[3], row[4], row[5], is_last=bool(row[6]), lane=row[7])


def _call(text: str) -> RelayedCall:
    plain = json.loads(text)
    return RelayedCall(**{**plain, "names": CallNames(**plain["names"])})
