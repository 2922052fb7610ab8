"""Tallies: how often what was found, over all sessions that a query means, counted by the database itself.

Of a metric the newest outcome of a session counts, as lists show it; of people the newest label that stands.
Over all sessions most was counted while it was written (`counted.kept_counts`). Of some, the scores are read
once, a metric at a time in the order of their index, and come back as one value: a character a session, which
Python counts at once. What is counted of some sessions adds up with what is counted of others, so `parts`
shares the sessions out to threads.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar, cast

from turnwise.conversations.marks import LabelWord
from turnwise.conversations.store.counted.kept_counts import (
    RunSpending,
    RunTally,
    ScoreTally,
    kept_failed_turns,
    kept_runs,
    kept_scores,
    kept_spending,
    tally_of,
)
from turnwise.conversations.store.counted.outcomes import NEWEST, mark_of
from turnwise.conversations.store.counting.frequencies import ValueTallies, count_values
from turnwise.conversations.store.counting.spending import spending_by_run
from turnwise.conversations.store.counting.telling import column_tells_outcome, query_tells_outcome
from turnwise.conversations.store.database import Database
from turnwise.conversations.store.filter_fields import Condition
from turnwise.conversations.store.keeping.standing_labels import LABEL_STANDS
from turnwise.conversations.store.sessions import SessionTable

T = TypeVar("T")
LEAST_OF_A_PART = 5_000
"""Sessions that are not worth being shared out: another thread costs more than it saves."""
_MARK = mark_of("c")
_MARKS = "SELECT group_concat(mark, ''), count(*) FILTER (WHERE passed) FROM"
_OF_METRIC = "FROM scores c INDEXED BY scores_newest WHERE c.metric = ? AND {}"
_HOW_MANY = f"SELECT count(*), count(DISTINCT c.session_id) {_OF_METRIC}"
_EACH = f"{_MARKS} (SELECT c.session_id, c.id, c.passed, {_MARK} AS mark {_OF_METRIC})"
# The index is in the order that is grouped by; sorting half a million rows takes longer than reading.
_NEWEST = (
    f"{_MARKS} (SELECT c.session_id, c.id, c.passed, {NEWEST}, {_MARK} AS mark {_OF_METRIC} "
    "GROUP BY c.session_id)"
)
_SCORED = (
    "SELECT c.metric, count(DISTINCT c.session_id) FROM scores c INDEXED BY {} "
    "WHERE c.score IS NOT NULL AND {} GROUP BY c.metric"
)
_LENGTHS = """
SELECT (SELECT max(t.number) FROM turns t WHERE t.session_id = s.id) AS last, count(*)
FROM sessions s WHERE {} GROUP BY last
"""
_IS_SCORED = "EXISTS (SELECT 1 FROM scores c WHERE c.session_id = s.id AND c.score IS NOT NULL)"
_NEWEST_LABELS = (
    f"SELECT l.label, max(l.id) FROM labels l WHERE {{}} AND {LABEL_STANDS} GROUP BY l.session_id"  # noqa: S608
)


@dataclass(frozen=True, slots=True)
class SessionPart:
    """Some of the sessions that a query means: all from one number to another, or those that are listed."""

    first: int
    last: int
    listed: tuple[int, ...] | None = None

    def of(self, column: str) -> Condition:
        """Return the condition that a column names one of these sessions."""
        if self.listed is None:
            return Condition(f"{column} BETWEEN ? AND ?", (self.first, self.last))
        return Condition(
            f"{column} IN (SELECT value FROM json_each(?))",  # noqa: S608
            (json.dumps(self.listed),),
        )


@dataclass(frozen=True, slots=True)
class TurnTally:
    """How many scored sessions have a turn of this number; in how many of them a failed verdict is about it.

    A session that nothing has scored could not have failed, so it is not among them.
    """

    turn: int
    sessions: int
    failed: int


class TallyTable:
    """Counts over many sessions of one database. Raises SettingError where a query means nothing."""

    def __init__(self, database: Database, sessions: SessionTable) -> None:
        self._database = database
        self._sessions = sessions

    def parts(self, query: str = "", most: int = 1, *, without: Collection[int] = ()) -> list[SessionPart]:
        """Share the sessions of a query out into parts of about one size, at most so many.

        without: the numbers of those that are left out.
        """
        if query.strip() or without:
            ids = sorted(one for one in self._sessions.ids(query, None) if one not in without)
            size = max(LEAST_OF_A_PART, -(-len(ids) // most))
            listed = [tuple(ids[start : start + size]) for start in range(0, len(ids), size)]
            return [SessionPart(some[0], some[-1], some) for some in listed]
        row = self._database.connection.execute("SELECT min(id), max(id) FROM sessions").fetchone()
        if row[0] is None:
            return []
        size = max(LEAST_OF_A_PART, -(-(row[1] - row[0] + 1) // most))
        return [
            SessionPart(start, min(start + size - 1, row[1])) for start in range(row[0], row[1] + 1, size)
        ]

    def count(self, part: SessionPart) -> list[ScoreTally]:
        """Count the newest outcomes of every metric over some sessions."""
        where = part.of("c.session_id")
        how_many, each, newest = (sql.format(where.sql) for sql in (_HOW_MANY, _EACH, _NEWEST))
        tallies = []
        for metric in self._sessions.metrics():
            values = [metric, *where.values]
            rows, sessions = self._database.connection.execute(how_many, values).fetchone()
            # Where no session was judged twice, no newest outcome has to be looked for: half the time.
            sql = each if rows == sessions else newest
            marks, passed = self._database.connection.execute(sql, values).fetchone()
            if marks:
                tallies.append(tally_of(metric, Counter(str(marks)), passed))
        return tallies

    def in_threads(self, readings: Sequence[Callable[[], T]]) -> list[T]:
        """Call each reading in a thread of its own, which may ask this table or any other of the store."""
        return self._database.in_threads(readings)

    def scores(self, query: str = "", *, without: Collection[int] = (), threads: int = 1) -> list[ScoreTally]:
        """Count the newest outcomes of every metric, by the metric's name.

        without: sessions left out. threads: among how many the sessions are shared out, at most.
        """
        if not query.strip() and not without:
            return kept_scores(self._database.connection)
        parts = self.parts(query, threads, without=without)
        return sum_scores(self._database.in_threads([partial(self.count, part) for part in parts]))

    def scored(self, session_ids: Sequence[int]) -> dict[str, int]:
        """Return how many of some sessions each metric ever scored, without metrics that scored none."""
        few = len(session_ids) <= LEAST_OF_A_PART
        whole = None if len(session_ids) == self._sessions.count() else SessionPart(0, 0, tuple(session_ids))
        where = _of(whole, "c.session_id")
        # Of few sessions it looks up each; of many it reads the index of all, in the order of metrics.
        sql = _SCORED.format("scores_by_session" if few and whole is not None else "scores_newest", where.sql)
        return {row[0]: row[1] for row in self._database.connection.execute(sql, where.values)}

    def disputed(self, query: str = "", *, without: Collection[int] = ()) -> dict[LabelWord, int]:
        """Count, by their newest label, the sessions that one person passes and another fails.

        without: the numbers of those that are left out.
        """
        return self.labels(_disputed_of(query), without=without)

    def labels(self, query: str = "", *, without: Collection[int] = ()) -> dict[LabelWord, int]:
        """Count the sessions by the newest label of the whole; those without one are not among them.

        without: the numbers of those that are left out.
        """
        where = self._among("l.session_id", query, without)
        rows = self._database.connection.execute(
            f"SELECT label, count(*) FROM ({_NEWEST_LABELS.format(where.sql)}) GROUP BY label",  # noqa: S608
            where.values,
        )
        return {cast("LabelWord", row[0]): row[1] for row in rows}

    def labels_by_day(self, query: str = "") -> list[tuple[str, int]]:
        """Count the sessions that were labelled first on each day, as YYYY-MM-DD of this machine's clock."""
        where = self._among("l.session_id", query)
        rows = self._database.connection.execute(
            "SELECT date(first, 'unixepoch', 'localtime') AS day, count(*) FROM "  # noqa: S608
            f"(SELECT min(l.created_at) AS first FROM labels l WHERE l.metric = '' AND {where.sql} "
            "GROUP BY l.session_id) GROUP BY day ORDER BY day",
            where.values,
        )
        return [(str(row[0]), row[1]) for row in rows]

    def turns(self, query: str = "") -> list[TurnTally]:
        """Count failed verdicts of failed scores by the turn they are about, each session once a turn."""
        meant = self._meant(query)
        among, where = _of(meant, "session_id"), _of(meant, "s.id")
        failed = kept_failed_turns(self._database.connection, among.sql, among.values)
        most = max((one.scores for one in self.scores()), default=0)
        if most < self._sessions.count():
            where = Condition(f"{where.sql} AND {_IS_SCORED}", where.values)
        rows = self._database.connection.execute(_LENGTHS.format(where.sql), where.values)
        return _turn_tallies(failed, {row[0]: row[1] for row in rows if row[0]})

    def values(
        self, by: str, metric: str = "", query: str = "", *, without: Collection[int] = ()
    ) -> ValueTallies:
        """Count the sessions by the values of a column, with how they came out.

        by: role, tag, source, model, scenario, meta.KEY, label, mode, day or a metric. metric: the one whose
        scores are counted. without: sessions of whose outcomes nothing is told. They count where neither the
        column nor the query tells of outcomes, though their scores and labels do not. Raises SettingError.
        """
        metrics = self._sessions.metrics()
        open_ones = self._among("g.session_id", query, without)
        tells = column_tells_outcome(by, metrics) or query_tells_outcome(query)
        among = open_ones if tells else self._among("g.session_id", query)
        found = count_values(self._database.connection, by, metric, metrics, among, open_ones)
        return replace(found, tells=tells)

    def spending(self, query: str = "") -> list[RunSpending]:
        """Return what judging the sessions cost in each run that asked a judge, the newest first."""
        if not query.strip():
            return kept_spending(self._database.connection)
        return spending_by_run(self._database.connection, self._among("c.session_id", query))

    def runs(self, most: int, query: str = "") -> list[RunTally]:
        """Count the scores of the newest runs by metric, the newest run first; at most so many runs."""
        if not query.strip():
            return kept_runs(self._database.connection, most)
        where = self._among("c.session_id", query)
        # The newest of those that judged one of these sessions.
        runs = (
            "SELECT DISTINCT m.run_id AS id FROM scores c JOIN run_scores m ON m.score_id = c.id "  # noqa: S608
            f"WHERE c.score IS NOT NULL AND {where.sql} ORDER BY id DESC LIMIT ?"
        )
        rows = self._database.connection.execute(
            "SELECT m.run_id, c.metric, count(c.score), count(*) FILTER (WHERE c.passed) "  # noqa: S608
            f"FROM ({runs}) r "
            "CROSS JOIN run_scores m ON m.run_id = r.id CROSS JOIN scores c ON c.id = m.score_id "
            f"WHERE {where.sql} GROUP BY m.run_id, c.metric ORDER BY m.run_id DESC, c.metric",
            (*where.values, most, *where.values),
        )
        return [RunTally(*row) for row in rows if row[2]]

    def _among(self, column: str, query: str, without: Collection[int] = ()) -> Condition:
        """Return the condition that a column names a session which the query means. without: left out."""
        return _of(self._meant(query, without), column)

    def _meant(self, query: str, without: Collection[int] = ()) -> SessionPart | None:
        """Return the sessions that a query means, but for those left out; None for all there are."""
        if not query.strip() and not without:
            return None
        return SessionPart(0, 0, tuple(one for one in self._sessions.ids(query, None) if one not in without))


