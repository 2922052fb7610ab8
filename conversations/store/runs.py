"""Runs: which evaluations there were, and how each came out, counted from its outcomes."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.findings import PastRun
from turnwise.conversations.store.database import Database
from turnwise.conversations.store.keeping.asked import AskedOfRun, asked_in, asked_text
from turnwise.conversations.store.keeping.damage import stored_json
from turnwise.conversations.store.rows import MetricRow, RunRow, said_by
from turnwise.conversations.texts import mend_text

_SELECT = """
SELECT r.*,
    count(c.id) FILTER (WHERE c.outcome = 'score') AS scored,
    count(c.id) FILTER (WHERE c.passed) AS passed,
    count(c.id) FILTER (WHERE c.outcome = 'failure') AS failures,
    count(c.id) FILTER (WHERE c.outcome = 'skipped') AS skipped,
    count(DISTINCT c.session_id) AS sessions
FROM runs r LEFT JOIN run_scores m ON m.run_id = r.id LEFT JOIN scores c ON c.id = m.score_id
"""

_BY_METRIC = """
SELECT c.metric,
    count(*) FILTER (WHERE c.outcome = 'score') AS scored,
    count(*) FILTER (WHERE c.passed) AS passed,
    avg(c.score) AS mean,
    count(*) FILTER (WHERE c.outcome = 'failure') AS failures,
    count(*) FILTER (WHERE c.outcome = 'skipped') AS skipped
