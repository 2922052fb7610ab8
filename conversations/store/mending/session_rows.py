"""Rows of sessions, as lists show them: read many at a time, and one at a time where some are damaged."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, cast

from turnwise.conversations.store.database import Database
from turnwise.conversations.store.filter_fields import Condition
from turnwise.conversations.store.keeping.damage import is_damage
from turnwise.conversations.store.keeping.queue_items import DONE
from turnwise.conversations.store.keeping.standing_labels import DISPUTED, NEWEST_LABEL
from turnwise.conversations.texts import mend_text

if TYPE_CHECKING:
    from turnwise.conversations.marks import LabelWord

AT_ONCE = 500
"""So many sessions are named in one statement."""
DAMAGED_NAME = "(damaged)"
"""Stands before the name of a session that is damaged, and for one whose name is lost."""
_ROW = f"""
SELECT s.id, s.name, s.chatbot_role, s.source, s.created_at,
    (SELECT coalesce(max(t.number), 0) FROM turns t WHERE t.session_id = s.id) AS turns,
    (SELECT group_concat(tag, char(31)) FROM session_tags g WHERE g.session_id = s.id) AS tags,
    {NEWEST_LABEL} AS label,
    {DISPUTED} AS disputed,
    EXISTS (SELECT 1 FROM queue_items i JOIN queues q ON q.id = i.queue_id
        WHERE i.session_id = s.id AND NOT coalesce({DONE}, 0)) AS queued
FROM sessions s
"""  # noqa: S608
_PLAIN_ROW = """
SELECT s.id, s.name, s.chatbot_role, s.source, s.created_at,
    0 AS turns, NULL AS tags, NULL AS label, 0 AS disputed, 0 AS queued
FROM sessions s
"""


@dataclass(frozen=True, slots=True)
class SessionPlace:
    """Where a session stands among others: from 0, of how many, and the ids of those before and after it."""

    index: int
    count: int
    previous: int | None
    next: int | None

    @classmethod
    def among(cls, ids: Sequence[int], session_id: int) -> SessionPlace | None:
        """Return the place in a list of ids; None where it is not in it."""
        if session_id not in ids:
            return None
        at, count = ids.index(session_id), len(ids)
        return cls(at, count, ids[at - 1] if at else None, ids[at + 1] if at + 1 < count else None)


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One session as lists show it.

    turns: how many spoken turns it has. label: the newest label of no one metric that stands, if any. marks:
    per metric the newest outcome of the whole session. queued: whether it waits in a review queue for a
    label. damaged: whether not all of this could be read. told: what it says under the names that a list
    shows. disputed: whether one person says pass and another fail, and nobody settled that.
    """

    id: int
    name: str
    chatbot_role: str
    turns: int
    tags: tuple[str, ...]
    source: str
    created_at: float
    label: LabelWord | None = None
    marks: Mapping[str, Mark] = field(default_factory=dict)
    queued: bool = False
    damaged: bool = False
    told: Mapping[str, str] = field(default_factory=dict)
    disputed: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    """A metric's newest outcome, as one mark: ✓ passed, ✗ did not, – skipped, ! failed.

    threshold: the score from which it passes; None where it is no score, or the check itself says.
    """

    outcome: Literal["score", "failure", "skipped"]
    score: float | None
    passed: bool | None
    threshold: float | None = None


def read_rows(database: Database, where: Condition, tail: str, known: Sequence[int] = ()) -> list[SessionRow]:
    """Return the rows of the sessions (s) that meet a condition. tail: what orders and limits them.

    One that is damaged is marked as such, with what can be read of it. known: the numbers of these sessions,
    where they are known. Raises DamageError where they are not, and cannot be read.
    """
    try:
        return _read(database.connection, where, tail)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if not is_damage(error):
            raise
        damage = database.damaged(error)
    if known:
        return [_readable(database, session_id) for session_id in known]
    try:
        sql = f"SELECT s.id FROM sessions s WHERE {where.sql} {tail}"  # noqa: S608
        ids = [row[0] for row in database.connection.execute(sql, where.values)]
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise damage from error
    return [_readable(database, session_id) for session_id in ids]


def readable_ids(connection: sqlite3.Connection) -> list[int]:
    """Return the numbers of the sessions that can still be found, whatever was damaged between them."""
    found: dict[int, None] = {}
    for direction in ("ASC", "DESC"):
        with suppress(sqlite3.DatabaseError, UnicodeDecodeError):
            # The plus keeps SQLite from an index that may be damaged too.
            for row in connection.execute(f"SELECT id FROM sessions ORDER BY +id {direction}"):  # noqa: S608
                found[row[0]] = None
    return sorted(found)


def _readable(database: Database, session_id: int) -> SessionRow:
    """Return what can be read of a session: all of its row, or less, or its number alone."""
    with database.mending() as connection:
        for sql in (_ROW, _PLAIN_ROW):
            try:
                row = connection.execute(f"{sql} WHERE s.id = ?", [session_id]).fetchone()
            except sqlite3.DatabaseError:
                continue
            if row is None:
                break
            try:
                marks = _marks(connection, [session_id]).get(session_id, {})
            except sqlite3.DatabaseError:
                marks = {}
            try:
                found = _session_row(row, marks)
            except sqlite3.DatabaseError:
                break
            texts = (found.name, found.chatbot_role, found.source)
            name, role, source = map(mend_text, texts)
            if sql is _ROW and (name, role, source) == texts:
                return found
            told = f"{DAMAGED_NAME} {name}"
            return replace(found, name=told, chatbot_role=role, source=source, damaged=True)
    return SessionRow(session_id, DAMAGED_NAME, "", 0, (), "", 0.0, damaged=True)


def _read(connection: sqlite3.Connection, where: Condition, tail: str) -> list[SessionRow]:
    found = connection.execute(f"{_ROW} WHERE {where.sql} {tail}", where.values).fetchall()
    marks = _marks(connection, [row["id"] for row in found])
    return [_session_row(row, marks.get(row["id"], {})) for row in found]


def _session_row(row: sqlite3.Row, marks: dict[str, Mark]) -> SessionRow:
    if not (isinstance(row["name"], str) and isinstance(row["created_at"], float)):
        raise sqlite3.DatabaseError("malformed row of a session")
    return SessionRow(
        id=row["id"],
        name=row["name"],
        chatbot_role=row["chatbot_role"],
        turns=row["turns"],
        tags=tuple(sorted((row["tags"] or "").split(chr(31)))) if row["tags"] else (),
        source=row["source"],
        created_at=row["created_at"],
        label=cast("LabelWord | None", row["label"]),
        disputed=bool(row["disputed"]),
        marks=marks,
        queued=bool(row["queued"]),
    )


def _marks(connection: sqlite3.Connection, ids: Sequence[int]) -> dict[int, dict[str, Mark]]:
    """Return, per session and metric, the newest outcome; of last-turn metrics that of the last exchange."""
    marks: dict[int, dict[str, Mark]] = {}
    for start in range(0, len(ids), AT_ONCE):
        part = ids[start : start + AT_ONCE]
        places = ", ".join("?" * len(part))
        sql = (
            "SELECT session_id, metric, outcome, score, passed, threshold FROM scores "  # noqa: S608
            f"WHERE session_id IN ({places}) ORDER BY coalesce(exchange, 0), id"
        )
        for row in connection.execute(sql, part):
            passed = None if row["passed"] is None else bool(row["passed"])
            marks.setdefault(row["session_id"], {})[row["metric"]] = Mark(
                row["outcome"], row["score"], passed, row["threshold"]
            )
    return marks
