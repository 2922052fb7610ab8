"""Told facts: what some sessions say of themselves under some names, as a list shows it in columns."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from turnwise.conversations.store.facts.flat import META
from turnwise.conversations.store.facts.groups import fact_keys
from turnwise.conversations.store.facts.search import metadata_keys, values_of

MOST_COLUMNS_OFFERED = 200
_AT_ONCE = 500
_TOLD = """
SELECT m.session_id, f.key, f.value FROM session_facts m JOIN facts f ON f.id = m.fact_id
WHERE m.session_id IN ({sessions}) AND f.key IN ({keys}) ORDER BY f.number, f.value"""


def told_of(
    connection: sqlite3.Connection, session_ids: Sequence[int], names: Sequence[str]
) -> dict[int, dict[str, str]]:
    """Return what sessions say under names such as model, scenario or meta.KEY; several values in a row."""
    named = {key.casefold(): name for name in names for key in fact_keys(name)}
    told: dict[int, dict[str, str]] = {}
    for start in range(0, len(session_ids) if named else 0, _AT_ONCE):
        part = session_ids[start : start + _AT_ONCE]
        places = {"sessions": ", ".join("?" * len(part)), "keys": ", ".join("?" * len(named))}
        for session_id, key, value in connection.execute(_TOLD.format(**places), [*part, *named]):
            name, said = named[str(key).casefold()], told.setdefault(session_id, {})
            said[name] = f"{said[name]}, {value}" if name in said else str(value)
    return told


def facts_offered(connection: sqlite3.Connection) -> list[str]:
    """Return the names of the facts that some session tells: model, scenario, and the keys of metadata."""
    named = [
        name
        for name in ("model", "scenario")
        if any(values_of(connection, key, 1) for key in fact_keys(name))
    ]
    return [*named, *(META + key for key in metadata_keys(connection, MOST_COLUMNS_OFFERED))]