def sum_scores(parts: Iterable[Iterable[ScoreTally]]) -> list[ScoreTally]:
    """Add up what was counted of parts of the sessions, by the metric's name."""
    whole: dict[str, ScoreTally] = {}
    for tally in (tally for part in parts for tally in part):
        whole[tally.metric] = _added(whole[tally.metric], tally) if tally.metric in whole else tally
    return [whole[metric] for metric in sorted(whole)]


def _of(meant: SessionPart | None, column: str) -> Condition:
    return Condition("1") if meant is None else meant.of(column)


def _disputed_of(query: str) -> str:
    return f"label:disputed {query}".strip()


def _added(one: ScoreTally, other: ScoreTally) -> ScoreTally:
    return ScoreTally(
        one.metric,
        one.scores + other.scores,
        one.passed + other.passed,
        one.failures + other.failures,
        one.skipped + other.skipped,
        tuple(map(int.__add__, one.histogram, other.histogram)),
        one.label,
    )


def _turn_tallies(failed: Mapping[int, int], ending: Mapping[int, int]) -> list[TurnTally]:
    """Return a tally for each turn up to the last at which any session fails.

    failed: how many do, by turn. ending: how many sessions have how many turns.
    """
    reached, found = sum(ending.values()), []
    for turn in range(1, max(failed, default=0) + 1):
        found.append(TurnTally(turn, reached, failed.get(turn, 0)))
        reached -= ending.get(turn, 0)
    return found
