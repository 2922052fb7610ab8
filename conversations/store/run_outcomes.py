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
from turnwise.conversations.store.remembered import TIMES_GROWN
from turnwise.conversations.store.rows import MetricRow

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

# One pass over the run's outcomes: for each way that a metric came out, how often. What was taken over from
# an earlier run was paid for there.
_FIGURES = """
SELECT c.metric, c.outcome, c.passed, count(*) AS times, sum(c.score) AS total,
    sum(CASE WHEN c.run_id = m.run_id THEN c.cost END) AS cost, min(c.id) AS first
FROM run_scores m JOIN scores c ON c.id = m.score_id
WHERE m.run_id = ? GROUP BY c.metric, c.outcome, c.passed ORDER BY first
"""
_USED = """
SELECT c.metric, max(c.metric_fingerprint) AS fingerprint, max(c.threshold) AS threshold
FROM run_scores m JOIN scores c ON c.id = m.score_id WHERE m.run_id = ? GROUP BY c.metric
"""
_IDENTITIES = """
SELECT DISTINCT c.metric, c.metric_fingerprint, c.run_id
FROM run_scores m JOIN scores c ON c.id = m.score_id WHERE m.run_id = ?
"""
_SESSIONS = """
SELECT count(DISTINCT c.session_id) FROM run_scores m JOIN scores c ON c.id = m.score_id WHERE m.run_id = ?
"""
_TOKENS = """
SELECT total(json_extract(usage, '$.prompt_tokens')), total(json_extract(usage, '$.completion_tokens'))
FROM calls WHERE id IN (
    SELECT max(c.id) FROM run_scores m JOIN scores s ON s.id = m.score_id AND s.run_id = m.run_id
    JOIN score_calls l ON l.score_id = s.id JOIN calls c ON c.key = l.call_key
    WHERE m.run_id = ? GROUP BY l.call_key
)
"""
# All that a comparison reads of a run and may change: outcomes are only added, but go with their sessions.
_STANDING = """
SELECT r.name, r.judge, r.judge_settings, r.parameters, r.finished_at,
    (SELECT count(*) FROM run_scores WHERE run_id = r.id),
    (SELECT max(score_id) FROM run_scores WHERE run_id = r.id),
    (SELECT max(rowid) FROM criterion_versions),
    (SELECT value FROM remembered WHERE name = :grown)
FROM runs r WHERE r.id = :run
"""
# The newest run that judged a session of this one by a metric of it once more.
_JUDGED_AGAIN = """
SELECT max(n.run_id) FROM run_scores m JOIN scores c ON c.id = m.score_id
JOIN scores n ON n.session_id = c.session_id AND n.metric = c.metric AND n.run_id > m.run_id
WHERE m.run_id = ?
"""
_FAILED = """
SELECT DISTINCT c.session_id, c.metric FROM run_scores m JOIN scores c ON c.id = m.score_id
WHERE m.run_id = ? AND c.outcome = 'failure' ORDER BY c.session_id
"""
# Those that have an outcome of so many metrics.
_DONE = """
SELECT c.session_id FROM run_scores m JOIN scores c ON c.id = m.score_id
WHERE m.run_id = ? AND c.outcome <> 'failure' GROUP BY c.session_id HAVING count(DISTINCT c.metric) >= ?
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
class RunFigures:
    """How a run came out.

    metrics: counted each, in the order they came. sessions: how many it judged. cost: US dollars that were
    paid in it, None where no call told its price.
    """

    metrics: Sequence[MetricRow] = ()
    sessions: int = 0
    cost: float | None = None

    @property
    def scores(self) -> int:
        """How many scores there are."""
        return sum(one.scores for one in self.metrics)

    @property
    def passed(self) -> int:
        """How many of them pass."""
        return sum(one.passed for one in self.metrics)

    @property
    def failures(self) -> int:
        """How many outcomes are failures."""
        return sum(one.failures for one in self.metrics)

    @property
    def skipped(self) -> int:
        """How many outcomes are skipped ones."""
        return sum(one.skipped for one in self.metrics)


@dataclass(frozen=True, slots=True)
class UsedMetric:
    """A metric as a run used it. threshold: of its scores, None where the check itself says."""

    name: str
    fingerprint: str
    threshold: float | None


@dataclass(frozen=True, slots=True)
class MetricIdentity:
    """Which very metric judged. run_id: the run that asked it; another run may have taken its scores over."""

    metric: str
    fingerprint: str
    run_id: int


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

    def standing(self, run_id: int) -> tuple[Any, ...]:
        """Return what is otherwise once a comparison of this run may be: its outcomes, words or sessions.

        Labels, queues and other runs change nothing of it.
        """
        row = self._database.connection.execute(_STANDING, {"run": run_id, "grown": TIMES_GROWN}).fetchone()
        return () if row is None else tuple(row)

    def figures(self, run_id: int) -> RunFigures:
        """Count how a run came out; a hundred thousand outcomes take a tenth of a second."""
        metrics: dict[str, MetricRow] = {}
        totals: dict[str, float] = {}
        costs: list[float] = []
        for row in self._rows(_FIGURES, run_id):
            name = row["metric"]
            known = metrics.get(name) or MetricRow(name, 0, 0, None, 0, 0)
            is_score, times = row["outcome"] == "score", row["times"]
            if is_score:
                totals[name] = totals.get(name, 0.0) + row["total"]
            scores = known.scores + times * is_score
            metrics[name] = MetricRow(
                name,
                scores=scores,
                passed=known.passed + times * bool(row["passed"]),
                mean=totals[name] / scores if scores else None,
                failures=known.failures + times * (row["outcome"] == "failure"),
                skipped=known.skipped + times * (row["outcome"] == "skipped"),
            )
            if row["cost"] is not None:
                costs.append(row["cost"])
        sessions = self._rows(_SESSIONS, run_id)[0][0]
        return RunFigures(tuple(metrics.values()), sessions, sum(costs) if costs else None)

    def tokens(self, run_id: int) -> tuple[int, int]:
        """Return how many tokens the judge was sent in a run, and how many it wrote, as far as it says."""
        row = self._rows(_TOKENS, run_id)[0]
        return int(row[0]), int(row[1])

    def judged_again(self, run_id: int) -> int | None:
        """Return the newest run that judged some of the same by the same metrics later; None for none."""
        number: int | None = self._rows(_JUDGED_AGAIN, run_id)[0][0]
        return number

    def failed(self, run_id: int) -> list[tuple[int, str]]:
        """Return each session that has a failure in a run, with the metric."""
        return [(row[0], row[1]) for row in self._rows(_FAILED, run_id)]

    def done(self, run_id: int, metrics: int) -> set[int]:
        """Return the sessions that so many metrics have judged in a run, or found not to apply."""
        rows = self._database.connection.execute(_DONE, [run_id, metrics])
        return {row[0] for row in rows}

    def used_metrics(self, run_id: int) -> list[UsedMetric]:
        """Return the metrics that have an outcome in a run, each once, as it used them."""
        rows = self._rows(_USED, run_id)
        return [UsedMetric(row["metric"], row["fingerprint"], row["threshold"]) for row in rows]

    def identities(self, run_id: int) -> list[MetricIdentity]:
        """Return which very metrics a run has outcomes of, those taken over from earlier runs included."""
        return [MetricIdentity(*row) for row in self._rows(_IDENTITIES, run_id)]

    def _rows(self, sql: str, run_id: int) -> list[sqlite3.Row]:
        return self._database.connection.execute(sql, [run_id]).fetchall()

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
