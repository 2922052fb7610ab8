"""Comparing two runs: by metric how far the scores moved, and which pairs of outcomes flipped.

    comparison = compare(store, find_side(store, "last-1"), find_side(store, "last"))
    comparison.metrics[0].delta

The runs judged the same sessions (by another judge, criterion or threshold), or sessions that are the same
cases (answered by another target, or at another time). Only what was scored on both sides is compared.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from math import nan
from operator import attrgetter
from typing import Literal

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store import Store
from turnwise.conversations.store.run_outcomes import OutcomeRow, SubjectRow
from turnwise.engine.pairing import pair_subjects
from turnwise.engine.sides import Side
from turnwise.engine.statistics.paired import Group, mean_interval

Flip = Literal["failed", "passed"]
"""What a pair turned into: it passed in A and failed in B, or the other way."""
_RANKS: Mapping[Flip | None, int] = {"failed": 0, "passed": 1, None: 2}


@dataclass(frozen=True, slots=True)
class ScoredPair:
    """The same unit scored on both sides. name: the case's, as B's session is listed."""

    name: str
    a: OutcomeRow
    b: OutcomeRow
    delta: float
    flip: Flip | None

    @property
    def metric(self) -> str:
        """What both were judged by."""
        return self.a.metric

    @property
    def exchange(self) -> int | None:
        """Which exchange was judged; None for the whole."""
        return self.a.exchange

    @property
    def is_changed(self) -> bool:
        """Whether it flipped or its score moved."""
        return self.flip is not None or self.delta != 0


@dataclass(frozen=True, slots=True)
class MetricChange:
    """One metric over all pairs.

    mean_a, mean_b, delta: of the paired scores, 0 to 1, nan without any. low, high: the 95 % interval of
    delta, nan for fewer than two cases. passed_a, passed_b: paired scores that pass. newly_failed,
    newly_passed: flips. only_a, only_b: scores that the other side has no outcome for. failures and skipped:
    outcomes of a side that are no scores.
    """

    metric: str
    pairs: int
    mean_a: float
    mean_b: float
    delta: float
    low: float
    high: float
    passed_a: int
    passed_b: int
    newly_failed: int
    newly_passed: int
    only_a: int
    only_b: int
    failures_a: int
    failures_b: int
    skipped_a: int
    skipped_b: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sides compared: metrics with pairs first, in the order they came; pairs by flip, then by change.

    cases: how many sessions of one are a case of the other. only_a, only_b: sessions that are not. target_a,
    target_b: the only target that answered on a side; empty where there are several or none.
    """

    a: Side
    b: Side
    metrics: tuple[MetricChange, ...]
    pairs: tuple[ScoredPair, ...]
    cases: int
    only_a: int
    only_b: int
    target_a: str = ""
    target_b: str = ""


@dataclass(slots=True)
class _Found:
    """What is known of one metric so far. groups: per case, the sum of the differences and their number."""

    pairs: list[ScoredPair] = field(default_factory=list)
    groups: dict[int, Group] = field(default_factory=dict)
    only: list[int] = field(default_factory=lambda: [0, 0])
    failures: list[int] = field(default_factory=lambda: [0, 0])
    skipped: list[int] = field(default_factory=lambda: [0, 0])

    def count(self, side: int, row: OutcomeRow) -> None:
        """Count an outcome of a side that is no score."""
        if row.outcome != "score":
            kept = self.failures if row.outcome == "failure" else self.skipped
            kept[side] += 1


def compare(store: Store, a: Side, b: Side, metric: str = "") -> Comparison:
    """Compare two sides, by all metrics or by one that is named whole or by a part that no other has.

    A hundred thousand scores a side take a second or two. Raises NotFoundError for a metric that neither has.
    """
    judged = a.judged(store), b.judged(store)
    rows = [_by_session(store.run_outcomes.of(side.run.id)) for side in (a, b)]
    found: dict[str, _Found] = {}
    matched = pair_subjects(*judged)
    for first, second in matched:
        _take(found, second, rows[0][first.session_id], rows[1][second.session_id])
    taken = {row.session_id for row, _ in matched}, {row.session_id for _, row in matched}
    for side in (0, 1):
        for subject in judged[side]:
            if subject.session_id not in taken[side]:
                _take_alone(found, side, rows[side][subject.session_id])
    # What was scored on one side only comes last.
    chosen = (
        [_named(metric, list(found))] if metric else sorted(found, key=lambda name: not found[name].pairs)
    )
    # What moved as far stays in the order it came in.
    pairs = sorted((pair for name in chosen for pair in found[name].pairs), key=_order)
    return Comparison(
        a=a,
        b=b,
        metrics=tuple(_metric_change(name, found[name]) for name in chosen),
        pairs=tuple(pairs),
        cases=len(matched),
        only_a=len(judged[0]) - len(matched),
        only_b=len(judged[1]) - len(matched),
        target_a=_only_target(judged[0]),
        target_b=_only_target(judged[1]),
    )


