"""Labelled: how metrics came out on the sessions that people labelled, which are few of many."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from turnwise.conversations.store.counted.kept_counts import ScoreTally, tally_of
from turnwise.conversations.store.counted.outcomes import NEWEST, mark_of
from turnwise.conversations.store.filter_fields import Condition

_NO_SCORE = "-"
# Of a metric the sessions are looked up one by one in its index; as one value each column comes back sooner
# than a row a session does.
_OF_METRIC = f"""
SELECT group_concat(session_id), group_concat(mark, ''), group_concat(coalesce(passed, '{_NO_SCORE}'), '')
FROM (SELECT c.session_id, c.passed, {mark_of("c")} AS mark, {NEWEST}
    FROM (SELECT DISTINCT l.session_id FROM labels l WHERE {{}}) l
    CROSS JOIN scores c INDEXED BY scores_newest ON c.metric = ? AND c.session_id = l.session_id
    GROUP BY l.session_id)
"""  # noqa: S608


@dataclass(frozen=True, slots=True)
class LabelledOutcomes:
    """The newest outcomes of a metric on sessions that have any label, each at one place of all three.

    sessions: their numbers. marks: a character each, see `mark_of`. passes: 1 or 0; - where it is
    no score.
    """

    sessions: tuple[int, ...]
    marks: str
    passes: str

    @property
    def passed(self) -> dict[int, bool]:
        """Whether each session with a score passes."""
        return {
            one: word == "1"
            for one, word in zip(self.sessions, self.passes, strict=True)
            if word != _NO_SCORE
        }


def read_labelled(
    connection: sqlite3.Connection, metrics: Iterable[str], among: Condition
) -> dict[str, LabelledOutcomes]:
    """Return by metric how it came out on labelled sessions; without those on which it never came out.

    among: which sessions, a condition on the table `labels` by the name of `l`.
    """
    sql, found = _OF_METRIC.format(among.sql), {}
    for metric in metrics:
        sessions, marks, passes = connection.execute(sql, [*among.values, metric]).fetchone()
        if marks:
            found[metric] = LabelledOutcomes(tuple(map(int, str(sessions).split(","))), marks, passes)
    return found


def tallies_by_label(outcomes: Iterable[tuple[str, LabelledOutcomes, Mapping[int, str]]]) -> list[ScoreTally]:
    """Count outcomes by metric and by what is said of their sessions, such as "pass"; others are left out.

    outcomes: of each metric, with what is said as to it.
    """
    found = []
    for metric, one, said in outcomes:
        words = [said.get(session, "") for session in one.sessions]
        passed = Counter(word for word, passes in zip(words, one.passes, strict=True) if passes == "1")
        marks: dict[str, Counter[str]] = {}
        for (word, mark), count in Counter(zip(words, one.marks, strict=True)).items():
            marks.setdefault(word, Counter())[mark] = count
        found += [tally_of(metric, marks[word], passed[word], word) for word in sorted(marks) if word]
    return found
