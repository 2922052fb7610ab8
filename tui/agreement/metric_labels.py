"""Metric labels: what somebody says of one metric of a session on which the judge and people differ.

A label of a whole session counts for every metric; this is how one says which of them it is about.
"""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.conversations.marks import LabelWord
from turnwise.conversations.store import Store
from turnwise.engine.people.agreement import Disagreement
from turnwise.engine.people.labelling import CurrentLabel, LabelSubject, PersonLabels, keep_label
from turnwise.tui.reading.score_groups import subject_of_row


@dataclass(frozen=True, slots=True)
class LabelOfMetric:
    """What somebody said of a metric of a session. before: what they had said of it till then."""

    session: int
    author: str
    subject: LabelSubject
    word: LabelWord
    before: CurrentLabel

    @property
    def words(self) -> str:
        """Say what was said, of which session."""
        return f"{self.word} for session {self.session:,}"

    def take_back(self, store: Store) -> None:
        """Keep that its author says again what they said before."""
        keep_label(store, self.session, self.author, self.subject, self.before)


def label_metric(store: Store, one: Disagreement, metric: str, author: str, *, agree: bool) -> LabelOfMetric:
    """Keep a label of the metric that says what the judge says of a session, or the opposite.

    A last-turn metric is labelled at the reply that its newest score is about.
    """
    judge_passed = one.kind == "false pass"
    word: LabelWord = "pass" if judge_passed is agree else "fail"
    rows = [
        row for row in store.scores.newest(one.session) if row.metric == metric and row.passed is not None
    ]
    subject: LabelSubject = subject_of_row(rows[-1]) if rows else (metric, None)
    before = PersonLabels(author, store.labels.of(one.session)).of(subject)
    keep_label(store, one.session, author, subject, CurrentLabel(word, subject[1], blind=False))
    return LabelOfMetric(one.session, author, subject, word, before)
