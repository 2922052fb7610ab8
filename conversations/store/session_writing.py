"""Session writing: a case becomes the rows of a session and of its turns."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from turnwise.conversations.cases import ConversationalTestCase

NAME_LENGTH = 60
"""The most characters of a name that is made here."""


def session_name(case: ConversationalTestCase) -> str:
    """Return a conversation's name, or else what its user said first, cut to one short line."""
    said = next((turn.content for turn in case.turns if turn.role == "user" and turn.content.strip()), "")
    return short_name(case.name or said or "conversation without words")


def short_name(name: str) -> str:
    """Return a name on one line, cut where it is long."""
    line = " ".join(name.split())
    return line if len(line) <= NAME_LENGTH else line[: NAME_LENGTH - 1] + "…"


def insert_session(
    connection: sqlite3.Connection,
    case: ConversationalTestCase,
    *,
    name: str,
    kind: str,
    fingerprint: str,
    source: str,
    format: str,  # noqa: A002
    at: float | None,
) -> int:
    """Write a session without its turns, and return its id.

    name: empty for what the case says. kind: exchange or conversation. at: seconds since 1970, now if None.
    """
    data = case.model_dump(mode="json", exclude_defaults=True, exclude={"turns", "chatbot_role"})
    cursor = connection.execute(
        "INSERT INTO sessions (fingerprint, chatbot_role, name, kind, source, format, data, created_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            fingerprint,
            case.chatbot_role or "",
            name or session_name(case),
            kind,
            source,
            format,
            json.dumps(data, ensure_ascii=False),
            time.time() if at is None else at,
        ],
    )
    session_id = cast("int", cursor.lastrowid)
    if case.tags:
        connection.executemany(
            "INSERT OR IGNORE INTO session_tags VALUES (?, ?)", [(session_id, tag) for tag in case.tags]
        )
    return session_id


def insert_turns(
    connection: sqlite3.Connection,
    session_id: int,
    case: ConversationalTestCase,
    times: Sequence[float | None] = (),
) -> None:
    """Write the turns of a session. times: seconds from its start to each turn's end, where known."""
    from turnwise.conversations.turns import number_turns

    numbers = number_turns(case.turns)
    elapsed = times if len(times) == len(case.turns) else _elapsed(case)
    rows: list[tuple[Any, ...]] = []
    for position, (turn, number, at) in enumerate(zip(case.turns, numbers, elapsed, strict=True)):
        data = turn.model_dump(mode="json", exclude_defaults=True, exclude={"role", "content"})
        rows.append(
            (session_id, position, number, turn.role, turn.content, json.dumps(data, ensure_ascii=False), at)
        )
    connection.executemany(
        "INSERT INTO turns (session_id, position, number, role, content, data, at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        rows,
    )


def _elapsed(case: ConversationalTestCase) -> list[float | None]:
    """Return seconds from the start to each turn's end; all None where no turn says how long it took."""
    if not any(turn.latency_ms is not None for turn in case.turns):
        return [None] * len(case.turns)
    now, elapsed = 0.0, []
    for turn in case.turns:
        now += (turn.latency_ms or 0.0) / 1000
        elapsed.append(round(now, 3))
    return list(elapsed)
