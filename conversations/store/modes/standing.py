"""What stands of failure modes: the state of each, as which it counts, and which sessions have it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any

NO_MODE = "none"
"""What the filter calls sessions without a failure mode; no mode may be called so."""
STANDING = """(SELECT m.id, m.change_id, m.mode_id, m.session_id, m.turn FROM mode_assignments m
    WHERE m.assigned AND NOT EXISTS (SELECT 1 FROM mode_assignments later
        WHERE later.session_id = m.session_id AND later.mode_id = m.mode_id AND later.id > m.id))"""
"""The assignments that stand: the newest of each mode and session, where it gives and does not take."""

_NEWEST_STATES = "SELECT * FROM mode_states WHERE id IN (SELECT max(id) FROM mode_states GROUP BY mode_id)"


def newest_states(connection: sqlite3.Connection) -> dict[int, Any]:
    """Return the newest state of every mode, by its number."""
    return {row["mode_id"]: row for row in connection.execute(_NEWEST_STATES)}


def root_of(mode_id: int, merges: Mapping[int, int | None]) -> int:
    """Return the mode that a mode counts as. merges: what each mode was merged into."""
    seen = {mode_id}
    while (into := merges.get(mode_id)) is not None and into not in seen:
        mode_id = into
        seen.add(into)
    return mode_id


def mode_groups(connection: sqlite3.Connection) -> dict[str, tuple[int, ...]]:
    """Return, per name of a mode that can be assigned, the numbers of all modes that count as it."""
    states = newest_states(connection)
    merges = {mode_id: row["merged_into"] for mode_id, row in states.items()}
    found: dict[str, list[int]] = {}
    for mode_id in states:
        root = states[root_of(mode_id, merges)]
        if not root["retired"] and root["merged_into"] is None:
            found.setdefault(root["name"], []).append(mode_id)
    return {name: tuple(numbers) for name, numbers in found.items()}
