"""Spending: what judging cost, run by run, and how many scores came from judges of unknown price."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from turnwise.conversations.store.filter_fields import Condition

# A check asks no judge, and what a file brought was judged elsewhere: without a price they cost nothing here.
_BY_RUN = """
SELECT run_id, count(*), count(cost), sum(cost) FROM scores c
WHERE (c.cost IS NOT NULL OR (c.outcome = 'score' AND c.judge NOT IN ('', 'none') AND c.came_from = ''))
    AND {}
GROUP BY run_id ORDER BY run_id DESC
"""


@dataclass(frozen=True, slots=True)
class RunSpending:
    """What judging cost in a run. scores: those that a judge gave. unpriced: of them, those of unknown price.

    cost: of the others, in US dollars; None where none has a price.
    """

    run: int
    scores: int
    unpriced: int
    cost: float | None


def spending_by_run(connection: sqlite3.Connection, among: Condition) -> list[RunSpending]:
    """Return what every run spent on a judge, the newest first; runs that asked none are left out.

    among: which outcomes count, a condition on the table `scores` by the name of `c`.
    """
    rows = connection.execute(_BY_RUN.format(among.sql), among.values)
    return [RunSpending(row[0], row[1], row[1] - row[2], row[3]) for row in rows]
