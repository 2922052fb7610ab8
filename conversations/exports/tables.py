"""Tables, written as CSV and as Parquet: a row a turn, a session or a score, with typed columns.

In CSV no cell is a formula, whatever a conversation holds; Parquet is written a few thousand rows at a time.
"""

from __future__ import annotations

import csv
import importlib
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any, BinaryIO, TextIO

from turnwise.conversations.errors import SettingError
from turnwise.conversations.exports.export import (
    ExportOptions,
    RowsWord,
    SessionSelection,
    StoredSession,
)
from turnwise.conversations.store import SHOWN_WITH_TURNS, LabelRow
from turnwise.conversations.texts import mend_text
from turnwise.conversations.turns import ExchangeFields
from turnwise.conversations.words import mode_told

_BETWEEN = " "

Cells = tuple[Any, ...]
_FORMULA = re.compile("[=+\\-@\t\r\uff1d\uff0b\uff0d\uff20]")
_QUOTES = frozenset("\"'`\u2018\u2019\u201c\u201d")
_UNSEEN = frozenset(("Cc", "Cf", "Mn", "Me", "Zs", "Zl", "Zp"))
_UNSEEN_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Letters and signs that are drawn as nothing, though their class does not say so."""
_ROWS_AT_ONCE = 2_000


@dataclass(frozen=True, slots=True)
class Table:
    """Columns by name, with the type of their values, and the rows as they come; None is an empty cell.

    In a column of numbers a row may hold a word instead, where there is a reason for no number.
    """

    columns: Mapping[str, type]
    rows: Iterator[Cells]


def turn_table(sessions: SessionSelection) -> Table:
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
        "expected_output": str,
        "cost": float,
        "completion_time": float,
        "metadata": str,
        "seconds": float,
        "failed_metrics": str,
    }
    return Table(columns, _rows_of_turns(sessions))


def _rows_of_turns(sessions: SessionSelection) -> Iterator[Cells]:
    has_findings = False
    for session in sessions:
        has_findings = has_findings or bool(session.newest_labels)
        yield from _turn_rows(session)
    if has_findings:
        sessions.tell("Labels and their notes are in the table of sessions: --rows sessions.")


def _turn_rows(session: StoredSession) -> Iterator[Cells]:
    found = session.verdicts_by_turn()
    for turn, said in zip(session.turns, session.conversation.turns, strict=True):
        exchange = said.exchange or ExchangeFields()
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
            exchange.expected_output,
            exchange.token_cost,
            exchange.completion_time,
            _json(_metadata_of(exchange.metadata, said.metadata)),
            turn.at,
            _BETWEEN.join(dict.fromkeys(failed)) or None,
        )


def session_table(sessions: SessionSelection) -> Table:
    """A row a session, with a column for the newest outcome of every metric.

    label: the newest one; disputed where people see the session differently. label_by, label_turn, note: who
    gave each label that stands, its turn and its note, one a line in the same order. failure_modes: one a
    line, as in "Cuts off, turn 2, by Ana".
    """
    columns = {
        "session_id": int,
        "session_name": str,
        "chatbot_role": str,
        "scenario": str,
        "expected_outcome": str,
        "user_description": str,
        "context": str,
        "comments": str,
        "cost": float,
        "completion_time": float,
        "metadata": str,
        "hyperparameters": str,
        "turns": int,
        "tags": str,
        "source": str,
        "imported_at": str,
        "label": str,
        "label_by": str,
        "label_turn": str,
        "note": str,
        "failure_modes": str,
    }
    metrics = sessions.metrics()
    # A metric that is named like another column must not take its place.
    named = {f"metric {name}" if name in columns else name: float for name in metrics}
    return Table({**columns, **named}, (_session_row(session, metrics) for session in sessions))


def _session_row(session: StoredSession, metrics: list[str]) -> Cells:
    row, case, labels = session.row, session.conversation, session.newest_labels
    return (
        row.id,
        session.name,
        row.chatbot_role or None,
        case.scenario,
        case.expected_outcome,
        case.user_description,
        "\n".join(case.context or ()) or None,
        case.comments,
        session.about.cost,
        session.about.seconds,
        _json(session.case.metadata),
        "\n".join(f"{part.title}: {'; '.join(part.text.splitlines())}" for part in session.about.runs)
        or None,
        row.turns,
        _BETWEEN.join(row.tags) or None,
        row.source,
        _time(row.created_at),
        "disputed" if row.disputed else row.label,
        _lines(_giver_of(label, None if row.disputed else row.label) for label in labels),
        _lines(str(label.turn or "") for label in labels),
        _lines(" ".join(label.note.split()) if len(labels) > 1 else label.note for label in labels),
        "\n".join(mode_told(mode.name, mode.turn, mode.author) for mode in session.modes) or None,
        *(_mark(session, metric) for metric in metrics),
    )


def _giver_of(label: LabelRow, newest: str | None) -> str:
    """Return who gave a label, of which metric, and what it says where that is not what the newest says."""
    told = [label.metric, "" if label.label == newest is not None else label.said]
    beside = ", ".join(part for part in told if part)
    return f"{label.author} ({beside})" if beside else label.author


def _lines(texts: Iterable[str]) -> str | None:
    """Return texts as the lines of a cell; None where all of them are empty."""
    told = list(texts)
    return "\n".join(told) if any(told) else None


def _mark(session: StoredSession, metric: str) -> float | str | None:
    mark = session.row.marks.get(metric)
    return None if mark is None else mark.score if mark.outcome == "score" else mark.outcome


def score_table(sessions: SessionSelection) -> Table:
    """A row for the newest outcome of every metric, per session and exchange.

    remark: what a reader must know of a score itself, such as that another model answers for its judge since.
    """
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
        "hyperparameters": str,
        "scored_at": str,
        "remark": str,
    }
    return Table(columns, (row for session in sessions for row in _score_rows(session, sessions.parameters)))


def _score_rows(session: StoredSession, parameters: Callable[[int], dict[str, Any]]) -> Iterator[Cells]:
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
            _json(parameters(score.run_id)),
            _time(score.created_at),
            score.remark or None,
        )


def _metadata_of(exchange: Mapping[str, Any] | None, turn: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return what is said of a turn and of the exchange that it ends, without images."""
    beside = {key: value for key, value in (turn or {}).items() if key not in SHOWN_WITH_TURNS}
    return {**(exchange or {}), **beside}


