"""Run outcomes: what a run found, light enough to compare a hundred thousand scores with another run's."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from sys import intern
from typing import Literal

from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.store.database import Database

_OUTCOMES = """
SELECT c.id, c.session_id, c.metric, c.exchange, c.outcome, c.score, c.score >= c.threshold AS passed
FROM run_scores m JOIN scores c ON c.id = m.score_id
WHERE m.run_id = ? ORDER BY c.session_id, c.id
"""
_SUBJECTS = """
SELECT s.id, s.name, json_extract(s.data, '$.name') AS given,
    json_extract(s.data, '$.metadata.suite') AS suite, json_extract(s.data, '$.metadata.case') AS place,
    json_extract(s.data, '$.metadata.repeat') AS repeat, json_extract(s.data, '$.metadata.vars') AS vars,
    json_extract(s.data, '$.metadata.prompt') AS prompt, json_extract(s.data, '$.metadata.target') AS target,
    (SELECT t.content FROM turns t WHERE t.session_id = s.id AND t.role = 'user'
        ORDER BY t.position LIMIT 1) AS opening
FROM sessions s
WHERE s.id IN (SELECT c.session_id FROM run_scores m JOIN scores c ON c.id = m.score_id WHERE m.run_id = ?)
ORDER BY s.id
"""
_TARGETS = """
SELECT json_extract(s.data, '$.metadata.target') AS target, min(s.id) AS first FROM sessions s
WHERE s.id IN (SELECT c.session_id FROM run_scores m JOIN scores c ON c.id = m.score_id WHERE m.run_id = ?)
GROUP BY target HAVING coalesce(target, '') <> '' ORDER BY first
"""

Kind = Literal["score", "failure", "skipped"]
_KINDS: Mapping[str, Kind] = {"score": "score", "failure": "failure", "skipped": "skipped"}


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """One outcome of a run. exchange: None for the whole session. passed: None where there is no score."""

    id: int
    session_id: int
    metric: str
    exchange: int | None
    outcome: Kind
    score: float | None
    passed: bool | None


@dataclass(frozen=True, slots=True)
class SubjectRow:
    """A session that a run judged, and what tells which case it is.

    name: as lists show it; given: the name it was given, empty where it has none. suite, place (the case's
    index, -1 where it is none of its own), repeat, prompt, target: of a case that `turnwise run` kept, else
    empty. vars and opening: the case's variables and what the user said first, as fingerprints.
    """

    session_id: int
    name: str
    given: str
    suite: str
    place: int
    repeat: int
    vars: str
    prompt: str
    target: str
    opening: str


class RunOutcomeTable:
    """The outcomes of one database by run."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, run_id: int) -> list[OutcomeRow]:
        """Return the newest outcome of every session, metric and exchange of a run, session by session."""
        found: list[OutcomeRow] = []
        rows = self._database.connection.execute(_OUTCOMES, [run_id])
        for _, several in groupby(rows, key=itemgetter(1)):
            newest: dict[tuple[str, int | None], OutcomeRow] = {}
            # Unpacked by place: by name it takes twice as long. Names are shared: they take the most room.
            for one, session, metric, exchange, outcome, score, passed in several:
                newest[(metric, exchange)] = OutcomeRow(
                    one,
                    session,
                    intern(metric),
                    exchange,
                    _KINDS[outcome],
                    score,
                    None if passed is None else passed == 1,
                )
            found += newest.values()
        return found

    def subjects(self, run_id: int) -> list[SubjectRow]:
        """Return the sessions of a run, in the order in which they came in."""
        return list(self._subjects(run_id))

    def targets(self, run_id: int) -> list[str]:
        """Return the targets that answered in a run, as its sessions name them, in order."""
        rows = self._database.connection.execute(_TARGETS, [run_id])
        return [str(row["target"]) for row in rows]

    def _subjects(self, run_id: int) -> Iterator[SubjectRow]:
        for row in self._database.connection.execute(_SUBJECTS, [run_id]):
            yield SubjectRow(
                session_id=row["id"],
                name=row["name"],
                given=_text(row, "given"),
                suite=_text(row, "suite"),
                place=_number(row, "place", -1),
                repeat=_number(row, "repeat", 0),
                vars=fingerprint(_text(row, "vars")),
                prompt=_text(row, "prompt"),
                target=_text(row, "target"),
                opening=fingerprint(_text(row, "opening")),
            )


def _text(row: sqlite3.Row, column: str) -> str:
    return "" if row[column] is None else str(row[column])


def _number(row: sqlite3.Row, column: str, otherwise: int) -> int:
    # A file's own metadata may hold another thing under that name.
    value = row[column]
    return value if isinstance(value, int) else otherwise