def _only_target(subjects: Sequence[SubjectRow]) -> str:
    targets = {row.target for row in subjects}
    return targets.pop() if len(targets) == 1 else ""


def _by_session(rows: Iterable[OutcomeRow]) -> dict[int, list[OutcomeRow]]:
    """Return outcomes, which come session by session, by session."""
    return {session: list(found) for session, found in groupby(rows, key=attrgetter("session_id"))}


def _take(
    found: dict[str, _Found], subject: SubjectRow, a: Sequence[OutcomeRow], b: Sequence[OutcomeRow]
) -> None:
    """Take the outcomes of one case on both sides."""
    others = {(row.metric, row.exchange): row for row in b}
    for row in a:
        kept = found.setdefault(row.metric, _Found())
        kept.count(0, row)
        other = others.pop((row.metric, row.exchange), None)
        if other is None:
            kept.only[0] += row.outcome == "score"
            continue
        kept.count(1, other)
        if row.score is not None and other.score is not None:
            delta = other.score - row.score
            kept.pairs.append(ScoredPair(subject.name, row, other, delta, _flip(row.passed, other.passed)))
            total, size = kept.groups.get(subject.session_id, (0.0, 0))
            kept.groups[subject.session_id] = (total + delta, size + 1)
    _take_alone(found, 1, others.values())


def _take_alone(found: dict[str, _Found], side: int, rows: Iterable[OutcomeRow]) -> None:
    """Take outcomes that the other side has nothing for."""
    for row in rows:
        kept = found.setdefault(row.metric, _Found())
        kept.count(side, row)
        kept.only[side] += row.outcome == "score"


def _flip(a: bool | None, b: bool | None) -> Flip | None:
    if a is None or b is None or a == b:
        return None
    return "passed" if b else "failed"


def _order(pair: ScoredPair) -> tuple[int, float]:
    return _RANKS[pair.flip], -abs(pair.delta)


def _metric_change(metric: str, found: _Found) -> MetricChange:
    pairs = found.pairs
    count = len(pairs)
    low, high = mean_interval(list(found.groups.values()))
    mean_a = sum(pair.a.score or 0.0 for pair in pairs) / count if count else nan
    mean_b = sum(pair.b.score or 0.0 for pair in pairs) / count if count else nan
    return MetricChange(
        metric=metric,
        pairs=count,
        mean_a=mean_a,
        mean_b=mean_b,
        delta=sum(pair.delta for pair in pairs) / count if count else nan,
        low=low,
        high=high,
        passed_a=sum(pair.a.passed is True for pair in pairs),
        passed_b=sum(pair.b.passed is True for pair in pairs),
        newly_failed=sum(pair.flip == "failed" for pair in pairs),
        newly_passed=sum(pair.flip == "passed" for pair in pairs),
        only_a=found.only[0],
        only_b=found.only[1],
        failures_a=found.failures[0],
        failures_b=found.failures[1],
        skipped_a=found.skipped[0],
        skipped_b=found.skipped[1],
    )


def _named(text: str, known: Sequence[str]) -> str:
    wanted = text.strip().lower().replace(" ", "_")
    found = [name for name in known if name.lower() in (wanted, text.lower())]
    found = found or [name for name in known if wanted in name.lower()]
    if len(found) == 1:
        return found[0]
    near = difflib.get_close_matches(wanted, known, n=1)
    raise NotFoundError(
        f"{text} could be {' or '.join(found)}" if found else f"Neither run was judged by {text}",
        detail=f"They were judged by: {', '.join(known)}" if known else "They have no outcomes",
        next_step=f"Did you mean {near[0]}?" if near and not found else "",
    )