def _json(value: Mapping[str, Any] | None) -> str | None:
    return json.dumps(value, ensure_ascii=False, default=str) if value else None


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


TABLES: Mapping[RowsWord, Callable[[SessionSelection], Table]] = {
    "turns": turn_table,
    "sessions": session_table,
    "scores": score_table,
}


def defused(cell: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula: such a text gets an apostrophe before it."""
    if isinstance(cell, bool):
        return str(cell).lower()
    if not isinstance(cell, str):
        return cell
    text = mend_text(cell)
    return f"'{text}" if _may_be_formula(text) else text


def _may_be_formula(text: str) -> bool:
    """Whether a spreadsheet may take a text for a formula.

    They look past blanks, quotes and invisible marks, and read wide forms like the plain ones.
    """
    for character in text:
        if _FORMULA.match(character):
            return True
        if not (
            character in _QUOTES or character in _UNSEEN_LETTERS or unicodedata.category(character) in _UNSEEN
        ):
            return False
    return False


def write_csv(sessions: SessionSelection, out: TextIO, options: ExportOptions) -> None:
    """Write a table in CSV, a row a turn, a session or a score."""
    table = TABLES[options.rows](sessions)
    # Quoted, a cell stays one cell in programs that expect another mark between cells.
    writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(map(defused, table.columns))
    writer.writerows(map(defused, row) for row in table.rows)


def write_parquet(sessions: SessionSelection, out: BinaryIO, options: ExportOptions) -> None:
    """Write the same table in Parquet, with typed columns. Raises SettingError without the extra parquet."""
    lib, parquet = _loaded()
    table = TABLES[options.rows](sessions)
    types = {int: lib.int64(), float: lib.float64(), bool: lib.bool_(), str: lib.string()}
    kinds = list(table.columns.values())
    schema = lib.schema([(mend_text(name), types[kind]) for name, kind in table.columns.items()])
    with parquet.ParquetWriter(out, schema, compression="zstd") as writer:
        while batch := list(islice(table.rows, _ROWS_AT_ONCE)):
            cells = [
                [_cell(value, kind) for value in column]
                for column, kind in zip(zip(*batch, strict=True), kinds, strict=True)
            ]
            writer.write_table(lib.table(cells, schema=schema))


def _cell(value: Any, kind: type) -> Any:
    """Return a value as its column takes it; a word in a column of numbers becomes an empty cell."""
    if isinstance(value, str):
        return mend_text(value) if kind is str else None
    return value


def _loaded() -> tuple[Any, Any]:
    try:
        # Loaded here: only Parquet needs it, and it comes with an extra.
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise SettingError(
            "Parquet needs a package that is not installed",
            detail="pyarrow writes it.",
            next_step="pip install 'turnwise[parquet]', or export to csv.",
        ) from None
