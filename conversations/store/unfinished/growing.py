"""Sessions that grow: what is read of them again takes the place of what was read before.

`followed_sessions` says which sessions a source gave that is read again and again, such as a file that a
program writes. A session that has grown keeps its id, and so its labels; turns that stay keep their rows.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.store.database import Database
from turnwise.conversations.store.facts.flat import LONGEST_VALUE, META, exchange_facts, facts_of
from turnwise.conversations.store.facts.index import add_facts
from turnwise.conversations.store.keeping.damage import stored_json
from turnwise.conversations.store.remembered import TIMES_GROWN
from turnwise.conversations.store.sessions import content_print
from turnwise.conversations.store.writing.written_sessions import insert_turns

if TYPE_CHECKING:
    from turnwise.conversations.cases import ConversationalTestCase

_MOST_OF_AN_ID = 20
"""So many sessions are looked at that have the same id: where there are more, it names no conversation."""


@dataclass(frozen=True, slots=True)
class SaidSoFar:
    """What a session holds of a conversation that may have gone on since.

    source_id: the source's own id of the conversation; empty where it has none. said: role and words of every
    message in order, each pair as a fingerprint. last: the words of the last one.
    """

    session_id: int
    source_id: str
    said: tuple[str, ...]
    last: str


def note_change(connection: sqlite3.Connection) -> None:
    """Let `GrowingTable.mark` tell that sessions changed in a way that no new row shows."""
    connection.execute(
        "INSERT INTO main.remembered VALUES (?, '1') "
        "ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1",
        [TIMES_GROWN],
    )


def said_print(role: str, content: str) -> str:
    """Name what somebody said, by role and words."""
    return fingerprint([role, content])


class GrowingTable:
    """The sessions that a source gave which is read again."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, source: str) -> list[int]:
        """Return the ids of the sessions that a source gave, oldest first."""
        rows = self._database.connection.execute(
            "SELECT session_id FROM followed_sessions WHERE source = ? ORDER BY session_id", [source]
        )
        return [row[0] for row in rows]

    def with_ids(self, ids: Sequence[tuple[str, str]], before: int) -> list[int]:
        """Return sessions that have one of some ids in their metadata, each with its key; the newest of each.

        before: only sessions with smaller numbers.
        """
        found: dict[int, None] = {}
        for key, value in ids:
            rows = self._database.connection.execute(
                "SELECT session_id FROM session_facts JOIN facts ON facts.id = fact_id "
                "JOIN sessions ON sessions.id = session_id "
                "WHERE key = ? AND value = ? AND session_id < ? ORDER BY session_id DESC LIMIT ?",
                [META + key, value[:LONGEST_VALUE], before, _MOST_OF_AN_ID],
            )
            found |= dict.fromkeys(row[0] for row in rows)
        return list(found)

    def note(self, source: str, sessions: Iterable[int]) -> None:
        """Remember that a source gave these sessions."""
        with self._database.writing() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO followed_sessions SELECT ?, id FROM main.sessions WHERE id = ?",
                [(source, session_id) for session_id in sessions],
            )

    def rename(self, before: str, after: str) -> None:
        """Let what one source gave be what another gave: the file was renamed. The first begins anew."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM followed_sessions WHERE source = ?", [after])
            connection.execute("UPDATE followed_sessions SET source = ? WHERE source = ?", [after, before])

    def version(self) -> int:
        """Return a number that is another once anybody but this thread has written to the database."""
        return int(self._database.connection.execute("PRAGMA data_version").fetchone()[0])

    def revision(self) -> tuple[int, int]:
        """Return two numbers, one of which is another once this thread or anybody else wrote something."""
        return self.version(), self._database.connection.total_changes

    def mark(self) -> tuple[int, ...] | None:
        """Return numbers that are others once sessions came, went or grew, or were scored or labelled.

        It does not matter by which program.

        None while a file is coming in, of which nothing is seen yet.
        """
        coming, *numbers = self._database.connection.execute(
            "SELECT EXISTS (SELECT 1 FROM main.staged_sessions), "
            "(SELECT coalesce(max(id), 0) FROM main.sessions), (SELECT coalesce(max(id), 0) FROM turns), "
            "(SELECT coalesce(max(id), 0) FROM scores), (SELECT coalesce(max(id), 0) FROM labels), "
            "(SELECT coalesce(max(value), 0) FROM remembered WHERE name = ?)",
            [TIMES_GROWN],
        ).fetchone()
        return None if coming else tuple(int(number) for number in numbers)

    def extent(self, session_id: int) -> tuple[int, int]:
        """Return numbers that are others once a session has grown."""
        count, last = self._database.connection.execute(
            "SELECT count(*), coalesce(max(id), 0) FROM turns WHERE session_id = ?", [session_id]
        ).fetchone()
        return count, last

    def join(self, before: str, after: str) -> None:
        """Let what one source gave be what another gave too: both turned out to be one."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT OR IGNORE INTO followed_sessions "
                "SELECT ?, session_id FROM followed_sessions WHERE source = ?",
                [after, before],
            )
            connection.execute("DELETE FROM followed_sessions WHERE source = ?", [before])

    def said(self, session_id: int) -> SaidSoFar | None:
        """Return what a session holds so far; None where it is not there any more."""
        connection = self._database.connection
        row = connection.execute(
            "SELECT json_extract(data, '$.metadata.source_id') FROM main.sessions WHERE id = ?", [session_id]
        ).fetchone()
        if row is None:
            return None
        turns = connection.execute(
            "SELECT role, content FROM turns WHERE session_id = ? ORDER BY position", [session_id]
        ).fetchall()
        return SaidSoFar(
            session_id,
            source_id=row[0] if isinstance(row[0], str) else "",
            said=tuple(said_print(turn["role"], turn["content"]) for turn in turns),
            last=turns[-1]["content"] if turns else "",
        )

    def grow(self, session_id: int, case: ConversationalTestCase, times: Sequence[float | None] = ()) -> None:
        """Bring a session up to date with the whole conversation as it is now. Raises NotFoundError.

        times: as `insert_turns` takes them. Name, tags and labels stay; scores stay too, as those of what was
        there when they were found.
        """
        data = case.model_dump(mode="json", exclude_defaults=True, exclude={"turns", "chatbot_role"})
        facts = [*facts_of(data)]
        for turn in case.turns:
            facts += exchange_facts(turn.model_dump(mode="json", exclude_defaults=True, include={"exchange"}))
        with self._database.writing() as connection:
            same = self._same_turns(session_id, case)
            changed = connection.execute(
                "UPDATE main.sessions SET fingerprint = ?, kind = 'conversation', data = ? WHERE id = ?",
                [content_print(case), json.dumps(data, ensure_ascii=False), session_id],
            )
            if not changed.rowcount:
                raise NotFoundError(f"There is no session {session_id}")
            connection.execute("DELETE FROM turns WHERE session_id = ? AND position >= ?", [session_id, same])
            insert_turns(connection, session_id, case, times, after=same)
            connection.execute("DELETE FROM main.session_facts WHERE session_id = ?", [session_id])
            add_facts(connection, session_id, facts)
            note_change(connection)
            connection.executemany(
                "INSERT OR IGNORE INTO main.session_tags VALUES (?, ?)",
                [(session_id, tag) for tag in case.tags or ()],
            )

    def state(self, session_id: int, metadata: Mapping[str, Any]) -> None:
        """Put values into a session's metadata, in the place of those of the same name.

        Nothing else of it changes. Raises NotFoundError.
        """
        with self._database.writing() as connection:
            row = connection.execute("SELECT data FROM main.sessions WHERE id = ?", [session_id]).fetchone()
            if row is None:
                raise NotFoundError(f"There is no session {session_id}")
            data = stored_json(row["data"])
            data["metadata"] = {**(data.get("metadata") or {}), **metadata}
            connection.execute(
                "UPDATE main.sessions SET data = ? WHERE id = ?",
                [json.dumps(data, ensure_ascii=False), session_id],
            )
            facts = [*facts_of(data)]
            for turn in connection.execute("SELECT data FROM turns WHERE session_id = ?", [session_id]):
                facts += exchange_facts(stored_json(turn["data"]))
            connection.execute("DELETE FROM main.session_facts WHERE session_id = ?", [session_id])
            add_facts(connection, session_id, facts)
            note_change(connection)

    def _same_turns(self, session_id: int, case: ConversationalTestCase) -> int:
        """Return how many turns at the beginning are stored just as they are now."""
        rows = self._database.connection.execute(
            "SELECT role, content, data FROM turns WHERE session_id = ? ORDER BY position", [session_id]
        ).fetchall()
        same = 0
        for row, turn in zip(rows, case.turns, strict=False):
            now = turn.model_dump(mode="json", exclude_defaults=True, exclude={"role", "content"})
            if (row["role"], row["content"]) != (turn.role, turn.content) or not _equal(row["data"], now):
                break
            same += 1
        return same


def _equal(stored: str, now: dict[str, Any]) -> bool:
    try:
        found: bool = json.loads(stored) == now
    except ValueError:
        return False
    return found


def said_in(turns: Sequence[Any]) -> tuple[str, ...]:
    """Return role and words of turns, each pair as a fingerprint."""
    return tuple(said_print(turn.role, turn.content) for turn in turns)
