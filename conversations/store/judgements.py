"""Judgements: what people and metrics found about the same sessions, read side by side.

Of a metric the newest outcome of a session counts, as lists show it; of a person the newest label, of the
conversation as a whole or of that one metric.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from turnwise.conversations.marks import LabelWord
from turnwise.conversations.results import OutcomeWord
from turnwise.conversations.store.counted.outcomes import NEWEST
from turnwise.conversations.store.counting.labelled import LabelledOutcomes, read_labelled
from turnwise.conversations.store.database import Database
from turnwise.conversations.store.filter_fields import Condition
from turnwise.conversations.store.sessions import SessionTable
from turnwise.conversations.store.splits import SplitName

# Asked row by row: from a list SQLite would read the whole run once for every session.
_OF_RUN = "EXISTS (SELECT 1 FROM run_scores r WHERE r.run_id = ? AND r.score_id = c.id)"
_IN_SPLIT = "SELECT session_id FROM split_members WHERE split = ?"
_IN_QUEUE = "SELECT session_id FROM queue_items WHERE queue_id = ?"
_LABELLED = "c.session_id IN (SELECT session_id FROM labels)"


@dataclass(frozen=True, slots=True)
class NewestOutcome:
    """A metric's newest outcome of a session. score and passed: None unless it is a score.

    threshold: the score from which it passes; None where the check itself states whether it does.
    """

    session_id: int
    metric: str
    score_id: int
    outcome: OutcomeWord
    score: float | None
    threshold: float | None
    passed: bool | None


@dataclass(frozen=True, slots=True)
class OutcomeCounts:
    """How many sessions have which newest outcome of a metric. scores: of those, passed and not passed."""

    scores: int = 0
    passed: int = 0
    failures: int = 0
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class OpinionRow:
    """What a person says by now of a session, or of one metric of it ('' for the session as a whole).

    word: None where it was taken back. adjudicates: whether it settles what people see differently. at: when
    it was said.
    """

    session_id: int
    author: str
    metric: str
    word: LabelWord | None
    blind: bool
    note: str
    adjudicates: bool = False
    at: float = 0.0


class JudgementTable:
    """Labels and outcomes of one database, for many sessions at once."""

    def __init__(self, database: Database, sessions: SessionTable) -> None:
        self._database = database
        self._sessions = sessions

    def count(
        self, metric: str, *, query: str = "", split: SplitName | None = None, run: int | None = None
    ) -> OutcomeCounts:
        """Count the newest outcomes of a metric over the sessions that a query finds, in a run or ever.

        split: only the sessions of that split, as everywhere here.

        Raises SettingError where the query means nothing, as all of these do.
        """
        sql, values = _newest("c.metric = ?", [metric], self._where(query, split), run)
        row = self._database.connection.execute(
            "SELECT count(*) FILTER (WHERE outcome = 'score') AS scores, "  # noqa: S608
            "count(*) FILTER (WHERE passed) AS passed, "
            "count(*) FILTER (WHERE outcome = 'failure') AS failures, "
            f"count(*) FILTER (WHERE outcome = 'skipped') AS skipped FROM ({sql})",
            values,
        ).fetchone()
        return OutcomeCounts(row["scores"], row["passed"], row["failures"], row["skipped"])

    def outcomes(
        self, metric: str | None, *, query: str = "", split: SplitName | None = None, run: int | None = None
    ) -> list[NewestOutcome]:
        """Return the newest outcomes of those sessions that have any label. metric: None for all metrics."""
        first = f"{_LABELLED} AND c.metric = ?" if metric is not None else _LABELLED
        sql, values = _newest(first, [] if metric is None else [metric], self._where(query, split), run)
        return [
            NewestOutcome(
                row["session_id"],
                row["metric"],
                row["id"],
                cast("OutcomeWord", row["outcome"]),
                row["score"],
                row["threshold"],
                None if row["passed"] is None else bool(row["passed"]),
            )
            for row in self._database.connection.execute(sql, values)
        ]

    def labelled(self, query: str = "") -> dict[str, LabelledOutcomes]:
        """Return by metric how it came out on the sessions of a query that have any label."""
        found = among("l", self._where(query, None))
        return read_labelled(self._database.connection, self._sessions.metrics(), found)

    def passes(self, query: str = "") -> dict[str, dict[int, bool]]:
        """Return by metric whether each session that has any label passes by its newest score."""
        passed = {metric: one.passed for metric, one in self.labelled(query).items()}
        return {metric: found for metric, found in passed.items() if found}

    def opinions(
        self,
        metric: str | None,
        *,
        query: str = "",
        split: SplitName | None = None,
        queue: int | None = None,
    ) -> list[OpinionRow]:
        """Return what every person says by now of sessions and of a metric, what was said last at the end.

        metric: None for all metrics. queue: of the sessions of this one only; None for all.
        """
        where = self._where(query, split)
        if queue is not None:
            where = Condition(f"({where.sql}) AND s.id IN ({_IN_QUEUE})", (*where.values, queue))
        of_metric = "" if metric is None else "AND l.metric IN ('', ?)"
        rows = self._database.connection.execute(
            "SELECT l.session_id, l.author, l.metric, l.label, l.blind, l.note, l.adjudicates, "  # noqa: S608
            "l.created_at, max(l.id) FROM labels l "
            f"WHERE {among('l', where).sql} {of_metric} "
            # The turn of a label of the whole is only where it shows; of a metric, each turn has its own.
            "GROUP BY l.session_id, l.author, l.metric, l.adjudicates, "
            "CASE WHEN l.metric <> '' THEN l.turn END "
            "ORDER BY max(l.id)",
            [*where.values, *([] if metric is None else [metric])],
        )
        return [
            OpinionRow(
                row["session_id"],
                row["author"],
                row["metric"],
                cast("LabelWord | None", row["label"]),
                bool(row["blind"]),
                row["note"],
                bool(row["adjudicates"]),
                row["created_at"],
            )
            for row in rows
        ]

    def _where(self, query: str, split: SplitName | None) -> Condition:
        found = self._sessions.condition_of(query)
        if split is None:
            return found
        return Condition(f"({found.sql}) AND s.id IN ({_IN_SPLIT})", (*found.values, split))

    def reasons(self, score_ids: Sequence[int]) -> dict[int, str]:
        """Return the reasons of these outcomes, by id."""
        return self._texts("SELECT id, reason FROM scores WHERE id", score_ids)

    def names(self, session_ids: Sequence[int]) -> dict[int, str]:
        """Return the names of these sessions, by id."""
        return self._texts("SELECT id, name FROM sessions WHERE id", session_ids)

    def _texts(self, select: str, ids: Sequence[int]) -> dict[int, str]:
        found: dict[int, str] = {}
        for start in range(0, len(ids), 500):
            part = ids[start : start + 500]
            places = ", ".join("?" * len(part))
            found |= {
                row[0]: row[1] for row in self._database.connection.execute(f"{select} IN ({places})", part)
            }
        return found


def _newest(
    first: str, values: Sequence[object], where: Condition, run: int | None
) -> tuple[str, list[object]]:
    """Return the SQL that finds the newest outcome per session and metric, with its values."""
    # The other columns of a group are those of the row that has the maximum: SQLite says so.
    sql = (
        "SELECT c.session_id, c.metric, c.id, c.outcome, c.score, c.threshold, c.passed, "  # noqa: S608
        f"{NEWEST} FROM scores c "
        f"WHERE {first} AND {among('c', where).sql} {f'AND {_OF_RUN}' if run is not None else ''} "
        "GROUP BY c.session_id, c.metric"
    )
    return sql, [*values, *where.values, *([] if run is None else [run])]


def among(alias: str, where: Condition) -> Condition:
    """Return the condition for rows, by the alias of their table, whose session meets a condition."""
    if where.sql == "1":
        return where
    return Condition(
        f"{alias}.session_id IN (SELECT s.id FROM sessions s WHERE {where.sql})",  # noqa: S608
        where.values,
    )
