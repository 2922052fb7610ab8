"""Corrected rates: what people would pass, from what a judge passed and how often it is right.

corrected_rate(0.7, tpr=0.9, tnr=0.8)
low, high = corrected_rate_interval((90, 100), (40, 50), (700, 1000))
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan, sqrt
from statistics import NormalDist


def corrected_rate(observed: float, tpr: float, tnr: float) -> float:
    """Return the true pass rate, cut to 0..1, of what a judge passed at the rate `observed`.

    tpr, tnr: how often the judge is right about what people pass and fail, 0 to 1. nan where one of the
    three is nan, and where tpr + tnr is 1 or less: such a judge tells nothing apart.
    Source: Rogan and Gladen, Estimating Prevalence from the Results of a Screening Test (1978).
    """
    told_apart = tpr + tnr - 1
    if isnan(observed) or isnan(told_apart) or told_apart <= 0:
        return nan
    return min(1.0, max(0.0, (observed + tnr - 1) / told_apart))


Count = tuple[int, int]
"""A part and its whole."""


def corrected_rate_interval(
    people_passed: Count, people_failed: Count, observed: Count, *, level: float = 0.95
) -> tuple[float, float]:
    """Return the interval of a corrected rate, within 0 to 1; (nan, nan) where one of the counts is of none.

    The counts: of what people passed how many the judge passed, of what people failed how many it failed, and
    of all sessions how many it passed. It reaches over two intervals: that of Lang and Reiczigel, Confidence
    limits for prevalence of disease adjusted for estimated sensitivity and specificity (2014), which is too
    sure of judges that pass or fail nearly everything, and the rates that a test would not refuse, by
    Fieller, Some Problems in Interval Estimation (1954), which alone is too sure of five sessions. How often
    it holds, docs/explanation/figures.md tells.
    """
    if not (people_passed[1] and people_failed[1] and observed[1]):
        return nan, nan
    z = NormalDist().inv_cdf((1 + level) / 2)
    tpr, tnr = _with_more(people_passed, 1.0), _with_more(people_failed, 1.0)
    if tpr.value + tnr.value <= 1:
        return 0.0, 1.0
    first = _by_its_spread(tpr, tnr, _with_more(observed, z * z / 2), z)
    second = _not_refused(tpr, tnr, _with_more(observed, 1.0), z)
    return max(0.0, min(first[0], second[0])), min(1.0, max(first[1], second[1]))


@dataclass(frozen=True, slots=True)
class _Share:
    """A share, and the variance of it."""

    value: float
    variance: float


def _with_more(count: Count, more: float) -> _Share:
    """Return a share with so much added to the part and to the rest."""
    part, whole = count[0] + more, count[1] + 2 * more
    return _Share(part / whole, part * (whole - part) / whole**3)


def _by_its_spread(tpr: _Share, tnr: _Share, observed: _Share, z: float) -> tuple[float, float]:
    rate = corrected_rate(observed.value, tpr.value, tnr.value)
    passing, failing = rate * tpr.variance, (1 - rate) * tnr.variance
    middle = rate + 2 * z * z * (passing - failing)
    spread = sqrt(observed.variance + rate * passing + (1 - rate) * failing)
    half = z * spread / (tpr.value + tnr.value - 1)
    return middle - half, middle + half


def _not_refused(tpr: _Share, tnr: _Share, observed: _Share, z: float) -> tuple[float, float]:
    """Return the ends of the rates at which what was observed is no surprise: a quadratic that is below 0."""
    told_apart, above = tpr.value + tnr.value - 1, observed.value + tnr.value - 1
    square = told_apart**2 - z * z * (tpr.variance + tnr.variance)
    linear = 2 * (z * z * tnr.variance - told_apart * above)
    constant = above**2 - z * z * (observed.variance + tnr.variance)
    # Where the rate lies outside of 0 to 1 and is surely not inside, the nearest end stands for it.
    rate = corrected_rate(observed.value, tpr.value, tnr.value)
    held = [rate, *(float(end) for end in (0, 1) if end * (square + linear) + constant <= 0)]
    under = linear**2 - 4 * square * constant
    if under >= 0 and square:
        held += [(-linear + sign * sqrt(under)) / (2 * square) for sign in (-1, 1)]
    inside = [end for end in held if 0 <= end <= 1]
    return min(inside), max(inside)
