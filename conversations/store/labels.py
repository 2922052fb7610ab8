"""Labels: what people found about a session. A changed mind is a new row; nothing is overwritten."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable
from typing import cast

from turnwise.conversations.findings import Label
from turnwise.conversations.marks import AtFault, LabelWord
from turnwise.conversations.store.database import Database
from turnwise.conversations.store.keeping.given_numbers import last_number
from turnwise.conversations.store.rows import LabelRow
from turnwise.conversations.texts import mend_text

UNKNOWN = "reviewer"
"""Who labels where the system has no name for the user."""
_INSERT = (
    "INSERT INTO labels "  # noqa: S608
    "(id, session_id, label, turn, note, author, blind, metric, value, created_at, came_from, "
    "at_fault, adjudicates) "
    f"VALUES ({last_number('labels')} + 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def default_author() -> str:
    """Return the name that the operating system knows the user by."""
    # Of all who open a database, only those who label need it, and it loads what drives terminals.
    import getpass

    try:
        return getpass.getuser().strip() or UNKNOWN
    # Python 3.13 made one error of the two.
    except (OSError, KeyError):
        return UNKNOWN


class LabelTable:
    """The labels of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(
        self,
        session_id: int,
        label: LabelWord | None,
        *,
        author: str,
        blind: bool,
        turn: int | None = None,
        note: str = "",
        metric: str = "",
        value: float | None = None,
        at_fault: AtFault | None = None,
        adjudicates: bool = False,
    ) -> int:
        """Keep a label and return its id; None takes back what the author said of this metric and turn.

        blind: whether the scores were hidden when it was given. turn: the number of the turn it points at.
        metric: what was looked at; empty for the whole. value: from 0 to 1, where there is more than a word.
        at_fault, adjudicates: as in findings.Label.
        """
        given = Label(
            word=label,
            author=author,
            blind=blind,
            turn=turn,
            note=note,
            metric=metric,
            value=value,
            at_fault=at_fault,
            adjudicates=adjudicates,
        )
        with self._database.writing() as connection:
            return _insert(connection, session_id, given, time.time())

    def add_new(self, session_id: int, labels: Iterable[Label], *, at: float, came_from: str = "") -> int:
        """Keep the labels that the session does not have yet, in order, and return how many those were.

        at: seconds since 1970, for those that do not say when they were given. came_from: the file that
        holds them.
        """
        with self._database.writing() as connection:
            known = {_key(row) for row in self.of(session_id)}
            # A label without a time is the same as a stored one with any time.
            timeless = {key[:-1] for key in known}
            new = [label for label in labels if not _is_known(label, known, timeless)]
            for label in new:
                _insert(connection, session_id, label, at, came_from)
        return len(new)

    def add_sights(self, session_ids: Iterable[int], author: str) -> None:
        """Keep that somebody saw the scores of sessions; what they label from now on is not blind."""
        now = time.time()
        with self._database.writing() as connection:
            connection.executemany(
                # One that is gone by now is left out.
                "INSERT OR IGNORE INTO sights SELECT id, ?, ? FROM sessions WHERE id = ?",
                [(author, now, session_id) for session_id in session_ids],
            )

    def seen_by(self, session_id: int) -> frozenset[str]:
        """Return who saw the scores of a session before they labelled it."""
        rows = self._database.connection.execute(
            "SELECT author FROM sights WHERE session_id = ?", [session_id]
        )
        return frozenset(row["author"] for row in rows)

    def seen_sessions(self, author: str) -> frozenset[int]:
        """Return the sessions of which somebody saw the scores before they labelled them."""
        rows = self._database.connection.execute("SELECT session_id FROM sights WHERE author = ?", [author])
        return frozenset(row["session_id"] for row in rows)

    def of(self, session_id: int) -> list[LabelRow]:
        """Return all labels that were ever given to a session, oldest first. Raises DamageError."""
        with self._database.reading(session_id):
            rows = self._database.connection.execute(
                "SELECT * FROM labels WHERE session_id = ? ORDER BY id", [session_id]
            )
            return [
                LabelRow(
                    id=row["id"],
                    session_id=row["session_id"],
                    label=row["label"],
                    turn=row["turn"],
                    note=row["note"],
                    author=row["author"],
                    blind=bool(row["blind"]),
                    created_at=row["created_at"],
                    metric=row["metric"],
                    value=row["value"],
                    came_from=row["came_from"],
                    at_fault=row["at_fault"],
                    adjudicates=bool(row["adjudicates"]),
                )
                for row in rows
            ]


def _insert(
    connection: sqlite3.Connection, session_id: int, label: Label, at: float, came_from: str = ""
) -> int:
    cursor = connection.execute(
        _INSERT,
        [
            session_id,
            label.word,
            label.turn,
            label.note,
            label.author,
            label.blind,
            label.metric,
            label.value,
            at if label.at is None else label.at,
            came_from,
            label.at_fault,
            label.adjudicates,
        ],
    )
    return cast("int", cursor.lastrowid)


def _key(row: LabelRow) -> tuple[object, ...]:
    return (
        row.author,
        row.metric,
        row.turn,
        row.label,
        row.value,
        row.note,
        row.blind,
        row.at_fault,
        row.adjudicates,
        row.created_at,
    )


def _is_known(label: Label, known: set[tuple[object, ...]], timeless: set[tuple[object, ...]]) -> bool:
    author, metric, note = (mend_text(text) for text in (label.author, label.metric, label.note))
    key = (
        author,
        metric,
        label.turn,
        label.word,
        label.value,
        note,
        label.blind,
        label.at_fault,
        label.adjudicates,
    )
    return key in timeless if label.at is None else (*key, label.at) in known
