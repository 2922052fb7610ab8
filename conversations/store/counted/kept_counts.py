"""Kept counts: what triggers count of all sessions while scores are written, read in a few milliseconds.

But for the turns they are about all sessions. What is asked of some of them is counted from their rows, in
`tallies`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from turnwise.conversations.store.counted.outcomes import (
    BUCKETS,
    IS_FAILED_TURN,
    NEWEST,
    PRICE_UNITS,
    costs,
    mark_of,
    price_of,
)

_FAILURE, _SKIPPED = "f", "s"
_STANDING = (
    f"(SELECT c.id, c.session_id, c.metric, c.score, c.outcome, c.passed, {NEWEST} "  # noqa: S608
    "FROM scores c INDEXED BY scores_newest GROUP BY c.metric, c.session_id)"
)

_RECOUNT = f"""
DELETE FROM outcome_counts;
DELETE FROM failed_turns;
DELETE FROM run_counts;
DELETE FROM run_costs;
INSERT INTO outcome_counts
    SELECT c.metric, {mark_of("c")}, coalesce(c.passed, 0), count(*) FROM {_STANDING} c GROUP BY 1, 2, 3;
INSERT OR IGNORE INTO failed_turns
    SELECT c.session_id, v.turn, c.id FROM {_STANDING} c CROSS JOIN verdicts v ON v.score_id = c.id
    WHERE c.passed = 0 AND {IS_FAILED_TURN};
INSERT INTO run_counts
    SELECT m.run_id, c.metric, count(*), count(*) FILTER (WHERE c.passed)
    FROM run_scores m CROSS JOIN scores c ON c.id = m.score_id WHERE c.score IS NOT NULL GROUP BY 1, 2;
INSERT INTO run_costs
    SELECT c.run_id, count(*), count(c.cost), sum({price_of("c")}) FROM scores c
    WHERE {costs("c")} GROUP BY 1;
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class ScoreTally:
    """How the newest outcomes of a metric came out. scores: of them, passed and not passed.

    histogram: how many scores lie from 0.0 to 0.1, from 0.1 to 0.2 and so on; ten numbers.
    label: of the sessions that people gave this label; empty for all.
    """

    metric: str
    scores: int
    passed: int
    failures: int
    skipped: int
    histogram: tuple[int, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class RunTally:
    """How a metric came out in one run."""

    run: int
    metric: str
    scores: int
    passed: int


@dataclass(frozen=True, slots=True)
class RunSpending:
    """What judging cost in a run. scores: those that a judge gave. unpriced: of them, those of unknown price.

    cost: of the others, in US dollars; None where none has a price.
    """

    run: int
    scores: int
    unpriced: int
    cost: float | None


def kept_scores(connection: sqlite3.Connection) -> list[ScoreTally]:
    """Return how the newest outcomes of every metric came out over all sessions, by the metric's name."""
    counts: dict[str, dict[str, int]] = {}
    passed: dict[str, int] = {}
    for metric, mark, passes, sessions in connection.execute(
        "SELECT metric, mark, passed, sessions FROM outcome_counts WHERE sessions > 0 ORDER BY metric"
    ):
        marks = counts.setdefault(metric, {})
        marks[mark] = marks.get(mark, 0) + sessions
        passed[metric] = passed.get(metric, 0) + passes * sessions
    return [tally_of(metric, marks, passed[metric]) for metric, marks in counts.items()]


def tally_of(metric: str, marks: dict[str, int], passed: int, label: str = "") -> ScoreTally:
    """Return the tally of how many outcomes have which mark, see `mark_of`."""
    histogram = tuple(marks.get(str(bucket), 0) for bucket in range(BUCKETS))
    failures, skipped = marks.get(_FAILURE, 0), marks.get(_SKIPPED, 0)
    return ScoreTally(metric, sum(histogram), passed, failures, skipped, histogram, label)


def kept_failed_turns(
    connection: sqlite3.Connection, among: str = "1", values: Sequence[object] = ()
) -> dict[int, int]:
    """Return at which turns sessions fail, with how many do.

    among: which sessions, as a condition on session_id. values: of its question marks.
    """
    rows = connection.execute(
        "SELECT turn, count(*) FROM "  # noqa: S608
        f"(SELECT DISTINCT session_id, turn FROM failed_turns WHERE {among}) GROUP BY turn",
        values,
    )
    return {row[0]: row[1] for row in rows}


def kept_runs(connection: sqlite3.Connection, most: int) -> list[RunTally]:
    """Return how the newest runs came out by metric, the newest run first; of at most so many runs."""
    rows = connection.execute(
        "SELECT run_id, metric, scores, passed FROM run_counts "
        "WHERE run_id IN (SELECT id FROM runs ORDER BY id DESC LIMIT ?) AND scores > 0 "
        "ORDER BY run_id DESC, metric",
        [most],
    )
    return [RunTally(*row) for row in rows]


def kept_spending(connection: sqlite3.Connection) -> list[RunSpending]:
    """Return what every run spent on a judge, the newest first; runs that asked none are left out."""
    rows = connection.execute(
        "SELECT run_id, scores, priced, cost FROM run_costs WHERE scores > 0 ORDER BY run_id DESC"
    )
    return [
        RunSpending(run, scores, scores - priced, cost / PRICE_UNITS if priced else None)
        for run, scores, priced, cost in rows
    ]


def recount(connection: sqlite3.Connection) -> None:
    """Make all kept counts anew from what they count; call it in a transaction."""
    for statement in _RECOUNT.split(";"):
        connection.execute(statement)
