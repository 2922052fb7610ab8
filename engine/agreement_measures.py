"""Measures of agreement: figures with their intervals, or a plain reason why there is none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from math import isnan
from typing import Any

from turnwise.engine.statistics.alpha import alpha_of_patterns
from turnwise.engine.statistics.bootstrap import bootstrap_interval_of_counts
from turnwise.engine.statistics.corrected import corrected_rate_of
from turnwise.engine.statistics.kappa import kappa_of
from turnwise.engine.statistics.rates import Confusion, share, wilson

NO_PAIRS = "no session has both a score and a label"


@dataclass(frozen=True, slots=True)
class Figure:
    """A number and its 95 % interval; None where it cannot be told, and then why, in plain words.

    A value may stand without an interval, where most samples drawn for it had none.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    why: str = ""

    def data(self) -> dict[str, Any]:
        """Return it as JSON-ready values."""
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """All that follows from a matrix of judge and people, and from how many sessions the judge passed.

    tpr, tnr, precision, pass_rate: shares, with Wilson intervals. f1, kappa, corrected_pass_rate: with
    bootstrap intervals. pass_rate is the judge's, over all `scored` sessions; the corrected one is what
    people would find.
    """

    matrix: Confusion
    passed: int
    scored: int
    tpr: Figure
    tnr: Figure
    precision: Figure
    f1: Figure
    kappa: Figure
    pass_rate: Figure
    corrected_pass_rate: Figure

    def data(self) -> dict[str, Any]:
        """Return the figures as JSON-ready values."""
        names = ("tpr", "tnr", "precision", "f1", "kappa", "pass_rate", "corrected_pass_rate")
        return {name: getattr(self, name).data() for name in names}


def measure(matrix: Confusion, passed: int, scored: int) -> Measures:
    """Return the measures of a matrix. passed: how many of `scored` sessions the judge passed.

    Takes some 50 ms, whatever the counts are.
    """
    none = NO_PAIRS if not matrix.total else ""
    nobody_passed = none or ("" if matrix.people_passed else "people passed none of them")
    nobody_failed = none or ("" if matrix.people_failed else "people failed none of them")
    told_nothing = "TPR and TNR add up to 1 or less: the judge tells nothing apart"
    return Measures(
        matrix=matrix,
        passed=passed,
        scored=scored,
        tpr=_share(matrix.true_pass, matrix.people_passed, nobody_passed),
        tnr=_share(matrix.true_fail, matrix.people_failed, nobody_failed),
        precision=_share(matrix.true_pass, matrix.judge_passed, none or "the judge passed none of them"),
        f1=_drawn([matrix.counts], _f1, none or "neither judge nor people passed any of them"),
        kappa=_drawn([matrix.counts], _kappa, none or _why_no_kappa(matrix)),
        pass_rate=_share(passed, scored, "no session has a score"),
        corrected_pass_rate=_drawn(
            [matrix.counts, (passed, scored - passed)],
            _corrected,
            nobody_passed or nobody_failed or told_nothing,
        ),
    )


def alpha_between(opinions: Iterable[Sequence[int]]) -> Figure:
    """Return Krippendorff's alpha between people, with its bootstrap interval.

    opinions: per session how many people pass it and how many fail it.
    """
    patterns = Counter(one for given in opinions if sum(one := tuple(given)) > 1)
    kinds = list(patterns)
    if not kinds:
        return Figure(None, why="no session was labelled by two people")
    return _drawn(
        [tuple(patterns.values())],
        lambda groups: alpha_of_patterns(dict(zip(kinds, groups[0], strict=True))),
        "all labels are the same",
    )


def _share(part: int, whole: int, why: str) -> Figure:
    return Figure(share(part, whole), *wilson(part, whole)) if whole else Figure(None, why=why)


def _drawn(
    groups: Sequence[Sequence[int]], statistic: Callable[[Sequence[Sequence[int]]], float], why: str
) -> Figure:
    value = statistic(groups)
    if isnan(value):
        return Figure(None, why=why)
    low, high = bootstrap_interval_of_counts(groups, statistic)
    return Figure(value) if isnan(low) else Figure(value, low, high)


def _f1(groups: Sequence[Sequence[int]]) -> float:
    return Confusion(*groups[0]).f1


def _kappa(groups: Sequence[Sequence[int]]) -> float:
    return kappa_of(Confusion(*groups[0]))


def _corrected(groups: Sequence[Sequence[int]]) -> float:
    passed, failed = groups[1]
    return corrected_rate_of(Confusion(*groups[0]), passed, passed + failed)


def _why_no_kappa(matrix: Confusion) -> str:
    return f"judge and people {'passed' if matrix.true_pass else 'failed'} all of them"
