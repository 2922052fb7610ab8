"""Opinions: what people say of sessions as to one metric, each person's own or the majority's.

A person's opinion of a session is the label that is about the metric, or else the one of the session as a
whole. Deferred and taken-back labels are no opinion. An adjudication is nobody's opinion: it is the verdict
where people differ, whatever the majority says, and alpha between people leaves it out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from turnwise.conversations.store import OpinionRow, Store

if TYPE_CHECKING:
    from turnwise.conversations.store import SplitName

Opinions = Mapping[str, OpinionRow]
"""What people say of one session: by author, the label that counts; pass or fail."""


def is_of_whole(opinions: Opinions, author: str | None = None) -> bool:
    """Whether nobody whose label counts labelled the metric, but only the session as a whole.

    author: whose labels count; None for everybody's.
    """
    return not any(row.metric for row in opinions.values() if author in (None, row.author))


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who labelled, and how many of the sessions in question."""

    author: str
    labels: int


def people_verdicts(
    store: Store,
    metric: str,
    *,
    query: str = "",
    split: SplitName | None = None,
    queue: int | None = None,
    author: str | None = None,
    blind_only: bool = False,
) -> dict[int, bool]:
    """Return whether people pass a session as to a metric, by session; those without a verdict are left out.

    The metric need not have scored anything. queue: of the sessions of this one only. author: whose labels;
    None for the majority. blind_only: labels given while the scores were hidden. Raises SettingError for a
    query that means nothing.
    """
    rows = store.judgements.opinions(metric, query=query, split=split, queue=queue)
    settled = settled_of(rows, metric, blind_only=blind_only)
    return verdicts_of(opinions_of(rows, metric, blind_only=blind_only), author, settled)[0]


def opinions_of(
    rows: Iterable[OpinionRow], metric: str, *, blind_only: bool = False
) -> dict[int, dict[str, OpinionRow]]:
    """Return the label of each person that counts for a metric, by session and author.

    rows: in the order in which they were given. Of one person's labels of several turns the last counts.
    """
    counting: dict[tuple[int, str], OpinionRow] = {}
    for row in rows:
        if row.adjudicates or not _counts(row, metric, blind_only=blind_only):
            continue
        key = row.session_id, row.author
        if key not in counting or row.metric:
            counting[key] = row
    found: dict[int, dict[str, OpinionRow]] = {}
    for (session, author), row in counting.items():
        # Only now, so that one who defers on the metric is not counted by the label of the whole.
        if row.word != "defer":
            found.setdefault(session, {})[author] = row
    return found


def settled_of(rows: Iterable[OpinionRow], metric: str, *, blind_only: bool = False) -> dict[int, bool]:
    """Return whether a session passes as to a metric where an adjudication says so, by session.

    rows: in the order in which they were given. One about the metric counts before one of the whole.
    """
    counting: dict[int, OpinionRow] = {}
    for row in rows:
        if not row.adjudicates or not _counts(row, metric, blind_only=blind_only):
            continue
        if row.session_id not in counting or row.metric or not counting[row.session_id].metric:
            counting[row.session_id] = row
    return {session: row.word == "pass" for session, row in counting.items() if row.word != "defer"}


def _counts(row: OpinionRow, metric: str, *, blind_only: bool) -> bool:
    return row.word is not None and row.metric in ("", metric) and (row.blind or not blind_only)


def verdicts_of(
    opinions: Mapping[int, Opinions], author: str | None, settled: Mapping[int, bool] = MappingProxyType({})
) -> tuple[dict[int, bool], int]:
    """Return whether people pass a session, by session, and for how many sessions they are split evenly.

    author: whose opinion counts; None for the majority's. settled: what adjudications say, which counts
    before a majority.
    """
    if author is not None:
        return {session: by[author].word == "pass" for session, by in opinions.items() if author in by}, 0
    verdicts: dict[int, bool] = {}
    split = 0
    for session, by in opinions.items():
        if session in settled:
            continue
        passing, failing = pass_and_fail(by)
        if passing == failing:
            split += 1
        else:
            verdicts[session] = passing > failing
    return verdicts | dict(settled), split


def passed_otherwise(
    rows: Sequence[OpinionRow],
    passed: Collection[int],
    author: str | None = None,
    *,
    blind_only: bool = False,
) -> tuple[int, int]:
    """Return of how many sessions that pass as to a metric people failed the whole, and are split on it.

    rows: what people say of the sessions as to that metric and as a whole. author: as in verdicts_of.
    """
    if not any(row.metric for row in rows):
        # What counts for the metric are the labels of the whole themselves.
        return 0, 0
    whole = opinions_of(rows, "", blind_only=blind_only)
    verdicts, _ = verdicts_of(whole, author, settled_of(rows, "", blind_only=blind_only))
    failed = sum(not verdicts.get(session, True) for session in passed)
    # One person alone is never split.
    split = 0 if author is not None else sum(one in whole and one not in verdicts for one in passed)
    return failed, split


def disputes(store: Store, metric: str = "", *, query: str = "") -> dict[int, Opinions]:
    """Return what people say of the sessions that they see differently, those that are settled left out.

    metric: as to which; empty for the conversation as a whole. Raises SettingError for a query that means
    nothing.
    """
    rows = store.judgements.opinions(metric, query=query)
    settled = settled_of(rows, metric)
    return {
        session: by
        for session, by in opinions_of(rows, metric).items()
        if session not in settled and all(pass_and_fail(by))
    }


def people_of(opinions: Mapping[int, Opinions]) -> tuple[Person, ...]:
    """Return everybody who has an opinion, those with most of them first."""
    counts = Counter(author for by in opinions.values() for author in by)
    return tuple(Person(*one) for one in sorted(counts.items(), key=lambda one: (-one[1], one[0])))


def pass_and_fail(opinions: Opinions) -> tuple[int, int]:
    """Return how many people pass a session, and how many fail it."""
    passing = sum(row.word == "pass" for row in opinions.values())
    return passing, len(opinions) - passing