FROM run_scores m JOIN scores c ON c.id = m.score_id
WHERE m.run_id = ? GROUP BY c.metric ORDER BY min(c.id)
"""


# Of outcomes of the same thing the newest stays.
_REPLACED = """
DELETE FROM run_scores WHERE run_id = :run AND score_id NOT IN (
    SELECT max(c.id) FROM run_scores m JOIN scores c ON c.id = m.score_id
    WHERE m.run_id = :run GROUP BY c.session_id, c.metric, c.exchange
)
"""


class RunTable:
    """The runs of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def begin(
        self,
        *,
        judge: str,
        metrics: Sequence[str],
        judge_settings: Mapping[str, Any] | None = None,
        name: str = "",
        parameters: Mapping[str, Any] | None = None,
        asked: AskedOfRun | None = None,
    ) -> int:
        """Note that a run begins, and return its number; see RunRow for name and parameters.

        asked: what it is to judge, by which it can be gone on with until it has come to its end.
        """
        with self._database.writing() as connection:
            cursor = connection.execute(
                "INSERT INTO runs (created_at, judge, judge_settings, metrics, name, parameters) "
                "VALUES (?, ?, ?, ?, ?, ?)",
                [
                    time.time(),
                    judge,
                    json.dumps(dict(judge_settings or {})),
                    json.dumps(list(metrics)),
                    mend_text(name),
                    json.dumps(dict(parameters or {}), default=str),
                ],
            )
            run_id = cast("int", cursor.lastrowid)
            if asked is not None:
                connection.execute(
                    "INSERT OR REPLACE INTO remembered VALUES (?, ?)",
                    [_asked_name(run_id), asked_text(asked)],
                )
        return run_id

    def asked(self, run_id: int) -> AskedOfRun | None:
        """Return what a run is to judge; None once it has come to its end, and where it was never said."""
        row = self._database.connection.execute(
            "SELECT value FROM remembered WHERE name = ?", [_asked_name(run_id)]
        ).fetchone()
        return None if row is None else asked_in(stored_json(row["value"]))

    def rename(self, run_id: int, name: str) -> None:
        """Call a run by another name. Raises NotFoundError."""
        with self._database.writing() as connection:
            done = connection.execute(
                "UPDATE runs SET name = ? WHERE id = ?", [" ".join(mend_text(name).split()), run_id]
            ).rowcount
        if not done:
            raise _no_run(run_id)

    def let_go_of_replaced(self, run_id: int) -> None:
        """Count no outcome in a run that a newer one of the same metric on the same thing stands for.

        The outcome itself stays, as all of them do: it no longer belongs to the run.
        """
        with self._database.writing() as connection:
            connection.execute(_REPLACED, {"run": run_id})

    def judge_settings(self, run_id: int) -> dict[str, Any]:
        """Return what is remembered of the judge of a run; empty for a run without one."""
        row = self._database.connection.execute(
            "SELECT judge_settings FROM runs WHERE id = ?", [run_id]
        ).fetchone()
        return cast("dict[str, Any]", stored_json(row["judge_settings"])) if row else {}

    def newest_judge_settings(self, fingerprint: str) -> dict[str, Any]:
        """Return what is remembered of a judge from its newest run; nothing where it had none."""
        row = self._database.connection.execute(
            "SELECT judge_settings FROM runs WHERE json_extract(judge_settings, '$.fingerprint') = :judge "
            "OR EXISTS (SELECT 1 FROM json_each(judge_settings, '$.judges_for') "
            "WHERE json_extract(value, '$.fingerprint') = :judge) ORDER BY id DESC LIMIT 1",
            {"judge": fingerprint},
        ).fetchone()
        told = cast("dict[str, Any]", stored_json(row["judge_settings"])) if row else {}
        for one in told.get("judges_for", {}).values():
            if one.get("fingerprint") == fingerprint:
                return cast("dict[str, Any]", one)
        return told

    def widen(
        self, run_id: int, *, judge: str, metrics: Sequence[str], judge_settings: Mapping[str, Any]
    ) -> None:
        """Note that a run goes on with more metrics, and with a judge where it had none.

        Several processes may widen one run at once.
        """
        with self._database.writing() as connection:
            row = connection.execute(
                "SELECT judge, judge_settings, metrics FROM runs WHERE id = ?", [run_id]
            ).fetchone()
            known = stored_json(row["metrics"])
            all_metrics = [*known, *(name for name in metrics if name not in known)]
            first = row["judge"] in ("", "none") and judge != "none"
            if all_metrics != known or first:
                connection.execute(
                    "UPDATE runs SET metrics = ?, judge = ?, judge_settings = ? WHERE id = ?",
                    [
                        json.dumps(all_metrics),
                        judge if first else row["judge"],
                        json.dumps(dict(judge_settings)) if first else row["judge_settings"],
                        run_id,
                    ],
                )

    def remember(self, run_id: int, parameters: Mapping[str, Any]) -> None:
        """Add to what is remembered of the chatbot of a run."""
        with self._database.writing() as connection:
            row = connection.execute("SELECT parameters FROM runs WHERE id = ?", [run_id]).fetchone()
            together = {**stored_json(row["parameters"]), **parameters}
            connection.execute(
                "UPDATE runs SET parameters = ? WHERE id = ?", [json.dumps(together, default=str), run_id]
            )

    def finish(self, run_id: int, *, without_judge: int = 0) -> None:
        """Note that a run came to its end; one that was stopped never does.

        without_judge: how many outcomes are not kept, as nobody was there to judge.
        """
        with self._database.writing() as connection:
            connection.execute("UPDATE runs SET finished_at = ? WHERE id = ?", [time.time(), run_id])
            connection.execute("DELETE FROM remembered WHERE name = ?", [_asked_name(run_id)])
            if without_judge:
                connection.execute(
                    "INSERT OR REPLACE INTO remembered VALUES (?, ?)",
                    [_without_judge_name(run_id), json.dumps(without_judge)],
                )

    def without_judge(self, run_id: int) -> int:
        """Return how many outcomes of a run are not kept, as nobody was there to judge."""
        row = self._database.connection.execute(
            "SELECT value FROM remembered WHERE name = ?", [_without_judge_name(run_id)]
        ).fetchone()
        return 0 if row is None else int(stored_json(row["value"]))

    def drop_empty(self, run_id: int) -> bool:
        """Take a run back that holds no outcome; return whether it is gone."""
        with self._database.writing() as connection:
            dropped = connection.execute(
                "DELETE FROM runs WHERE id = ? AND NOT EXISTS (SELECT 1 FROM run_scores WHERE run_id = id)",
                [run_id],
            )
            return dropped.rowcount > 0

    def keep(self, run: PastRun, *, at: float, came_from: str = "") -> int:
        """Return the number of a run that took place elsewhere, or here already, keeping it where it is new.

        A run is known by when it began, its judge and its name. at: seconds since 1970, for a run that does
        not say when it began; such a one is known by all that it says. One that names no metrics either is
        the run of its whole file, and `widen` adds them as they come. came_from: the file that tells of it.
        """
        began = at if run.began is None else run.began
        judge, name = mend_text(run.judge), mend_text(run.name)
        settings, metrics = json.dumps(dict(run.settings)), json.dumps(list(run.metrics))
        with self._database.writing() as connection:
            known = connection.execute(
                "SELECT id FROM runs WHERE created_at = ? AND judge = ? AND name = ? "
                "AND (? OR (judge_settings = ? AND CASE WHEN ? THEN came_from = ? ELSE metrics = ? END))",
                [began, judge, name, run.began is not None, settings, not run.metrics, came_from, metrics],
            ).fetchone()
            if known:
                self.widen(known["id"], judge=judge, metrics=run.metrics, judge_settings=run.settings)
                return int(known["id"])
            cursor = connection.execute(
                "INSERT INTO runs "
                "(created_at, judge, judge_settings, metrics, finished_at, name, parameters, came_from) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    began,
                    judge,
                    settings,
                    metrics,
                    # A run of which nobody knows when it was is over.
                    at if run.began is None and run.ended is None else run.ended,
                    name,
                    json.dumps(dict(run.parameters)),
                    came_from,
                ],
            )
        return cast("int", cursor.lastrowid)

    def past(self, run_ids: Iterable[int]) -> dict[int, PastRun]:
        """Return these runs by number, as they go out to another database."""
        found: dict[int, PastRun] = {}
        for run_id in set(run_ids):
            row = self._database.connection.execute("SELECT * FROM runs WHERE id = ?", [run_id]).fetchone()
            found[run_id] = PastRun(
                judge=row["judge"],
                metrics=tuple(stored_json(row["metrics"])),
                settings=stored_json(row["judge_settings"]),
                name=row["name"],
                parameters=stored_json(row["parameters"]),
                began=row["created_at"],
                ended=row["finished_at"],
            )
        return found

    def get(self, run_id: int) -> RunRow:
        """Return one run. Raises NotFoundError."""
        row = self._database.connection.execute(
            f"{_SELECT} WHERE r.id = ? GROUP BY r.id", [run_id]
        ).fetchone()
        if row is None:
            raise _no_run(run_id)
        return _run_row(row)

    def has_ended(self, run_id: int) -> bool:
        """Whether a run came to its end; one that was stopped did not, and no run is none either."""
        row = self._database.connection.execute(
            "SELECT 1 FROM runs WHERE id = ? AND finished_at IS NOT NULL", [run_id]
        ).fetchone()
        return row is not None

    def ended_of_newest(self, most: int) -> dict[int, bool]:
        """Return by number, of at most so many of the newest runs, whether each came to its end."""
        rows = self._database.connection.execute(
            "SELECT id, finished_at IS NOT NULL FROM runs ORDER BY id DESC LIMIT ?", [most]
        )
        return {row[0]: bool(row[1]) for row in rows}

    def ids_with(self, parameter: str, value: str) -> list[int]:
        """Return the numbers of the runs with this value of a parameter, newest first."""
        rows = self._database.connection.execute(
            "SELECT id FROM runs WHERE json_extract(parameters, '$.' || ?) = ? ORDER BY id DESC",
            [parameter, value],
        )
        return [row["id"] for row in rows]

    def left_since(self, moment: float) -> int | None:
        """Return the number of the newest run, if it began after this moment and has not come to its end."""
        row = self._database.connection.execute(
            "SELECT id, created_at > ? AND finished_at IS NULL AS is_left FROM runs ORDER BY id DESC LIMIT 1",
            [moment],
        ).fetchone()
        return row["id"] if row is not None and row["is_left"] else None

    def newest_of(self, metric: str) -> int | None:
        """Return the number of the newest run that has an outcome of this metric, None without one."""
        sql = "SELECT max(run_id) FROM scores WHERE metric = ?"
        newest: int | None = self._database.connection.execute(sql, [metric]).fetchone()[0]
        return newest

    def named(self, run_ids: Iterable[int]) -> dict[int, tuple[str, float]]:
        """Return what runs are called, or who judged in those without a name, and when they began."""
        found: dict[int, tuple[str, float]] = {}
        for run_id in run_ids:
            row = self._database.connection.execute(
                "SELECT name, judge, came_from, created_at FROM runs WHERE id = ?", [run_id]
            ).fetchone()
            found[run_id] = (row["name"] or said_by(row["judge"], row["came_from"]), row["created_at"])
        return found

    def by_metric(self, run_id: int) -> list[MetricRow]:
        """Return the outcomes of a run counted by metric, in the order metrics came."""
        rows = self._database.connection.execute(_BY_METRIC, [run_id])
        return [
            MetricRow(
                row["metric"], row["scored"], row["passed"], row["mean"], row["failures"], row["skipped"]
            )
            for row in rows
        ]

    def count(self) -> int:
        """Return how many runs there are."""
        counted: int = self._database.connection.execute("SELECT count(*) FROM runs").fetchone()[0]
        return counted

    def all(self) -> list[RunRow]:
        """Return all runs, newest first."""
        rows = self._database.connection.execute(f"{_SELECT} GROUP BY r.id ORDER BY r.id DESC")
        return [_run_row(row) for row in rows]

    def newest(self, most: int) -> list[RunRow]:
        """Return so many of the newest runs at most, newest first, by the counts that are kept of them.

        These hold scores and how many passed; failures, skipped ones and sessions are not counted.
        """
        rows = self._database.connection.execute(
            "SELECT r.*, coalesce(sum(k.scores), 0) AS scored, coalesce(sum(k.passed), 0) AS passed, "
            "0 AS failures, 0 AS skipped, 0 AS sessions "
            "FROM runs r LEFT JOIN run_counts k ON k.run_id = r.id "
            "WHERE r.id IN (SELECT id FROM runs ORDER BY id DESC LIMIT ?) GROUP BY r.id ORDER BY r.id DESC",
            [most],
        )
        return [_run_row(row) for row in rows]

    def uncounted(self) -> list[RunRow]:
        """Return all runs, newest first, without how they came out: `RunOutcomeTable.figures` counts one."""
        sql = (
            "SELECT *, 0 AS scored, 0 AS passed, 0 AS failures, 0 AS skipped, 0 AS sessions FROM runs "
            "ORDER BY id DESC"
        )
        return [_run_row(row) for row in self._database.connection.execute(sql)]


def _asked_name(run_id: int) -> str:
    return f"asked of run {run_id}"


def _without_judge_name(run_id: int) -> str:
    return f"without a judge in run {run_id}"


def _no_run(run_id: int) -> NotFoundError:
    return NotFoundError(f"There is no run {run_id}", next_step="`turnwise runs` lists those there are.")


def _run_row(row: sqlite3.Row) -> RunRow:
    return RunRow(
        id=row["id"],
        created_at=row["created_at"],
        finished_at=row["finished_at"],
        judge=row["judge"],
        metrics=tuple(stored_json(row["metrics"])),
        name=row["name"],
        parameters=stored_json(row["parameters"]),
        scores=row["scored"],
        passed=row["passed"],
        failures=row["failures"],
        skipped=row["skipped"],
        sessions=row["sessions"],
        came_from=row["came_from"],
    )
