"""Tables: a row a turn, a session or a score, with typed columns, for every format that has rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from turnwise.conversations.exports.export import RowsWord
from turnwise.conversations.exports.stored import Selection, StoredSession

_BETWEEN = " "

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Columns by name, with the type of their values, and the rows as they come; None is an empty cell.

    In a column of numbers a row may hold a word instead, where there is a reason for no number.
    """

    columns: Mapping[str, type]
    rows: Iterator[Row]


def turn_table(sessions: Selection) -> Table:
    """A row a message. number: of spoken turns. seconds: from the start to the end of it."""
    columns = {
        "session_id": int,
        "session_name": str,
        "position": int,
        "number": int,
        "role": str,
        "name": str,
        "content": str,
        "tools_called": str,
        "retrieval_context": str,
        "seconds": float,
        "failed_metrics": str,
    }
    return Table(columns, (row for session in sessions for row in _turn_rows(session)))


def _turn_rows(session: StoredSession) -> Iterator[Row]:
    found = session.verdicts_by_turn()
    for turn in session.turns:
        judged = found.get(turn.number or 0, ())
        failed = [score.metric for score, verdict in judged if verdict.passed is False]
        yield (
            session.row.id,
            session.name,
            turn.position,
            turn.number,
            turn.role,
            turn.name,
            turn.content,
            "\n".join(f"{call.name}({call.arguments})" for call in turn.tools_called) or None,
            "\n".join(turn.passages) or None,
            turn.at,
            _BETWEEN.join(dict.fromkeys(failed)) or None,
        )


def session_table(sessions: Selection) -> Table:
    """A row a session, with a column for the newest outcome of every metric."""
    columns = {
        "session_id": int,
        "session_name": str,
        "chatbot_role": str,
        "scenario": str,
        "expected_outcome": str,
        "turns": int,
        "tags": str,
        "source": str,
        "imported_at": str,
        "label": str,
    }
    metrics = sessions.metrics()
    # A metric that is named like another column must not take its place.
    named = {f"metric {name}" if name in columns else name: float for name in metrics}
    return Table({**columns, **named}, (_session_row(session, metrics) for session in sessions))


def _session_row(session: StoredSession, metrics: list[str]) -> Row:
    row, case = session.row, session.conversation
    return (
        row.id,
        session.name,
        row.chatbot_role or None,
        case.scenario,
        case.expected_outcome,
        row.turns,
        _BETWEEN.join(row.tags) or None,
        row.source,
        _time(row.created_at),
        row.label,
        *(_mark(session, metric) for metric in metrics),
    )


def _mark(session: StoredSession, metric: str) -> float | str | None:
    mark = session.row.marks.get(metric)
    return None if mark is None else mark.score if mark.outcome == "score" else mark.outcome


def score_table(sessions: Selection) -> Table:
    """A row for the newest outcome of every metric, per session and exchange."""
    columns = {
        "session_id": int,
        "session_name": str,
        "metric": str,
        "exchange": int,
        "outcome": str,
        "score": float,
        "threshold": float,
        "passed": bool,
        "reason": str,
        "failed_turns": str,
        "judge": str,
        "scored_at": str,
    }
    return Table(columns, (row for session in sessions for row in _score_rows(session)))


def _score_rows(session: StoredSession) -> Iterator[Row]:
    for score in session.newest_scores:
        failed = [verdict.turn for verdict in score.verdicts if verdict.passed is False and verdict.turn]
        yield (
            session.row.id,
            session.name,
            score.metric,
            score.exchange,
            score.outcome,
            score.score,
            score.threshold,
            score.passed,
            score.reason,
            _BETWEEN.join(map(str, dict.fromkeys(failed))) or None,
            score.judge or None,
            _time(score.created_at),
        )


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


TABLES: Mapping[RowsWord, Callable[[Selection], Table]] = {
    "turns": turn_table,
    "sessions": session_table,
    "scores": score_table,
}
