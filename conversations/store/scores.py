"""Scores: the outcomes of metrics with their verdicts, added as they land and read for display."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from turnwise.conversations.results import Failure, Outcome, Quote, Score, Skipped, Verdict, outcome_word
from turnwise.conversations.store.database import Database
from turnwise.conversations.store.judges.answering import judged_by_others, models_since
from turnwise.conversations.store.keeping.damage import stored_json
from turnwise.conversations.store.keeping.given_numbers import last_number
from turnwise.conversations.store.rows import EARLIER_VERSION, ScoreRow, VerdictRow
from turnwise.conversations.store.sessions import SessionTable

_AT_ONCE = 500
_INSERT = (
    "INSERT INTO scores (id, session_id, run_id, metric, version, metric_fingerprint, case_fingerprint, "
    "judge_fingerprint, judge, exchange, outcome, score, threshold, stated, reason, kind, next_step, "
    "details, seconds, cost, created_at, came_from) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_INSERT_VERDICT = (
    "INSERT INTO verdicts (score_id, place, turn, passed, word, reason, about, "
    "quote_turn, quote_start, quote_end, quote) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_SELECT_VERDICTS = (
    "SELECT v.*, v.quote IS NOT NULL AND NOT EXISTS ("
    "SELECT 1 FROM scores c JOIN turns t ON t.session_id = c.session_id AND t.number = v.quote_turn "
    "WHERE c.id = v.score_id AND instr(t.content, v.quote) > 0) AS gone FROM verdicts v"
)
_FIRST = f"SELECT {last_number('scores')} + 1"
_INSERT_CALL = "INSERT INTO score_calls VALUES (?, ?, ?)"
_SELECT_SINCE = (
    "SELECT * FROM scores WHERE metric = ? AND session_id = ? AND exchange IS ? AND id > ? ORDER BY id"
)
_NEXT_PRINT = "SELECT min(metric_fingerprint) FROM scores WHERE metric = :metric"
_JUDGED = f"""
WITH RECURSIVE prints (print) AS (
    {_NEXT_PRINT}
    UNION ALL
    SELECT ({_NEXT_PRINT} AND metric_fingerprint > prints.print) FROM prints WHERE prints.print IS NOT NULL
)
SELECT 1 FROM prints WHERE EXISTS (
    SELECT 1 FROM scores
    WHERE metric = :metric AND metric_fingerprint = prints.print AND judge_fingerprint > ''
) LIMIT 1
"""  # noqa: S608
"""Finds a score of a metric for which a judge was asked, by one look at the index for each of its prints."""
_FROM_FILES = (
    "SELECT 1 FROM runs WHERE came_from <> '' AND json_valid(metrics) "
    "AND EXISTS (SELECT 1 FROM json_each(metrics) WHERE value = :metric) LIMIT 1"
)
_INSERT_LINK = "INSERT OR IGNORE INTO run_scores VALUES (?, ?)"

_EARLIER_WORDS = (
    "An earlier version of turnwise kept this score and its threshold so that they fit whether the check "
    "passed; they may not be what was found. Whether it passed is as the check said."
)
_EARLIER_SUITE = "suite:"
"""How the metric fingerprints of such scores begin; those of today are plain hashes."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What makes two judgings the same: nothing is judged twice under one identity.

    exchange: None for the whole conversation. The fingerprints name the metric (name, version, settings but
    the threshold), what the metric reads of the case, and the judge; a check has no judge ('').
    """

    session_id: int
    exchange: int | None
    metric: str
    version: int
    metric_fingerprint: str
    case_fingerprint: str
    judge_fingerprint: str
    judge: str

    @property
    def key(self) -> tuple[int, int | None, str, str, str]:
        """The identity as a plain key."""
        return (
            self.session_id,
            self.exchange,
            self.metric_fingerprint,
            self.case_fingerprint,
            self.judge_fingerprint,
        )


class ScoreTable:
    """The outcomes of one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add_all(self, run_id: int, found: Sequence[tuple[Identity, Outcome]]) -> list[int]:
        """Keep outcomes of a run, with their verdicts and the calls they rest on; return their ids.

        Those of sessions that were forgotten while they were judged are left out.
        """
        with self._database.writing() as connection:
            sessions = SessionTable(self._database)
            there = {one for one in {identity.session_id for identity, _ in found} if one in sessions}
            ids = insert_outcomes(
                connection, run_id, [one for one in found if one[0].session_id in there], at=time.time()
            )
            connection.executemany(_INSERT_LINK, [(run_id, score_id) for score_id in ids])
            return ids

    def done(
        self, session_ids: Iterable[int]
    ) -> dict[tuple[int, int | None, str, str, str], tuple[int, Outcome]]:
        """Return the newest score or skip of every unit of these sessions, by its key, with its id.

        Failures are left out: they are worth another try.
        """
        ids = list(session_ids)
        found: dict[tuple[int, int | None, str, str, str], tuple[int, Outcome]] = {}
        for start in range(0, len(ids), _AT_ONCE):
            part = ids[start : start + _AT_ONCE]
            rows = self._database.connection.execute(
                f"SELECT * FROM scores WHERE session_id IN ({', '.join('?' * len(part))}) "  # noqa: S608
                "AND outcome <> 'failure' ORDER BY id",
                part,
            ).fetchall()
            found |= self._by_unit(rows)
        return found

    def newest_id(self) -> int:
        """Return the id of the newest outcome of all; 0 without one."""
        row = self._database.connection.execute("SELECT coalesce(max(id), 0) FROM scores").fetchone()
        return int(row[0])

    def kept_since(
        self, score_id: int, units: Iterable[Identity]
    ) -> dict[tuple[int, int | None, str, str, str], tuple[int, Outcome]]:
        """Return what became of units since the outcome of an id was kept, as `done` does.

        Failures are there too: whoever tried did so just now.
        """
        rows = []
        for unit in units:
            place = [unit.metric, unit.session_id, unit.exchange, score_id]
            # An index leads to the very unit, however much its session has.
            newer = self._database.connection.execute(_SELECT_SINCE, place).fetchall()
            rows += [row for row in newer if _key(row) == unit.key]
        return self._by_unit(rows)

    def _by_unit(
        self, rows: Sequence[sqlite3.Row]
    ) -> dict[tuple[int, int | None, str, str, str], tuple[int, Outcome]]:
        """Return the last of these rows for each unit, by its key, with its id."""
        ids = [row["id"] for row in rows]
        verdicts, calls = self._verdicts(ids), self._calls(ids)
        return {
            _key(row): (
                row["id"],
                outcome_of(row, verdicts.get(row["id"], ()), calls.get(row["id"], ())),
            )
            for row in rows
        }

    def newest_ids(self, session_ids: Iterable[int]) -> dict[tuple[int, str, int | None], int]:
        """Return the id of the newest outcome of every session, metric and exchange; lists show that one."""
        ids = list(session_ids)
        newest: dict[tuple[int, str, int | None], int] = {}
        for start in range(0, len(ids), _AT_ONCE):
            part = ids[start : start + _AT_ONCE]
            rows = self._database.connection.execute(
                "SELECT session_id, metric, exchange, max(id) AS id FROM scores "  # noqa: S608
                f"WHERE session_id IN ({', '.join('?' * len(part))}) GROUP BY session_id, metric, exchange",
                part,
            )
            newest |= {(row["session_id"], row["metric"], row["exchange"]): row["id"] for row in rows}
        return newest

    def link(self, run_id: int, score_ids: Iterable[int]) -> None:
        """Count outcomes of earlier runs as part of this one."""
        with self._database.writing() as connection:
            connection.executemany(_INSERT_LINK, [(run_id, score) for score in score_ids])

    def of(self, session_id: int) -> list[ScoreRow]:
        """Return all outcomes of a session with verdicts and calls, oldest first. Raises DamageError."""
        connection = self._database.connection
        with self._database.reading(session_id):
            rows = connection.execute(
                "SELECT * FROM scores WHERE session_id = ? ORDER BY id", [session_id]
            ).fetchall()
            ids = [row["id"] for row in rows]
            verdicts, calls = self._verdicts(ids), self._calls(ids)
            since = models_since(connection, session_id)
            return [
                replace(
                    _score_row(row, verdicts.get(row["id"], ()), calls.get(row["id"], ())),
                    other_model=since.get(row["id"], ""),
                )
                for row in rows
            ]

    def judged_by_others(self, metric: str) -> dict[str, int]:
        """Return of how many sessions the newest score of a metric is one of a model that was replaced since.

        By the model that answers for that judge now.
        """
        return judged_by_others(self._database.connection, metric)

    def is_check(self, metric: str) -> bool:
        """Whether no judge was asked for any score of a metric, and none came with a file.

        Of a check none would be found among all its scores. So the index is asked once for each settings of
        the metric, and the scores are gone through only where a run from a file names it.
        """
        connection, named = self._database.connection, {"metric": metric}
        if connection.execute(_JUDGED, named).fetchone() is not None:
            return False
        if connection.execute(_FROM_FILES, named).fetchone() is None:
            return True
        told = "SELECT 1 FROM scores WHERE metric = :metric AND came_from <> '' LIMIT 1"
        return connection.execute(told, named).fetchone() is None

    def of_run(self, run_id: int, metric: str) -> list[ScoreRow]:
        """Return the outcomes of one metric in a run, those taken over from earlier runs included.

        Oldest first, without verdicts and calls.
        """
        rows = self._database.connection.execute(
            "SELECT c.* FROM run_scores m JOIN scores c ON c.id = m.score_id "
            "WHERE m.run_id = ? AND c.metric = ? ORDER BY c.id",
            [run_id, metric],
        )
        return [_score_row(row, (), ()) for row in rows]

    def ids_by_print(self, run_ids: Sequence[int]) -> dict[tuple[str, str, str], int]:
        """Return the newest score of these runs for each three fingerprints: of metric, case and judge."""
        found: dict[tuple[str, str, str], int] = {}
        for start in range(0, len(run_ids), _AT_ONCE):
            part = run_ids[start : start + _AT_ONCE]
            rows = self._database.connection.execute(
                "SELECT c.metric_fingerprint, c.case_fingerprint, c.judge_fingerprint, c.id "  # noqa: S608
                "FROM run_scores m JOIN scores c ON c.id = m.score_id "
                f"WHERE m.run_id IN ({', '.join('?' * len(part))}) AND c.outcome = 'score' ORDER BY c.id",
                part,
            )
            found |= {(row[0], row[1], row[2]): row[3] for row in rows}
        return found

    def ids_by_print_since(
        self, score_id: int, *, but_of: int
    ) -> tuple[dict[tuple[str, str, str], int], int]:
        """Return what `ids_by_print` does of the scores since one, and the id of the newest outcome.

        but_of: a run whose scores are left out.
        """
        rows = self._database.connection.execute(
            "SELECT metric_fingerprint, case_fingerprint, judge_fingerprint, id, run_id, outcome FROM scores "
            "WHERE id > ? ORDER BY id",
            [score_id],
        ).fetchall()
        found = {
            (row[0], row[1], row[2]): row["id"]
            for row in rows
            if row["outcome"] == "score" and row["run_id"] != but_of
        }
        return found, rows[-1]["id"] if rows else score_id

    def outcome(self, score_id: int) -> Outcome:
        """Return an outcome by its id, which is one that is there."""
        row = self._database.connection.execute("SELECT * FROM scores WHERE id = ?", [score_id]).fetchone()
        verdicts, calls = self._verdicts([score_id]), self._calls([score_id])
        return outcome_of(row, verdicts.get(score_id, ()), calls.get(score_id, ()))

    def identity(self, score_id: int) -> Identity:
        """Return what was judged in an outcome that is there, by its id."""
        row = self._database.connection.execute("SELECT * FROM scores WHERE id = ?", [score_id]).fetchone()
        return Identity(**{name: row[name] for name in Identity.__dataclass_fields__})

    def newest_by_metric(self, session_id: int) -> list[ScoreRow]:
        """Return the newest outcome of each metric of a session, whatever its exchange, as metrics came.

        It reads one outcome a metric, however many exchanges were judged.
        """
        rows = self._database.connection.execute(
            "SELECT * FROM scores WHERE id IN "
            "(SELECT max(id) FROM scores WHERE session_id = ? GROUP BY metric) ORDER BY id",
            [session_id],
        ).fetchall()
        verdicts = self._verdicts([row["id"] for row in rows])
        return [_score_row(row, verdicts.get(row["id"], ()), ()) for row in rows]

    def newest(self, session_id: int) -> list[ScoreRow]:
        """Return the newest outcome per metric and exchange of a session, in the order metrics came."""
        newest: dict[tuple[str, int | None], ScoreRow] = {}
        for row in self.of(session_id):
            newest[(row.metric, row.exchange)] = row
        return list(newest.values())

    def typical_seconds(self, metric: str, judge: str) -> float | None:
        """Return how long a metric took with a judge of late, on average; None where it never did."""
        row = self._database.connection.execute(
            "SELECT avg(seconds) FROM (SELECT seconds FROM scores WHERE metric = ? AND judge = ? "
            "AND outcome = 'score' AND seconds > 0 ORDER BY id DESC LIMIT 20)",
            [metric, judge],
        ).fetchone()
        return cast("float | None", row[0])

    def _verdicts(self, ids: Sequence[int]) -> dict[int, tuple[VerdictRow, ...]]:
        found: dict[int, list[VerdictRow]] = {}
        for row in self._in(_SELECT_VERDICTS, ids):
            found.setdefault(row["score_id"], []).append(_verdict_row(row))
        return {score: tuple(verdicts) for score, verdicts in found.items()}

    def _calls(self, ids: Sequence[int]) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for row in self._in("SELECT score_id, call_key FROM score_calls", ids):
            found.setdefault(row["score_id"], []).append(row["call_key"])
        return found

    def _in(self, select: str, ids: Sequence[int]) -> Iterable[sqlite3.Row]:
        for start in range(0, len(ids), _AT_ONCE):
            part = ids[start : start + _AT_ONCE]
            places = ", ".join("?" * len(part))
            yield from self._database.connection.execute(
                f"{select} WHERE score_id IN ({places}) ORDER BY score_id, place", part
            )


