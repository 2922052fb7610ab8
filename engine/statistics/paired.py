"""Paired samples: the same things measured twice, and how far their mean moved."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan, sqrt
from statistics import NormalDist

from turnwise.engine.statistics.bootstrap import bootstrap_interval

DRAWN_UP_TO = 1000
"""Groups: of more, a bootstrap's means are so nearly normal that drawing them would only cost time."""

Group = tuple[float, int]
"""The differences that belong together, such as the turns of one conversation: their sum, and how many."""


def mean_interval(groups: Sequence[Group], *, level: float = 0.95) -> tuple[float, float]:
    """Return the interval of the mean difference over all groups, each of at least one difference.

    Whole groups are drawn again, because differences within one depend on each other. Up to DRAWN_UP_TO
    groups it is the percentile bootstrap interval; for more, the normal one that it comes close to, by the
    variance of a ratio (Cochran, Sampling Techniques, 1977, chapter 6). (nan, nan) for fewer than two.
    """
    if len(groups) < 2:
        return nan, nan
    if len(groups) <= DRAWN_UP_TO:
        return bootstrap_interval(groups, mean_of, level=level)
    mean = mean_of(groups)
    count = sum(size for _, size in groups)
    deviation = sqrt(sum((total - mean * size) ** 2 for total, size in groups)) / count
    reach = NormalDist().inv_cdf((1 + level) / 2) * deviation
    return mean - reach, mean + reach


def mean_of(groups: Sequence[Group]) -> float:
    """Return the mean difference over all groups."""
    total, count = 0.0, 0
    for part, size in groups:
        total += part
        count += size
    return total / count
