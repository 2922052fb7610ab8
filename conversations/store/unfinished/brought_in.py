"""What an import brought in: which sessions were new, so that it can be taken back.

The newest import of a database is kept under a name in `remembered`, so that a program can take it back which
did not import anything itself. Files that come in together, with the same time, are one import.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.store.keeping.damage import stored_json

_NAME = "newest import"
_TURN = "SELECT session_id, role, content, data FROM main.turns WHERE id = ?"


@dataclass(frozen=True, slots=True)
class LastRows:
    """The highest numbers of what rested on sessions when they had come in; whatever is higher came later.

    turn_print: names what the last turn said: a turn that takes its place may be given its number.
    """

    score: int = 0
    label: int = 0
    mode_change: int = 0
    turn: int = 0
    turn_print: str = ""


@dataclass(frozen=True, slots=True)
class BroughtIn:
    """One import.

    came_from: the name of its file, the first of several. files: how many there were. at: seconds since 1970.
    spans: the first and the last number of new sessions that follow each other. there_before: how many of its
    sessions were there already. last: what rested on sessions once they were in. given_roles: spans, too, of
    sessions that had no chatbot's role until it gave them one.
    """

    came_from: str
    at: float
    files: int = 1
    spans: tuple[tuple[int, int], ...] = ()
    there_before: int = 0
    last: LastRows = LastRows()
    given_roles: tuple[tuple[int, int], ...] = ()

    @property
    def sessions(self) -> list[int]:
        """The new sessions, whether they are still there or not."""
        return [number for first, last in self.spans for number in range(first, last + 1)]

    @property
    def sessions_given_roles(self) -> list[int]:
        """Those that were there before, and have their chatbot's role of it."""
        new = set(self.sessions)
        given = (number for first, last in self.given_roles for number in range(first, last + 1))
        return [number for number in given if number not in new]


def note_brought_in(connection: sqlite3.Connection, brought: BroughtIn) -> None:
    """Keep an import as the newest; with what came in at the same time before it, it is one."""
    earlier = newest_import(connection)
    if earlier is not None and earlier.at == brought.at:
        brought = replace(
            brought,
            came_from=earlier.came_from,
            files=earlier.files + brought.files,
            spans=_joined([*earlier.spans, *brought.spans]),
            there_before=earlier.there_before + brought.there_before,
            given_roles=_joined([*earlier.given_roles, *brought.given_roles]),
        )
    _keep(connection, replace(brought, last=_last_rows(connection)))


def note_findings_in(connection: sqlite3.Connection) -> None:
    """Note that what came with the newest import is in too: it was not found here."""
    if (newest := newest_import(connection)) is not None:
        _keep(connection, replace(newest, last=_last_rows(connection)))


def newest_import(connection: sqlite3.Connection) -> BroughtIn | None:
    """Return the newest import; None where there was none."""
    row = connection.execute("SELECT value FROM main.remembered WHERE name = ?", [_NAME]).fetchone()
    if row is None:
        return None
    kept: dict[str, Any] = stored_json(row[0])
    spans, given_roles = (
        tuple((int(first), int(last)) for first, last in kept.get(name, ()))
        for name in ("spans", "given_roles")
    )
    return BroughtIn(**{**kept, "spans": spans, "given_roles": given_roles, "last": LastRows(**kept["last"])})


def print_of_turn(connection: sqlite3.Connection, turn_id: int) -> str:
    """Name what a turn says; empty where there is none of that number."""
    row = connection.execute(_TURN, [turn_id]).fetchone()
    return "" if row is None else fingerprint(list(row))


def session_of_turn(connection: sqlite3.Connection, turn_id: int) -> int | None:
    """Return the session of a turn; None where there is none of that number."""
    row = connection.execute(_TURN, [turn_id]).fetchone()
    return None if row is None else int(row["session_id"])


def _keep(connection: sqlite3.Connection, brought: BroughtIn) -> None:
    connection.execute(
        "INSERT OR REPLACE INTO main.remembered VALUES (?, ?)", [_NAME, json.dumps(asdict(brought))]
    )


def _last_rows(connection: sqlite3.Connection) -> LastRows:
    score, label, mode_change, turn = (
        int(connection.execute(f"SELECT coalesce(max(id), 0) FROM main.{table}").fetchone()[0])  # noqa: S608
        for table in ("scores", "labels", "mode_changes", "turns")
    )
    return LastRows(score, label, mode_change, turn, print_of_turn(connection, turn))


def _joined(spans: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Return spans in order, those that follow each other as one: a folder may hold thousands of files."""
    joined: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if joined and joined[-1][1] + 1 == first:
            joined[-1] = joined[-1][0], last
        else:
            joined.append((first, last))
    return tuple(joined)