def insert_outcomes(
    connection: sqlite3.Connection,
    run_id: int,
    found: Sequence[tuple[Identity, Outcome]],
    *,
    at: float,
    came_from: str = "",
) -> list[int]:
    """Keep outcomes that a run found, at a time in seconds since 1970, and return their ids.

    came_from: the file that says so, where they were not found here.
    That they are a part of the run is for the caller to note, once for all the outcomes that it keeps. The
    connection is in a transaction: their ids are taken before they are written, all of them at once.
    """
    first = connection.execute(_FIRST).fetchone()[0]
    ids = list(range(first, first + len(found)))
    rows: list[tuple[Any, ...]] = []
    verdicts: list[tuple[Any, ...]] = []
    calls: list[tuple[Any, ...]] = []
    for score_id, (identity, outcome) in zip(ids, found, strict=True):
        rows.append((score_id, *_values(identity, outcome, run_id, at, came_from)))
        if isinstance(outcome, Score):
            verdicts += (
                (score_id, place, *_values_of_verdict(verdict))
                for place, verdict in enumerate(outcome.verdicts)
            )
        calls += ((score_id, place, key) for place, key in enumerate(outcome.calls))
    connection.executemany(_INSERT, rows)
    connection.executemany(_INSERT_VERDICT, verdicts)
    connection.executemany(_INSERT_CALL, calls)
    return ids


