"""Frequencies: how often each value of a column occurs, and how the sessions that have it came out.

A column is what sessions are grouped by (role, tag, model, a key of the metadata ...), what was found of them
(the label, a failure mode, the newest outcome of a metric), or the day on which they came in.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from turnwise.conversations.store.counted.outcomes import NEWEST
from turnwise.conversations.store.facts.groups import Grouping, grouping
from turnwise.conversations.store.filter_fields import Condition
from turnwise.conversations.store.keeping.standing_labels import IS_DISPUTED, NEWEST_LABELS
from turnwise.conversations.store.modes.standing import STANDING, mode_groups

MOST_VALUES_COUNTED = 2_000
"""Of a column with more values only the most frequent ones come back."""
LABEL, MODE, DAY = "label", "mode", "day"
FOUND_COLUMNS = (LABEL, MODE)
"""Columns beside the metrics that tell what was found of a session."""
_OUTCOME = (
    "CASE WHEN o.outcome IS NULL THEN 'none' WHEN o.outcome <> 'score' THEN o.outcome "
    "WHEN o.passed THEN 'pass' ELSE 'fail' END"
)
_NEWEST = (
    f"SELECT c.session_id, c.outcome, c.passed, {NEWEST} FROM scores c INDEXED BY scores_newest "  # noqa: S608
    "WHERE c.metric = ? GROUP BY c.session_id"
)
_SEVERAL_TIMES = (MODE, "model")
"""Columns in which a session may have one value more than once."""
_PAIRS = "WITH pairs AS MATERIALIZED (SELECT {distinct} g.session_id, g.part FROM ({pairs}) g WHERE {where}) "
_COUNTED = (
    "SELECT part, count(*) AS sessions, count(*) OVER () FROM pairs GROUP BY part "  # noqa: S608
    f"ORDER BY sessions DESC, part LIMIT {MOST_VALUES_COUNTED}"
)
# The pairs come last, as SQLite then makes an index of them, whichever table is the larger one.
_RATES = (
    f"SELECT p.part, count(n.passed), coalesce(sum(n.passed), 0) FROM ({_NEWEST}) n "  # noqa: S608
    "CROSS JOIN pairs p ON p.session_id = n.session_id GROUP BY p.part"
)
_LABELLED = (
    "SELECT part, count(*) FILTER (WHERE said = 'pass'), count(*) FILTER (WHERE said = 'fail'), "  # noqa: S608
    "count(*) FILTER (WHERE said = 'disputed') FROM ("
    f"SELECT p.part, CASE WHEN {IS_DISPUTED} THEN 'disputed' ELSE l.label END AS said "
    f"FROM {NEWEST_LABELS} l CROSS JOIN sessions s ON s.id = l.session_id "
    "CROSS JOIN pairs p ON p.session_id = l.session_id) GROUP BY part"
)


@dataclass(frozen=True, slots=True)
class ValueTally:
    """How many sessions have a value, and how they came out.

    value: "" where a session says nothing. scores, passed: of one metric. passes, fails: how many people
    labelled so. disputed: on how many they disagree; these are neither.
    """

    value: str
    sessions: int
    scores: int = 0
    passed: int = 0
    passes: int = 0
    fails: int = 0
    disputed: int = 0


@dataclass(frozen=True, slots=True)
class ValueTallies:
    """The values of a column, the most frequent first.

    values: how many there are in all. tells: whether they say how sessions came out, so that those of whose
    outcomes nothing is told are not counted at all.
    """

    rows: tuple[ValueTally, ...]
    values: int
    tells: bool = False


def count_values(
    connection: sqlite3.Connection,
    by: str,
    metric: str,
    metrics: Sequence[str],
    among: Condition,
    open_ones: Condition,
) -> ValueTallies:
    """Count the sessions by the values of a column. It may take a second: call it from a thread.

    by: role, tag, source, model, scenario, meta.KEY, label, mode, day or a metric. metric: the one whose
    scores are counted. metrics: all there are. among: which sessions count, over `g.session_id`. open_ones:
    those of them whose scores and labels count. Raises SettingError for a column that there is not.
    """
    pairs = column_pairs(connection, by, metrics)
    distinct = "DISTINCT" if by in _SEVERAL_TIMES else ""

    def read(sql: str, where: Condition, *values: object) -> Iterator[tuple[str, Sequence[int]]]:
        with_pairs = _PAIRS.format(distinct=distinct, pairs=pairs.sql, where=where.sql)
        for row in connection.execute(with_pairs + sql, [*pairs.values, *where.values, *values]):
            yield "" if row[0] is None else str(row[0]), row[1:]

    counted = list(read(_COUNTED, among))
    # The same value in other letters is one value to the index of facts, whichever of them comes first.
    rates = {value.casefold(): some for value, some in read(_RATES, open_ones, metric)} if metric else {}
    labels = {value.casefold(): some for value, some in read(_LABELLED, open_ones)}
    rows = (
        ValueTally(value, sessions, *rates.get(folded, (0, 0)), *labels.get(folded, (0, 0, 0)))
        for value, (sessions, _) in counted
        for folded in (value.casefold(),)
    )
    return ValueTallies(tuple(rows), counted[0][1][1] if counted else 0)


def column_pairs(connection: sqlite3.Connection, by: str, metrics: Sequence[str]) -> Grouping:
    """Return what selects every session with its values in a column. Raises SettingError."""
    if by == LABEL:
        return Grouping(
            by,
            "SELECT s.id AS session_id, "  # noqa: S608
            f"CASE WHEN {IS_DISPUTED} THEN 'disputed' WHEN l.label = 'defer' THEN 'deferred' "
            f"ELSE coalesce(l.label, 'none') END AS part FROM sessions s LEFT JOIN {NEWEST_LABELS} l "
            "ON l.session_id = s.id",
        )
    if by == DAY:
        return Grouping(
            by, "SELECT id AS session_id, date(created_at, 'unixepoch', 'localtime') AS part FROM sessions"
        )
    if by == MODE:
        names = {number: name for name, numbers in mode_groups(connection).items() for number in numbers}
        return Grouping(
            by,
            f"SELECT a.session_id, j.value AS part FROM {STANDING} a "  # noqa: S608
            "JOIN json_each(?) j ON CAST(j.key AS INTEGER) = a.mode_id",
            (json.dumps(names),),
        )
    if by in metrics:
        return Grouping(
            by,
            f"SELECT s.id AS session_id, {_OUTCOME} AS part FROM sessions s "  # noqa: S608
            f"LEFT JOIN ({_NEWEST}) o ON o.session_id = s.id",
            (by,),
        )
    return grouping(by)
