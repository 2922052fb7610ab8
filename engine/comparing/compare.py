"""Comparing two runs: by metric how far the scores moved, and which pairs of outcomes flipped.

    comparison = compare(store, find_side(store, "last-1"), find_side(store, "last"))
    comparison.metrics[0].delta

The runs judged the same sessions (by another judge, criterion or threshold), or sessions that are the same
cases (answered by another target, or at another time). Only what was scored on both sides is compared.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from math import nan
from typing import Literal, overload

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.store import OutcomeRow, RunOutcomes, Store, SubjectRow
from turnwise.engine.comparing.judging_changes import JudgingChange, judging_changes
from turnwise.engine.comparing.prompts import differing_prompts
from turnwise.engine.comparing.sides import Side, pair_subjects
from turnwise.engine.metrics.metric_names import meant_metric, near_name
from turnwise.engine.people.statistics.bounded_means import (
    Group,
    chance_of_mean,
    mean_interval,
    mean_of,
    more_needed,
)
from turnwise.engine.people.statistics.many_comparisons import FALSE_SHARE, adjusted

Flip = Literal["failed", "passed"]
"""What a pair turned into: it passed in A and failed in B, or the other way."""
MOST_GROUPS = 200
"""More groups could not be read, and their intervals would take minutes."""
NARROW, WIDE = 0.2, 0.6
"""An interval of a change that is no wider says how far it is; one that is wider says next to nothing."""
_RANKS: Mapping[Flip | None, int] = {"failed": 0, "passed": 1, None: 2}
_TURNS: Mapping[Flip | None, float] = {"failed": -1.0, "passed": 1.0, None: 0.0}


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


class ScoredPairs(Sequence[ScoredPair]):
    """The pairs of two sides, held as places in the outcomes of both, so that many take little memory.

    A ScoredPair is made when it is asked for.
    """

    def __init__(self, a: RunOutcomes, b: RunOutcomes, names: Sequence[str]) -> None:
        """names: of the cases, by number; those of later cases may be added to it."""
        self._a, self._b, self._names = a, b, names
        self._places_a = array("q")
        self._places_b = array("q")
        self._cases = array("q")

    def add(self, place_a: int, place_b: int, case: int) -> None:
        """Put a pair at the end: where its scores stand on both sides, and the number of its case."""
        self._places_a.append(place_a)
        self._places_b.append(place_b)
        self._cases.append(case)

    def extend(self, others: ScoredPairs) -> None:
        """Put the pairs of the same two sides at the end."""
        self._places_a.extend(others._places_a)
        self._places_b.extend(others._places_b)
        self._cases.extend(others._cases)

    def sort(self) -> None:
        """Sort: pairs that failed in B alone first, then those that passed in B alone, then all others.

        Within each of the three the scores that moved furthest come first; equal ones stay in their order.
        """
        order = sorted(range(len(self)), key=lambda place: -abs(self.delta(place)))
        # By one key after the other: a pair of keys for each would take more room than all the pairs.
        order.sort(key=lambda place: _RANKS[self.flip(place)])
        for name in ("_places_a", "_places_b", "_cases"):
            column = getattr(self, name)
            setattr(self, name, array(column.typecode, map(column.__getitem__, order)))

    def judged(self, sessions: Collection[int]) -> frozenset[int]:
        """Return those of these sessions that have an outcome on either side."""
        return frozenset(one for one in sessions if self._a.of_session(one) or self._b.of_session(one))

    def without(self, sessions: Collection[int]) -> ScoredPairs:
        """Return the pairs of no session among these, in the same order."""
        left_out = [
            {place for one in sessions for place in rows.of_session(one)} for rows in (self._a, self._b)
        ]
        kept = ScoredPairs(self._a, self._b, self._names)
        for a, b, case in zip(self._places_a, self._places_b, self._cases, strict=True):
            if a not in left_out[0] and b not in left_out[1]:
                kept.add(a, b, case)
        return kept

    def delta(self, place: int) -> float:
        """Return how far the score of a pair moved from A to B."""
        return self._b.score(self._places_b[place]) - self._a.score(self._places_a[place])

    def flip(self, place: int) -> Flip | None:
        """Return what a pair turned into; None where both sides pass, both fail, or one says neither."""
        a, b = self._a.passed(self._places_a[place]), self._b.passed(self._places_b[place])
        if a is None or b is None or a == b:
            return None
        return "passed" if b else "failed"

    def __len__(self) -> int:
        return len(self._cases)

    @overload
    def __getitem__(self, place: int) -> ScoredPair: ...

    @overload
    def __getitem__(self, place: slice) -> list[ScoredPair]: ...

    def __getitem__(self, place: int | slice) -> ScoredPair | list[ScoredPair]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        return ScoredPair(
            self._names[self._cases[place]],
            self._a[self._places_a[place]],
            self._b[self._places_b[place]],
            self.delta(place),
            self.flip(place),
        )


@dataclass(frozen=True, slots=True)
class MetricChange:
    """One metric over all pairs.

    cases: how many pieces of evidence the pairs are: exchanges of one conversation are one, and so are all
    sessions of one scenario or of one case of a suite. mean_a, mean_b, delta: of the paired scores, 0 to 1,
    nan without any. low, high: the 95 % interval of delta, which holds for few cases too; nan for fewer than
    two. passes_low, passes_high: the same of how much larger the share of pairs is that pass in B than in A.
    p_value: how probable so large a change of scores or passes, or a larger one, would be by chance; 1
    without pairs. adjusted: the same, as it counts among all metrics that are compared at once. direction:
    of what is least probable: 1 for better, -1 for worse, 0 for neither. by_passes: whether that is how many
    pass, not their mean score. more: how many more cases would make
    the direction certain, or the interval as narrow as NARROW; None where no number of cases at
    hand would.
    passed_a, passed_b: paired scores that pass. newly_failed, newly_passed: flips. only_a, only_b: scores
    that the other side has no outcome for. failures and skipped: outcomes of a side that are no scores. same:
    pairs of one and the same score, which was kept and not judged again.
    """

    metric: str
    pairs: int
    cases: int
    mean_a: float
    mean_b: float
    delta: float
    low: float
    high: float
    passes_low: float
    passes_high: float
    p_value: float
    adjusted: float
    direction: int
    by_passes: bool
    more: int | None
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
    same: int

    @property
    def is_sure(self) -> bool:
        """Whether it is better or worse by more than chance, all that is compared at once considered."""
        return self.adjusted <= FALSE_SHARE

    @property
    def is_told(self) -> bool:
        """Whether there are cases enough for its interval to say something."""
        return self.high - self.low <= WIDE or self.more == 0


@dataclass(frozen=True, slots=True)
class RunComparison:
    """Two sides compared: metrics with pairs first, in the order they came; pairs by flip, then by change.

    by_metric: the pairs of each metric, in the order of the metrics. cases: how many sessions of one are a
    case of the other. only_a, only_b: sessions that are not. target_a, target_b: the only target that
    answered on a side; empty where there are several or none. groups: the metrics within each group of
    sessions that was asked for, those with most cases first. changed: by what the runs judged differently.
    prompts_apart: cases whose system prompts are not the same on both sides.
    """

    a: Side
    b: Side
    metrics: tuple[MetricChange, ...]
    pairs: ScoredPairs
    by_metric: Mapping[str, ScoredPairs]
    cases: int
    only_a: int
    only_b: int
    target_a: str = ""
    target_b: str = ""
    groups: Mapping[str, tuple[MetricChange, ...]] = field(default_factory=dict)
    changed: Sequence[JudgingChange] = ()
    prompts_apart: int = 0


@dataclass(slots=True)
class _MetricSoFar:
    """The sums over the pairs of one metric that were read so far; lists of two hold side A, then side B.

    places: where the sums of a piece of evidence stand. moved, turned, sizes: per piece, the sum of its
    differences, how many more of it pass in B than in A, and how many pairs it has.
    """

    pairs: ScoredPairs
    places: dict[Hashable, int] = field(default_factory=dict)
    moved: array[float] = field(default_factory=lambda: array("d"))
    turned: array[float] = field(default_factory=lambda: array("d"))
    sizes: array[int] = field(default_factory=lambda: array("q"))
    total: list[float] = field(default_factory=lambda: [0.0, 0.0])
    passed: list[int] = field(default_factory=lambda: [0, 0])
    flips: dict[str | None, int] = field(default_factory=lambda: {"failed": 0, "passed": 0, None: 0})
    only: list[int] = field(default_factory=lambda: [0, 0])
    failures: list[int] = field(default_factory=lambda: [0, 0])
    skipped: list[int] = field(default_factory=lambda: [0, 0])
    same: int = 0

    def count(self, side: int, row: OutcomeRow) -> None:
        """Count an outcome of a side that is no score."""
        if row.outcome != "score":
            kept = self.failures if row.outcome == "failure" else self.skipped
            kept[side] += 1

    def take(
        self, places: tuple[int, int], rows: tuple[OutcomeRow, OutcomeRow], case: int, evidence: Hashable
    ) -> None:
        """Take a pair of scores of a case. evidence: what all that depends on each other has in common."""
        self.pairs.add(*places, case)
        self.same += rows[0].id == rows[1].id
        last = len(self.pairs) - 1
        for side, row in enumerate(rows):
            self.total[side] += row.score or 0.0
            self.passed[side] += row.passed is True
        flip = self.pairs.flip(last)
        self.flips[flip] += 1
        place = self.places.setdefault(evidence, len(self.moved))
        if place == len(self.moved):
            self.moved.append(0.0)
            self.turned.append(0.0)
            self.sizes.append(0)
        self.moved[place] += self.pairs.delta(last)
        self.turned[place] += _TURNS[flip]
        self.sizes[place] += 1

    @property
    def groups(self) -> list[Group]:
        """The differences, one piece of evidence after the other."""
        return list(zip(self.moved, self.sizes, strict=True))

    @property
    def measures(self) -> list[list[Group]]:
        """What may have changed: the scores and, where it is not the same, whether they pass."""
        found = [self.groups]
        return (
            found if self.turned == self.moved else [*found, list(zip(self.turned, self.sizes, strict=True))]
        )


class _Sides:
    """The outcomes of two sides, and what was found in them so far, by metric."""

    def __init__(self, a: RunOutcomes, b: RunOutcomes) -> None:
        self._rows = a, b
        self._names: list[str] = []
        self.found: dict[str, _MetricSoFar] = {}

    @property
    def cases(self) -> int:
        """How many cases were taken so far."""
        return len(self._names)

    def pairs(self) -> ScoredPairs:
        """Return an empty list of pairs of the two sides."""
        return ScoredPairs(*self._rows, self._names)

    def take(self, a: SubjectRow, b: SubjectRow, evidence: Hashable) -> None:
        """Take the outcomes of one case on both sides. evidence: what pairs that say nothing new share."""
        first, second = self._rows
        self._names.append(b.name)
        others = {(row.metric, row.exchange): (place, row) for place, row in _outcomes(second, b.session_id)}
        for place, row in _outcomes(first, a.session_id):
            kept = self._of(row.metric)
            kept.count(0, row)
            place_b, other = others.pop((row.metric, row.exchange), (0, None))
            if other is None:
                kept.only[0] += row.outcome == "score"
                continue
            kept.count(1, other)
            if row.score is not None and other.score is not None:
                kept.take((place, place_b), (row, other), len(self._names) - 1, evidence)
        self._take_alone(1, (row for _, row in others.values()))

    def take_alone(self, side: int, session_id: int) -> None:
        """Take the outcomes of a session that is no case of the other side."""
        self._take_alone(side, (row for _, row in _outcomes(self._rows[side], session_id)))

    def _take_alone(self, side: int, rows: Iterable[OutcomeRow]) -> None:
        for row in rows:
            kept = self._of(row.metric)
            kept.count(side, row)
            kept.only[side] += row.outcome == "score"

    def _of(self, metric: str) -> _MetricSoFar:
        if metric not in self.found:
            self.found[metric] = _MetricSoFar(self.pairs())
        return self.found[metric]


def _outcomes(rows: RunOutcomes, session_id: int) -> Iterable[tuple[int, OutcomeRow]]:
    return ((place, rows[place]) for place in rows.of_session(session_id))


def compare(store: Store, a: Side, b: Side, metric: str = "", *, by: str = "") -> RunComparison:
    """Compare two sides, by all metrics or by one that is named whole or by a part that no other has.

    by: within which groups of B's sessions too, such as meta.language. A hundred thousand scores a side take
    a second or two. Raises NotFoundError for a metric that neither has, SettingError for groups that mean
    nothing or are too many.
    """
    rows = store.run_outcomes.of(a.run.id), store.run_outcomes.of(b.run.id)
    sides = _Sides(*rows)
    judged = a.judged(store), b.judged(store)
    matched = pair_subjects(*judged)
    groups_of = _groups_of(store, by)
    scenarios = _groups_of(store, "scenario")
    groups: dict[str, _Sides] = {}
    for first, second in matched:
        evidence = _evidence(second, scenarios)
        sides.take(first, second, evidence)
        for group in groups_of.get(second.session_id, ()):
            if group not in groups:
                groups[group] = _Sides(*rows)
            groups[group].take(first, second, evidence)
    _require_few(by, groups)
    taken = {row.session_id for row, _ in matched}, {row.session_id for _, row in matched}
    for side in (0, 1):
        for subject in judged[side]:
            if subject.session_id not in taken[side]:
                sides.take_alone(side, subject.session_id)
    found = sides.found
    # What was scored on one side only comes last.
    chosen = (
        [_named(metric, list(found))] if metric else sorted(found, key=lambda name: not found[name].pairs)
    )
    pairs = sides.pairs()
    for name in chosen:
        pairs.extend(found[name].pairs)
        found[name].pairs.sort()
    pairs.sort()
    within = [
        (group, name, of.found[name])
        for group, of in sorted(groups.items(), key=lambda one: (-one[1].cases, one[0]))
        for name in chosen
        if name in of.found
    ]
    told = _changes([(name, of) for _, name, of in within])
    return RunComparison(
        a=a,
        b=b,
        metrics=_changes([(name, found[name]) for name in chosen]),
        pairs=pairs,
        by_metric={name: found[name].pairs for name in chosen},
        cases=len(matched),
        only_a=len(judged[0]) - len(matched),
        only_b=len(judged[1]) - len(matched),
        target_a=_only_target(judged[0]),
        target_b=_only_target(judged[1]),
        groups={
            group: tuple(change for _, change in changes)
            for group, changes in groupby(zip(within, told, strict=True), key=lambda one: one[0][0])
        },
        changed=judging_changes(store, a.run, b.run),
        prompts_apart=differing_prompts(
            store, ((one.session_id, other.session_id) for one, other in matched)
        ),
    )


def _evidence(row: SubjectRow, scenarios: Mapping[int, Sequence[str]]) -> Hashable:
    """Return what a session has in common with those that say nothing new beside it.

    The answers of several targets, or repeated ones, to one case of a suite; the sessions of one scenario.
    """
    if row.suite:
        return row.suite, row.given, row.vars, row.place, row.opening if row.place < 0 else ""
    scenario = next(filter(None, scenarios.get(row.session_id, ())), "")
    return scenario or row.session_id


def _changes(found: Sequence[tuple[str, _MetricSoFar]]) -> tuple[MetricChange, ...]:
    """Return how metrics changed, with what their p-values count for among all that are compared."""
    changes = [_metric_change(name, of) for name, of in found]
    compared = [place for place, change in enumerate(changes) if change.pairs]
    counted = adjusted(
        [changes[place].p_value for place in compared],
        [_least_chance(found[place][1]) for place in compared],
    )
    for place, chance in zip(compared, counted, strict=True):
        changes[place] = replace(changes[place], adjusted=chance)
    return tuple(changes)


def _groups_of(store: Store, by: str) -> dict[int, list[str]]:
    """Return the groups that each session is in; none where nothing is grouped."""
    found: dict[int, list[str]] = {}
    for session, group in store.sessions.groups(by) if by else ():
        found.setdefault(session, []).append(group)
    return found


def _require_few(by: str, groups: Mapping[str, object]) -> None:
    if len(groups) > MOST_GROUPS:
        raise SettingError(
            f"{by} makes {len(groups):,} groups of these sessions",
            detail=f"At most {MOST_GROUPS} are compared.",
            next_step="Group by something that many sessions have in common.",
        )


def _only_target(subjects: Sequence[SubjectRow]) -> str:
    targets = {row.target for row in subjects}
    return targets.pop() if len(targets) == 1 else ""


def _metric_change(metric: str, found: _MetricSoFar) -> MetricChange:
    count = len(found.pairs)
    groups = found.groups
    low, high = mean_interval(groups)
    measures = found.measures
    passes_low, passes_high = mean_interval(measures[-1])
    chances = [chance_of_mean(one, 0.0) for one in measures]
    # Two chances to seem certain count twice.
    chance = min(1.0, min(chances) * len(measures))
    least = chances.index(min(chances))
    telling = mean_of(measures[least])
    needed = [
        more
        for one, enough in zip(measures, (_says_enough, _has_direction), strict=False)
        if (more := more_needed(one, enough)) is not None
    ]
    return MetricChange(
        metric=metric,
        pairs=count,
        cases=len(groups),
        mean_a=found.total[0] / count if count else nan,
        mean_b=found.total[1] / count if count else nan,
        delta=mean_of(groups) if count else nan,
        low=low,
        high=high,
        passes_low=passes_low,
        passes_high=passes_high,
        p_value=chance,
        adjusted=chance,
        direction=(telling > 0) - (telling < 0),
        by_passes=least > 0,
        more=min(needed, default=None),
        passed_a=found.passed[0],
        passed_b=found.passed[1],
        newly_failed=found.flips["failed"],
        newly_passed=found.flips["passed"],
        only_a=found.only[0],
        only_b=found.only[1],
        failures_a=found.failures[0],
        failures_b=found.failures[1],
        skipped_a=found.skipped[0],
        skipped_b=found.skipped[1],
        same=found.same,
    )


def _least_chance(found: _MetricSoFar) -> float:
    """Return how small the p-value would be, had all that moved moved in one direction."""
    measures = found.measures
    return len(measures) * min(
        chance_of_mean([(abs(total), size) for total, size in one], 0.0) for one in measures
    )


def _has_direction(low: float, high: float) -> bool:
    return low > 0 or high < 0


def _says_enough(low: float, high: float) -> bool:
    return _has_direction(low, high) or high - low <= NARROW


def _named(text: str, known: Sequence[str]) -> str:
    found = meant_metric(text, known)
    if len(found) == 1:
        return found[0]
    near = near_name(text, known)
    raise NotFoundError(
        f"{text} could be {' or '.join(found)}" if found else f"Neither run was judged by {text}",
        detail=f"They were judged by: {', '.join(known)}" if known else "They have no outcomes",
        next_step=f"Did you mean {near}?" if near and not found else "",
    )