def _values(identity: Identity, outcome: Outcome, run_id: int, at: float, came_from: str) -> tuple[Any, ...]:
    score = outcome if isinstance(outcome, Score) else None
    failure = outcome if isinstance(outcome, Failure) else None
    return (
        identity.session_id,
        run_id,
        identity.metric,
        identity.version,
        identity.metric_fingerprint,
        identity.case_fingerprint,
        identity.judge_fingerprint,
        identity.judge,
        identity.exchange,
        outcome_word(outcome),
        score.score if score else None,
        score.threshold if score else None,
        score.stated if score else None,
        outcome.reason,
        failure.kind if failure else "",
        failure.next_step if failure else "",
        json.dumps(dict(score.details), ensure_ascii=False) if score and score.details else "{}",
        outcome.seconds,
        outcome.cost,
        at,
        came_from,
    )


def _key(row: sqlite3.Row) -> tuple[int, int | None, str, str, str]:
    """Return what `Identity.key` is of the unit that a row is about."""
    return (
        row["session_id"],
        row["exchange"],
        row["metric_fingerprint"],
        row["case_fingerprint"],
        row["judge_fingerprint"],
    )


def outcome_of(row: sqlite3.Row, verdicts: Sequence[VerdictRow], calls: Sequence[str]) -> Outcome:
    """Return the outcome that a row of the table is."""
    shared: dict[str, Any] = {
        "metric": row["metric"],
        "reason": row["reason"],
        "exchange": row["exchange"],
        "calls": tuple(calls),
        "seconds": row["seconds"],
        "cost": row["cost"],
    }
    if row["outcome"] == "skipped":
        return Skipped(**shared)
    if row["outcome"] == "failure":
        return Failure(**shared, kind=row["kind"], next_step=row["next_step"])
    return Score(
        **shared,
        score=row["score"],
        threshold=row["threshold"],
        stated=_stated(row),
        details=_details(row),
        verdicts=tuple(_verdict(verdict) for verdict in verdicts),
    )


