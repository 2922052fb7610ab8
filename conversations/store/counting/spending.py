"""Spending: what judging cost, run by run, and how many scores came from judges of unknown price."""

from __future__ import annotations

import sqlite3

from turnwise.conversations.store.counted.kept_counts import RunSpending
from turnwise.conversations.store.counted.outcomes import costs
from turnwise.conversations.store.filter_fields import Condition

_BY_RUN = f"""
SELECT run_id, count(*), count(cost), sum(cost) FROM scores c WHERE {costs("c")} AND {{}}
GROUP BY run_id ORDER BY run_id DESC
"""  # noqa: S608


def spending_by_run(connection: sqlite3.Connection, among: Condition) -> list[RunSpending]:
    """Return what every run spent on a judge, the newest first; runs that asked none are left out.

    among: which outcomes count, a condition on the table `scores` by the name of `c`.
    """
    rows = connection.execute(_BY_RUN.format(among.sql), among.values)
    return [RunSpending(row[0], row[1], row[1] - row[2], row[3]) for row in rows]
