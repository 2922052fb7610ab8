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


def _made(change: str) -> str:
    """Return the SQL of what the change was that a change, by its alias, takes back or makes again."""
    return f"(SELECT what FROM mode_changes WHERE id = {change}.takes_back)"  # noqa: S608


def _withdrawn(change: str) -> str:
    """Return the SQL that tells whether a change takes back what its own author gave, and nobody else."""
    return f"({change}.what = 'withdraw' OR {change}.what = 'redo' AND {_made(change)} = 'withdraw')"


def _ungiven(change: str) -> str:
    """Return the SQL that tells whether a change undoes that something was given."""
    return f"({change}.what = 'undo' AND {_made(change)} = 'assign')"


WITHDRAWN = _withdrawn("c")
"""Whether the change `c` is such a one; its row says whether the session has the mode still, by others."""
UNGIVEN = _ungiven("c")
"""Whether the change `c` is such a one; others may have given it too."""
_GONE_LATER = f"""SELECT 1 FROM mode_assignments t JOIN mode_changes d ON d.id = t.change_id
    WHERE t.session_id = a.session_id AND t.mode_id = a.mode_id AND t.id > a.id AND (NOT t.assigned
        OR d.author = c.author AND {_withdrawn("d")}
        OR d.takes_back IN (a.change_id, c.takes_back) AND {_ungiven("d")})"""  # noqa: S608
GIVEN = f"""(SELECT a.id, a.mode_id, a.session_id, a.turn, c.author, c.created_at
    FROM mode_assignments a JOIN mode_changes c ON c.id = a.change_id
    WHERE a.assigned AND NOT {WITHDRAWN} AND NOT {UNGIVEN} AND NOT EXISTS ({_GONE_LATER}))"""  # noqa: S608
"""What each person gave that stands: of an assignment that stands, there is one at least."""

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
