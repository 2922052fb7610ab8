"""How a conversation is written down: its session, then its turns, with what both say of themselves."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from turnwise.conversations.store.facts.flat import Fact, exchange_facts, facts_of
from turnwise.conversations.store.facts.index import add_facts
from turnwise.conversations.store.keeping.given_numbers import last_number

if TYPE_CHECKING:
    from turnwise.conversations.cases import ConversationalTestCase

_TURNS_AT_ONCE = 500
_ENCODER = json.JSONEncoder(ensure_ascii=False)
_COLUMNS = "id, fingerprint, chatbot_role, name, kind, source, format, data, created_at"
_NEXT = f"{last_number('sessions')} + 1"
_NEXT_TURN = f"SELECT {last_number('turns')} + 1"


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
    """Write a session without its turns, and return its id. name: empty to take the name of the case. kind:
    exchange or conversation. at: seconds since 1970, now if None.
    """
    # What finds a name knows the greetings of many languages, and takes a while to load.
    from turnwise.conversations.store.facts.session_names import session_name

    data = case.model_dump(mode="json", exclude_defaults=True, exclude={"turns", "chatbot_role"})
    session_id = insert_begun(
        connection,
        data,
        fingerprint=fingerprint,
        role=case.chatbot_role or "",
        name=name or session_name(case),
        kind=kind,
        source=source,
        format=format,
        at=time.time() if at is None else at,
    )
    if case.tags:
        connection.executemany(
            "INSERT OR IGNORE INTO main.session_tags VALUES (?, ?)", [(session_id, tag) for tag in case.tags]
        )
    return session_id


def insert_begun(
    connection: sqlite3.Connection,
    data: Mapping[str, Any],
    *,
    fingerprint: str,
    role: str,
    name: str,
    kind: str,
    source: str,
    format: str,  # noqa: A002
    at: float,
) -> int:
    """Write a session of which nothing is known but these, and return its id.

    data: what its case says beside turns and role, as JSON-ready values. at: seconds since 1970.
    """
    cursor = connection.execute(
        f"INSERT INTO main.sessions ({_COLUMNS}) VALUES ({_NEXT}, ?, ?, ?, ?, ?, ?, ?, ?)",  # noqa: S608
        [fingerprint, role, name, kind, source, format, _as_json(data), at],
    )
    session_id = cast("int", cursor.lastrowid)
    add_facts(connection, session_id, facts_of(data))
    return session_id


def insert_turns(
    connection: sqlite3.Connection,
    session_id: int,
    case: ConversationalTestCase,
    times: Sequence[float | None] = (),
    *,
    after: int = 0,
    breathe: Callable[[], None] | None = None,
) -> None:
    """Write the turns of a session. times: seconds from its start to each turn's end, where known. after: how
    many of the first are there already. breathe: called now and then between two turns, where there are many.
    """
    from turnwise.conversations.turns import number_turns

    numbers = number_turns(case.turns)
    elapsed = times if len(times) == len(case.turns) else _elapsed(case)
    rows: list[tuple[Any, ...]] = []
    facts: list[Fact] = []
    numbered = enumerate(zip(case.turns, numbers, elapsed, strict=True))
    for position, (turn, number, at) in islice(numbered, after, None):
        data = turn.model_dump(mode="json", exclude_defaults=True, exclude={"role", "content"})
        facts += exchange_facts(data)
        rows.append((session_id, position, number, turn.role, turn.content, _as_json(data), at))
    for start in range(0, len(rows), _TURNS_AT_ONCE):
        if start and breathe is not None:
            breathe()
        (first,) = connection.execute(_NEXT_TURN).fetchone()
        connection.executemany(
            "INSERT INTO turns (id, session_id, position, number, role, content, data, at) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            ((id_, *row) for id_, row in enumerate(rows[start : start + _TURNS_AT_ONCE], first)),
        )
    add_facts(connection, session_id, facts)


def _as_json(data: Mapping[str, Any]) -> str:
    # Most turns have nothing beside their words, and there may be a million of them.
    return _ENCODER.encode(data) if data else "{}"


def _elapsed(case: ConversationalTestCase) -> list[float | None]:
    """Return seconds from the start to each turn's end: by how long turns took, else by their moments."""
    from turnwise.conversations.turns import elapsed_since_first, moment_told

    if not any(turn.latency_ms is not None for turn in case.turns):
        return elapsed_since_first([moment_told(turn) for turn in case.turns])
    now, elapsed = 0.0, []
    for turn in case.turns:
        now += (turn.latency_ms or 0.0) / 1000
        elapsed.append(round(now, 3))
    return list(elapsed)
