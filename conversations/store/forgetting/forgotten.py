"""Forgetting sessions with all that rests on them, and bringing them back as long as the program runs.

With a session go its turns, tags, scores with their verdicts, labels, failure modes and places in queues and
pairs, the calls of judges that no other score rests on, and what nothing else says of itself. What people
wrote elsewhere stays: criteria and their examples, exported files, backups, answers of chatbots to the cases
of test files.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from turnwise.conversations.store.database import Database
from turnwise.conversations.store.facts.flat import Fact
from turnwise.conversations.store.facts.index import add_facts
from turnwise.conversations.store.keeping.given_numbers import Numbered, note_numbers
from turnwise.conversations.store.sessions import SessionTable
from turnwise.conversations.store.unfinished.growing import note_change

SESSIONS_AT_ONCE = 200
"""So many are forgotten in one transaction: others may write between two."""

_GOING = "(SELECT id FROM temp.going)"
_OF_SESSION = f"session_id IN {_GOING}"
_OF_SCORE = f"score_id IN (SELECT id FROM main.scores WHERE {_OF_SESSION})"  # noqa: S608
_OF_PAIR = f"left_session IN {_GOING} OR right_session IN {_GOING}"
_ROWS = {
    "sessions": f"id IN {_GOING}",
    "turns": _OF_SESSION,
    "session_tags": _OF_SESSION,
    "scores": _OF_SESSION,
    "verdicts": _OF_SCORE,
    "score_calls": _OF_SCORE,
    "run_scores": _OF_SCORE,
    "labels": _OF_SESSION,
    "sights": _OF_SESSION,
    "mode_assignments": _OF_SESSION,
    "split_members": _OF_SESSION,
    "queue_items": _OF_SESSION,
    "queue_assignments": _OF_SESSION,
    "queue_draws": _OF_SESSION,
    "pair_items": _OF_PAIR,
    "pair_preferences": (
        f"(queue_id, place) IN (SELECT queue_id, place FROM main.pair_items WHERE {_OF_PAIR})"  # noqa: S608
    ),
    "followed_sessions": _OF_SESSION,
}
"""Which rows of which table go with sessions; what others refer to stands before them."""
_NUMBERED: tuple[Numbered, ...] = ("sessions", "turns", "scores", "labels")
_NUMBERED_ANEW = frozenset({"turns", "mode_assignments", "pair_preferences", "calls"})
"""Of their numbers nothing but the order matters, and that only within what was forgotten together."""
_FACTS = (
    "SELECT l.session_id, f.key, f.value, f.number, f.at, f.id FROM main.session_facts l "  # noqa: S608
    f"JOIN main.facts f ON f.id = l.fact_id WHERE l.{_OF_SESSION}"
)
_STAKES = {
    "scores": f"SELECT count(*) FROM main.scores WHERE outcome = 'score' AND {_OF_SESSION}",  # noqa: S608
    "labels": (
        "SELECT count(*) FROM (SELECT label, max(id) FROM main.labels "  # noqa: S608
        f"WHERE {_OF_SESSION} GROUP BY session_id, author, metric, CASE WHEN metric <> '' THEN turn END) "
        "WHERE label IS NOT NULL"
    ),
    "modes": (
        "SELECT count(*) FROM (SELECT assigned, max(id) FROM main.mode_assignments "  # noqa: S608
        f"WHERE {_OF_SESSION} GROUP BY session_id, mode_id) WHERE assigned"
    ),
    "preferences": f"SELECT count(*) FROM main.pair_preferences WHERE {_ROWS['pair_preferences']}",  # noqa: S608
}


@dataclass(frozen=True, slots=True)
class Stakes:
    """What goes with sessions: scores, standing labels, failure modes that they have, and preferences."""

    sessions: int = 0
    scores: int = 0
    labels: int = 0
    modes: int = 0
    preferences: int = 0

    def __add__(self, other: Stakes) -> Stakes:
        return Stakes(
            self.sessions + other.sessions,
            self.scores + other.scores,
            self.labels + other.labels,
            self.modes + other.modes,
            self.preferences + other.preferences,
        )


@dataclass(frozen=True, slots=True)
class _Slice:
    """The rows of some sessions by table, with the names of its columns, and what they say of themselves."""

    rows: Mapping[str, tuple[tuple[str, ...], Sequence[tuple[Any, ...]]]]
    facts: Sequence[tuple[int, Fact]]


@dataclass(slots=True)
class Forgotten:
    """What was forgotten, and every row of it where it can be brought back. It is in memory alone."""

    stakes: Stakes = field(default_factory=Stakes)
    slices: list[_Slice] = field(default_factory=list)

    @property
    def sessions(self) -> tuple[int, ...]:
        """The sessions that can be brought back."""
        return tuple(row[0] for held in self.slices for row in held.rows["sessions"][1])


class ForgettingTable:
    """Takes sessions out of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def stakes(self, session_ids: Iterable[int]) -> Stakes:
        """Return what would go with these sessions; those that are not there do not count."""
        total = Stakes()
        for part in _slices(session_ids):
            connection = self._database.connection
            _choose(connection, part)
            total += _stakes(connection)
        return total

    def forget(
        self,
        session_ids: Iterable[int],
        *,
        to_bring_back: bool = False,
        tell: Callable[[int], None] = lambda done: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> Forgotten:
        """Forget sessions and return what went; those that are not there are left out.

        to_bring_back: keep the rows, for `bring_back`. tell: is given how many sessions are done, now and
        then. stop: asked now and then; where it says so, the rest stays. Raises StoreError; what was
        forgotten until then is gone.
        """
        forgotten, done = Forgotten(), 0
        for part in _slices(session_ids):
            if stop():
                break
            with self._database.writing() as connection:
                _choose(connection, part)
                forgotten.stakes += _stakes(connection)
                calls = _calls(connection)
                facts = connection.execute(_FACTS).fetchall()
                if to_bring_back:
                    forgotten.slices.append(_slice(connection, calls, facts))
                _forget(connection, calls, {row["id"] for row in facts})
            done += len(part)
            tell(done)
        return forgotten

    def bring_back(self, forgotten: Forgotten) -> int:
        """Bring sessions back with all that went with them; return how many came back.

        One that was brought in again meanwhile stays as it is now. What was removed meanwhile, such as a
        queue, is not made again. Raises StoreError; then nothing of it is back.
        """
        came, there = 0, SessionTable(self._database)
        with self._database.writing() as connection:
            for held in forgotten.slices:
                came += _insert(connection, "sessions", *held.rows["sessions"])
                for table, (columns, rows) in held.rows.items():
                    if table == "calls":
                        _insert_calls(connection, columns, rows)
                    elif table != "sessions":
                        _insert(connection, table, columns, rows)
                back = {one for one in {session_id for session_id, _ in held.facts} if one in there}
                for session_id, fact in held.facts:
                    if session_id in back:
                        add_facts(connection, session_id, [fact])
            note_change(connection)
        return came


def _slices(session_ids: Iterable[int]) -> list[list[int]]:
    ids = list(dict.fromkeys(session_ids))
    return [ids[start : start + SESSIONS_AT_ONCE] for start in range(0, len(ids), SESSIONS_AT_ONCE)]


def _choose(connection: sqlite3.Connection, session_ids: Sequence[int]) -> None:
    """Let the statements of this module be about these sessions, as far as they are there."""
    connection.execute("CREATE TEMP TABLE IF NOT EXISTS going (id INTEGER PRIMARY KEY)")
    connection.execute("DELETE FROM temp.going")
    connection.executemany(
        "INSERT OR IGNORE INTO temp.going SELECT id FROM main.sessions WHERE id = ?",
        [(session_id,) for session_id in session_ids],
    )


def _stakes(connection: sqlite3.Connection) -> Stakes:
    sessions = connection.execute("SELECT count(*) FROM temp.going").fetchone()[0]
    return Stakes(sessions, **{name: connection.execute(sql).fetchone()[0] for name, sql in _STAKES.items()})


def _calls(connection: sqlite3.Connection) -> list[str]:
    """Return the keys of the judge calls that scores of these sessions rest on, and of no others."""
    return [
        row[0]
        for row in connection.execute(
            f"SELECT DISTINCT call_key FROM main.score_calls WHERE {_OF_SCORE} EXCEPT "  # noqa: S608
            f"SELECT call_key FROM main.score_calls WHERE NOT {_OF_SCORE}"
        )
    ]


def _slice(connection: sqlite3.Connection, calls: Iterable[str], facts: Iterable[sqlite3.Row]) -> _Slice:
    rows = {table: _read(connection, table, where, ()) for table, where in _ROWS.items()}
    found = [_read(connection, "calls", "key = ?", (key,)) for key in calls]
    if found:
        rows["calls"] = found[0][0], [row for _, held in found for row in held]
    told = [(row["session_id"], Fact(row["key"], row["value"], row["number"], row["at"])) for row in facts]
    return _Slice(rows, told)


def _read(
    connection: sqlite3.Connection, table: str, where: str, values: Sequence[object]
) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """Return the columns and rows of a table, without computed columns and numbers that come anew."""
    named = [row["name"] for row in connection.execute(f"PRAGMA main.table_info({table})")]
    columns = tuple(name for name in named if name != "id" or table not in _NUMBERED_ANEW)
    order = "ORDER BY id" if "id" in named else ""
    sql = f"SELECT {', '.join(columns)} FROM main.{table} WHERE {where} {order}"  # noqa: S608
    return columns, [tuple(row) for row in connection.execute(sql, values)]


def _forget(connection: sqlite3.Connection, calls: Iterable[str], facts: Iterable[int]) -> None:
    for table in _NUMBERED:
        highest = connection.execute(f"SELECT max(id) FROM main.{table} WHERE {_ROWS[table]}").fetchone()[0]  # noqa: S608
        if highest is not None:
            note_numbers(connection, table, highest)
    connection.execute(f"DELETE FROM main.sessions WHERE id IN {_GOING}")  # noqa: S608
    connection.executemany("DELETE FROM main.calls WHERE key = ?", [(key,) for key in calls])
    connection.executemany(
        "DELETE FROM main.facts WHERE id = ? AND NOT EXISTS "
        "(SELECT 1 FROM main.session_facts WHERE fact_id = id)",
        [(fact,) for fact in facts],
    )
    note_change(connection)


def _insert(
    connection: sqlite3.Connection, table: str, columns: Sequence[str], rows: Iterable[tuple[Any, ...]]
) -> int:
    """Write rows whose places are free and whose parents are there; return how many those were."""
    parents: dict[int, list[tuple[str, str, str]]] = {}
    for link in connection.execute(f"PRAGMA main.foreign_key_list({table})"):
        parents.setdefault(link["id"], []).append((link["table"], link["to"], link["from"]))
    there = [
        f"EXISTS (SELECT 1 FROM main.{links[0][0]} p WHERE "  # noqa: S608
        + " AND ".join(f"p.{theirs} = n.{ours}" for _, theirs, ours in links)
        + ")"
        for links in parents.values()
    ]
    new = ", ".join(f"? AS {name}" for name in columns)
    return connection.executemany(
        f"INSERT OR IGNORE INTO main.{table} ({', '.join(columns)}) SELECT * FROM (SELECT {new}) n "  # noqa: S608
        f"WHERE {' AND '.join(there) or '1'}",
        rows,
    ).rowcount


def _insert_calls(
    connection: sqlite3.Connection, columns: Sequence[str], rows: Iterable[tuple[Any, ...]]
) -> None:
    """Bring calls back where there is none of the same key: one that was made since is newer."""
    key = columns.index("key")
    free = [
        row
        for row in rows
        if connection.execute("SELECT 1 FROM main.calls WHERE key = ?", [row[key]]).fetchone() is None
    ]
    _insert(connection, "calls", columns, free)
