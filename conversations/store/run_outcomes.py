"""Run outcomes: what a run found, light enough to compare a hundred thousand scores with another run's."""

from __future__ import annotations

import sqlite3
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import isnan, nan
from operator import itemgetter
from sys import intern
from typing import Any, get_args, overload

from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.results import OutcomeWord
from turnwise.conversations.store.database import Database

_OUTCOMES = """
SELECT c.id, c.session_id, c.metric, c.exchange, c.outcome, c.score, c.passed
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

_KINDS: tuple[OutcomeWord, ...] = get_args(OutcomeWord)
_WHOLE = -1
"""Stands for the exchange of what was judged as a whole."""
_NEITHER = -1
"""Stands for what neither passed nor failed."""


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """One outcome of a run. exchange: None for the whole session. passed: None where there is no score."""

    id: int
    session_id: int
    metric: str
    exchange: int | None
    outcome: OutcomeWord
    score: float | None
    passed: bool | None


class RunOutcomes(Sequence[OutcomeRow]):
    """The outcomes of a run, session by session; kept in columns, which take a tenth of the rows' room."""

    def __init__(self) -> None:
        self._metrics: dict[str, int] = {}
        self._names: list[str] = []
        self._ids = array("q")
        self._sessions = array("q")
        self._metric = array("i")
        self._exchanges = array("q")
        self._kinds = array("b")
        self._scores = array("d")
        self._passed = array("b")

    def add(self, row: sqlite3.Row | tuple[Any, ...]) -> None:
        """Put a row of the database at the end; its session is that of the last one, or a later one."""
        # Unpacked by place: by name it takes twice as long.
        one, session, metric, exchange, outcome, score, passed = row
        if metric not in self._metrics:
            self._metrics[metric] = len(self._names)
            self._names.append(metric)
        self._ids.append(one)
        self._sessions.append(session)
        self._metric.append(self._metrics[metric])
        self._exchanges.append(_WHOLE if exchange is None else exchange)
        self._kinds.append(_KINDS.index(outcome))
        self._scores.append(nan if score is None else score)
        self._passed.append(_NEITHER if passed is None else passed)

    def of_session(self, session_id: int) -> range:
        """Return the places at which the outcomes of a session stand."""
        first = bisect_left(self._sessions, session_id)
        return range(first, bisect_right(self._sessions, session_id, first))

    def score(self, place: int) -> float:
        """Return the score at a place, nan where there is none."""
        return self._scores[place]

    def passed(self, place: int) -> bool | None:
        """Return whether the score at a place passes, None where there is none."""
        found = self._passed[place]
        return None if found == _NEITHER else found == 1

    def __len__(self) -> int:
        return len(self._ids)

    @overload
    def __getitem__(self, place: int) -> OutcomeRow: ...

    @overload
    def __getitem__(self, place: slice) -> list[OutcomeRow]: ...

    def __getitem__(self, place: int | slice) -> OutcomeRow | list[OutcomeRow]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        exchange, score = self._exchanges[place], self._scores[place]
        return OutcomeRow(
            self._ids[place],
            self._sessions[place],
            self._names[self._metric[place]],
            None if exchange == _WHOLE else exchange,
            _KINDS[self._kinds[place]],
            None if isnan(score) else score,
            self.passed(place),
        )


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

    def of(self, run_id: int) -> RunOutcomes:
        """Return the newest outcome of every session, metric and exchange of a run, session by session."""
        found = RunOutcomes()
        rows = self._database.connection.execute(_OUTCOMES, [run_id])
        for _, several in groupby(rows, key=itemgetter(1)):
            newest = {(row[2], row[3]): row for row in several}
            for row in newest.values():
                found.add(row)
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
            given = _text(row, "given")
            yield SubjectRow(
                session_id=row["id"],
                name=row["name"],
                given=row["name"] if given == row["name"] else given,
                # Shared: there may be a hundred thousand rows, and few of these texts.
                suite=intern(_text(row, "suite")),
                place=_number(row, "place", -1),
                repeat=_number(row, "repeat", 0),
                vars=intern(fingerprint(_text(row, "vars"))),
                prompt=intern(_text(row, "prompt")),
                target=intern(_text(row, "target")),
                opening=fingerprint(_text(row, "opening")),
            )


def _text(row: sqlite3.Row, column: str) -> str:
    return "" if row[column] is None else str(row[column])


def _number(row: sqlite3.Row, column: str, otherwise: int) -> int:
    # A file's own metadata may hold another thing under that name.
    value = row[column]
    return value if isinstance(value, int) else otherwise