def _values_of_verdict(verdict: Verdict) -> tuple[Any, ...]:
    quote = verdict.quote
    place = (quote.turn, quote.start, quote.end, quote.text) if quote else (None, None, None, None)
    return (verdict.turn, verdict.passed, verdict.word, verdict.reason, verdict.about, *place)


def _verdict_row(row: sqlite3.Row) -> VerdictRow:
    quote = None
    if row["quote"] is not None:
        quote = Quote(
            turn=row["quote_turn"], start=row["quote_start"], end=row["quote_end"], text=row["quote"]
        )
    return VerdictRow(
        row["turn"], _truth(row["passed"]), row["word"], row["reason"], row["about"], quote, bool(row["gone"])
    )


def _verdict(row: VerdictRow) -> Verdict:
    return Verdict(
        turn=row.turn,
        passed=row.passed,
        word=row.word,
        reason=row.reason,
        about=row.about,
        quote=row.quote,
    )


def _score_row(row: sqlite3.Row, verdicts: Sequence[VerdictRow], calls: Sequence[str]) -> ScoreRow:
    return ScoreRow(
        id=row["id"],
        session_id=row["session_id"],
        metric=row["metric"],
        outcome=row["outcome"],
        score=row["score"],
        threshold=row["threshold"],
        passed=_truth(row["passed"]),
        reason=row["reason"],
        exchange=row["exchange"],
        created_at=row["created_at"],
        judge=row["judge"],
        version=row["version"],
        run_id=row["run_id"],
        calls=tuple(calls),
        seconds=row["seconds"],
        cost=row["cost"],
        verdicts=tuple(verdicts),
        details=_details(row),
        kind=row["kind"],
        next_step=row["next_step"],
        came_from=row["came_from"],
    )


def _is_of_earlier_suite(row: sqlite3.Row) -> bool:
    """Whether a row is a score that an earlier version kept of a test file."""
    return (
        row["outcome"] == "score"
        and row["stated"] is None
        and row["metric_fingerprint"].startswith(_EARLIER_SUITE)
    )


def _stated(row: sqlite3.Row) -> bool | None:
    return _truth(row["passed"] if _is_of_earlier_suite(row) else row["stated"])


def _details(row: sqlite3.Row) -> dict[str, Any]:
    details: dict[str, Any] = stored_json(row["details"])
    return {**details, EARLIER_VERSION: _EARLIER_WORDS} if _is_of_earlier_suite(row) else details


def _truth(value: int | None) -> bool | None:
    return None if value is None else bool(value)
