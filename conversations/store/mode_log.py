"""The log of failure modes: changes with the states and assignments they made, taken back and made again."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store.mode_rows import ModeChange

Assignment = tuple[int, int, bool, int | None]
"""The number of a mode, of a session, whether it has it from now on, and the turn at which it shows."""

_DONE = {
    "add": "added",
    "rename": "renamed",
    "define": "defined",
    "merge": "merged",
    "retire": "retired",
    "assign": "assigned",
    "unassign": "taken away",
}
_CHANGES = """
SELECT c.id, c.what, (SELECT t.what FROM mode_changes t WHERE t.takes_back = c.id ORDER BY t.id DESC LIMIT 1)
    AS taken
FROM mode_changes c WHERE c.author = ? AND c.takes_back IS NULL ORDER BY c.id
"""
_ASSIGNED = """
SELECT a.mode_id, a.session_id, a.assigned, a.turn, b.assigned AS had, b.turn AS had_turn,
    n.assigned AS has, n.turn AS has_turn
FROM mode_assignments a
LEFT JOIN mode_assignments b ON b.id = (SELECT max(id) FROM mode_assignments
    WHERE session_id = a.session_id AND mode_id = a.mode_id AND id < a.id)
JOIN mode_assignments n ON n.id = (SELECT max(id) FROM mode_assignments
    WHERE session_id = a.session_id AND mode_id = a.mode_id)
WHERE a.change_id = ? ORDER BY a.id
"""


@dataclass(frozen=True, slots=True)
class State:
    """What a mode is."""

    name: str
    definition: str
    merged_into: int | None = None
    retired: bool = False


def state_of(row: Any) -> State:
    """Return the state in a row."""
    return State(row["name"], row["definition"], row["merged_into"], bool(row["retired"]))


def insert_change(
    connection: sqlite3.Connection,
    what: str,
    author: str,
    *,
    takes_back: int | None = None,
    proposed_by: str = "",
    at: float | None = None,
) -> int:
    """Note that somebody changes something, and return the number of the change. at: now, if None."""
    cursor = connection.execute(
        "INSERT INTO mode_changes (what, takes_back, author, proposed_by, created_at) VALUES (?, ?, ?, ?, ?)",
        [what, takes_back, author, proposed_by, time.time() if at is None else at],
    )
    return cast("int", cursor.lastrowid)


def insert_state(connection: sqlite3.Connection, change: int, mode_id: int, state: State) -> None:
    """Note what a mode is from now on."""
    connection.execute(
        "INSERT INTO mode_states (change_id, mode_id, name, definition, merged_into, retired) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        [change, mode_id, state.name, state.definition, state.merged_into, state.retired],
    )


def insert_assignments(connection: sqlite3.Connection, change: int, rows: Iterable[Assignment]) -> None:
    """Note which sessions have which modes from now on. Raises NotFoundError."""
    try:
        connection.executemany(
            "INSERT INTO mode_assignments (change_id, mode_id, session_id, assigned, turn) "
            "VALUES (?, ?, ?, ?, ?)",
            [(change, *row) for row in rows],
        )
    except sqlite3.IntegrityError:
        raise NotFoundError(
            "One of these sessions is not there", next_step="`turnwise sessions` lists those there are."
        ) from None


def take_back(connection: sqlite3.Connection, author: str, how: Literal["undo", "redo"]) -> ModeChange | None:
    """Undo the author's newest change that stands, or redo the one undone last; None where there is none.

    What was changed by another change since is left as it is.
    """
    changes = connection.execute(_CHANGES, [author]).fetchall()
    standing = [row for row in changes if row["taken"] != "undo"]
    if how == "undo":
        change = standing[-1] if standing else None
    else:
        last = standing[-1]["id"] if standing else 0
        change = next((row for row in changes if row["taken"] == "undo" and row["id"] > last), None)
    if change is None:
        return None
    new = insert_change(connection, how, author, takes_back=change["id"])
    names = _take_back_states(connection, change["id"], new, how)
    modes, sessions = _take_back_assignments(connection, change["id"], new, how)
    if not names and modes:
        row = connection.execute(
            "SELECT name FROM mode_states WHERE mode_id = ? ORDER BY id DESC LIMIT 1", [modes[0]]
        ).fetchone()
        names = [row["name"]]
    return ModeChange(_DONE.get(change["what"], change["what"]), names[0] if names else "", sessions)


def _take_back_states(connection: sqlite3.Connection, change: int, new: int, how: str) -> list[str]:
    names: list[str] = []
    before = "SELECT * FROM mode_states WHERE mode_id = ? AND id < ? ORDER BY id DESC LIMIT 1"
    newest = "SELECT * FROM mode_states WHERE mode_id = ? ORDER BY id DESC LIMIT 1"
    rows = connection.execute("SELECT * FROM mode_states WHERE change_id = ? ORDER BY id", [change])
    for row in rows.fetchall():
        after = state_of(row)
        previous = connection.execute(before, [row["mode_id"], row["id"]]).fetchone()
        # What was not there before it was added is out of use again.
        earlier = replace(after, retired=True) if previous is None else state_of(previous)
        was, now = (after, earlier) if how == "undo" else (earlier, after)
        if state_of(connection.execute(newest, [row["mode_id"]]).fetchone()) == was:
            insert_state(connection, new, row["mode_id"], now)
        names.append(now.name)
    return names


def _take_back_assignments(
    connection: sqlite3.Connection, change: int, new: int, how: str
) -> tuple[list[int], int]:
    """Return the modes whose assignments were taken back, and how many sessions that was about."""
    rows = connection.execute(_ASSIGNED, [change]).fetchall()
    again: list[Assignment] = []
    for row in rows:
        after = bool(row["assigned"]), row["turn"]
        before = bool(row["had"]), row["had_turn"]
        was, now = (after, before) if how == "undo" else (before, after)
        if (bool(row["has"]), row["has_turn"]) == was:
            again.append((row["mode_id"], row["session_id"], *now))
    insert_assignments(connection, new, again)
    return [row["mode_id"] for row in rows], len({row["session_id"] for row in rows})
