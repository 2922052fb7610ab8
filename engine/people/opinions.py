"""Opinions: what people say of sessions as to one metric, each person's own or the majority's.

A person's opinion of a session is the label that is about the metric, or else the one of the session as a
whole. Deferred and taken-back labels are no opinion.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from turnwise.conversations.store import OpinionRow, SplitName, Store

Opinions = Mapping[str, OpinionRow]
"""What people say of one session: by author, the label that counts; pass or fail."""


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
    author: str | None = None,
    blind_only: bool = False,
) -> dict[int, bool]:
    """Return whether people pass a session as to a metric, by session; those without a verdict are left out.

    The metric need not have scored anything. author: whose labels; None for the majority. blind_only: labels
    given while the scores were hidden. Raises SettingError for a query that means nothing.
    """
    rows = store.judgements.opinions(metric, query=query, split=split)
    return verdicts_of(opinions_of(rows, metric, blind_only=blind_only), author)[0]


def opinions_of(
    rows: Iterable[OpinionRow], metric: str, *, blind_only: bool = False
) -> dict[int, dict[str, OpinionRow]]:
    """Return the label of each person that counts for a metric, by session and author.

    rows: in the order in which they were given. Of one person's labels of several turns the last counts.
    """
    counting: dict[tuple[int, str], OpinionRow] = {}
    for row in rows:
        if row.word is None or row.metric not in ("", metric) or (blind_only and not row.blind):
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


def verdicts_of(opinions: Mapping[int, Opinions], author: str | None) -> tuple[dict[int, bool], int]:
    """Return whether people pass a session, by session, and for how many sessions they are split evenly.

    author: whose opinion counts; None for the majority's.
    """
    if author is not None:
        return {session: by[author].word == "pass" for session, by in opinions.items() if author in by}, 0
    verdicts: dict[int, bool] = {}
    split = 0
    for session, by in opinions.items():
        passing, failing = pass_and_fail(by)
        if passing == failing:
            split += 1
        else:
            verdicts[session] = passing > failing
    return verdicts, split


def people_of(opinions: Mapping[int, Opinions]) -> tuple[Person, ...]:
    """Return everybody who has an opinion, those with most of them first."""
    counts = Counter(author for by in opinions.values() for author in by)
    return tuple(Person(*one) for one in sorted(counts.items(), key=lambda one: (-one[1], one[0])))


def pass_and_fail(opinions: Opinions) -> tuple[int, int]:
    """Return how many people pass a session, and how many fail it."""
    passing = sum(row.word == "pass" for row in opinions.values())
    return passing, len(opinions) - passing
