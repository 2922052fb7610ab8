"""Changes of failure modes: how each is written down, and how somebody's newest is taken back or made again.

Nothing is taken back in silence that somebody else did since: that stays, and it is said so.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store.modes.rows import ModeChange
from turnwise.conversations.store.modes.standing import GIVEN, newest_states
from turnwise.conversations.undo import ChangeHistory

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
    "withdraw": "taken back",
}
_STATES = "SELECT * FROM mode_states WHERE change_id = ? ORDER BY id"
_CHANGES = "SELECT id, what, takes_back FROM mode_changes WHERE author = ? ORDER BY id"
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
class ModeState:
    """What a mode is."""

    name: str
    definition: str
    merged_into: int | None = None
    retired: bool = False


def state_of(row: Any) -> ModeState:
    """Return the state in a row."""
    return ModeState(row["name"], row["definition"], row["merged_into"], bool(row["retired"]))


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


def insert_state(connection: sqlite3.Connection, change: int, mode_id: int, state: ModeState) -> None:
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


def history_of(connection: sqlite3.Connection, author: str) -> ChangeHistory[int]:
    """Return the numbers of an author's changes. An undo and a redo have rows of their own."""
    history = ChangeHistory[int]()
    for row in connection.execute(_CHANGES, [author]):
        if row["takes_back"] is None:
            history.make(row["id"])
        elif row["what"] == "undo":
            history.undo(row["takes_back"])
        else:
            history.redo(row["takes_back"])
    return history


def take_back(connection: sqlite3.Connection, author: str, how: Literal["undo", "redo"]) -> ModeChange | None:
    """Undo the author's newest change that stands, or redo the one undone last; None where there is none.

    What was changed by another change since is left as it is.
    """
    history = history_of(connection, author)
    change = history.to_undo if how == "undo" else history.to_redo
    if change is None:
        return None
    what = connection.execute("SELECT what FROM mode_changes WHERE id = ?", [change]).fetchone()["what"]
    used = what == "add" and how == "undo" and _is_used_by_others(connection, change, author)
    new = insert_change(connection, how, author, takes_back=change)
    names, states = ([], 0) if used else _take_back_states(connection, change, new, how)
    modes, sessions = _take_back_assignments(connection, change, new, how)
    about = modes or [row["mode_id"] for row in connection.execute(_STATES, [change])]
    if not names and about:
        names = [newest_states(connection)[about[0]]["name"]]
    kept = "somebody else uses it" if used else "it was changed since"
    done = _DONE.get(what, what)
    return ModeChange(done, names[0] if names else "", sessions, "" if states or sessions else kept)


def _is_used_by_others(connection: sqlite3.Connection, change: int, author: str) -> bool:
    """Return whether others gave sessions what a change added, or merged another mode into it."""
    for row in connection.execute(_STATES, [change]).fetchall():
        mode_id = row["mode_id"]
        given = f"SELECT 1 FROM {GIVEN} WHERE mode_id = ? AND author <> ? LIMIT 1"  # noqa: S608
        if connection.execute(given, [mode_id, author]).fetchone() is not None:
            return True
        if any(state["merged_into"] == mode_id for state in newest_states(connection).values()):
            return True
    return False


def _take_back_states(
    connection: sqlite3.Connection, change: int, new: int, how: str
) -> tuple[list[str], int]:
    """Return the names that modes have by that, and how many states were taken back."""
    names, taken = list[str](), 0
    before = "SELECT * FROM mode_states WHERE mode_id = ? AND id < ? ORDER BY id DESC LIMIT 1"
    newest = "SELECT * FROM mode_states WHERE mode_id = ? ORDER BY id DESC LIMIT 1"
    for row in connection.execute(_STATES, [change]).fetchall():
        after = state_of(row)
        previous = connection.execute(before, [row["mode_id"], row["id"]]).fetchone()
        # What was not there before it was added is out of use again.
        earlier = replace(after, retired=True) if previous is None else state_of(previous)
        was, now = (after, earlier) if how == "undo" else (earlier, after)
        stands = state_of(connection.execute(newest, [row["mode_id"]]).fetchone())
        if stands == was:
            insert_state(connection, new, row["mode_id"], now)
            taken += 1
        names.append(now.name if stands == was else stands.name)
    return names, taken


def _take_back_assignments(
    connection: sqlite3.Connection, change: int, new: int, how: str
) -> tuple[list[int], int]:
    """Return the modes that were assigned, and of how many sessions that was taken back."""
    rows = connection.execute(_ASSIGNED, [change]).fetchall()
    again: list[Assignment] = []
    for row in rows:
        after = bool(row["assigned"]), row["turn"]
        before = bool(row["had"]), row["had_turn"]
        was, now = (after, before) if how == "undo" else (before, after)
        if (bool(row["has"]), row["has_turn"]) == was:
            again.append((row["mode_id"], row["session_id"], *now))
    insert_assignments(connection, new, again)
    return [row["mode_id"] for row in rows], len({session_id for _, session_id, _, _ in again})
