"""Session reading: the rows of lists: a session with its tags, its newest label and its marks."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import cast

from turnwise.conversations.findings import LabelWord
from turnwise.conversations.store.queries import Condition
from turnwise.conversations.store.review_queues import DONE
from turnwise.conversations.store.rows import Mark, SessionRow

AT_ONCE = 500
"""So many sessions are named in one statement."""
_ROW = f"""
SELECT s.id, s.name, s.chatbot_role, s.source, s.created_at,
    (SELECT coalesce(max(t.number), 0) FROM turns t WHERE t.session_id = s.id) AS turns,
    (SELECT group_concat(tag, char(31)) FROM session_tags g WHERE g.session_id = s.id) AS tags,
    (SELECT l.label FROM labels l WHERE l.session_id = s.id AND l.metric = ''
        ORDER BY l.id DESC LIMIT 1) AS label,
    EXISTS (SELECT 1 FROM queue_items i JOIN queues q ON q.id = i.queue_id
        WHERE i.session_id = s.id AND NOT coalesce({DONE}, 0)) AS queued
FROM sessions s
"""  # noqa: S608


def read_rows(connection: sqlite3.Connection, where: Condition, tail: str) -> list[SessionRow]:
    """Return the rows of the sessions (s) that meet a condition. tail: what orders and limits them."""
    found = connection.execute(f"{_ROW} WHERE {where.sql} {tail}", where.values).fetchall()
    marks = _marks(connection, [row["id"] for row in found])
    return [_session_row(row, marks.get(row["id"], {})) for row in found]


def _session_row(row: sqlite3.Row, marks: dict[str, Mark]) -> SessionRow:
    return SessionRow(
        id=row["id"],
        name=row["name"],
        chatbot_role=row["chatbot_role"],
        turns=row["turns"],
        tags=tuple(sorted((row["tags"] or "").split(chr(31)))) if row["tags"] else (),
        source=row["source"],
        created_at=row["created_at"],
        label=cast("LabelWord | None", row["label"]),
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
            "SELECT session_id, metric, outcome, score, score >= threshold AS passed FROM scores "  # noqa: S608
            f"WHERE session_id IN ({places}) ORDER BY coalesce(exchange, 0), id"
        )
        for row in connection.execute(sql, part):
            passed = None if row["passed"] is None else bool(row["passed"])
            marks.setdefault(row["session_id"], {})[row["metric"]] = Mark(
                row["outcome"], row["score"], passed
            )
    return marks
