"""Intervals: how sure a share is (Wilson), and any statistic (bootstrap)."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import isnan, nan, sqrt
from statistics import NormalDist
from typing import TypeVar

T = TypeVar("T")

SAMPLES = 1000
_FEW = 16
"""Up to this many trials are drawn one by one."""


def wilson(successes: int, trials: int, *, level: float = 0.95) -> tuple[float, float]:
    """Return the Wilson score interval of a share, within 0 to 1; (nan, nan) without trials.

    Source: Wilson, Probable Inference, the Law of Succession, and Statistical Inference (1927), without
    correction for continuity. Raises ValueError where there are more successes than trials, or fewer than 0.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes in {trials} trials")
    if not trials:
        return nan, nan
    z = NormalDist().inv_cdf((1 + level) / 2)
    found = successes / trials
    scale = 1 + z * z / trials
    middle = (found + z * z / (2 * trials)) / scale
    apart = z / scale * sqrt(found * (1 - found) / trials + z * z / (4 * trials * trials))
    # At the ends the formula gives 0 and 1 but for rounding.
    low = 0.0 if successes == 0 else middle - apart
    high = 1.0 if successes == trials else middle + apart
    return low, high


def bootstrap_interval(
    items: Sequence[T],
    statistic: Callable[[Sequence[T]], float],
    *,
    level: float = 0.95,
    samples: int = SAMPLES,
    seed: int = 20,
) -> tuple[float, float]:
    """Return the percentile bootstrap interval of a statistic of independent items.

    Items are drawn with replacement, so what belongs together (a pair of scores) is one item. The same
    items and seed give the same interval. Samples in which the statistic is nan are left out; (nan, nan)
    where it is so in most. Source: Efron and Tibshirani, An Introduction to the Bootstrap (1993), chapter 13.
    """
    draw = random.Random(seed)
    found = sorted(
        value
        for _ in range(samples if items else 0)
        if not isnan(value := statistic(draw.choices(items, k=len(items))))
    )
    return _percentiles(found, samples, level)


def bootstrap_interval_of_counts(
    groups: Sequence[Sequence[int]],
    statistic: Callable[[Sequence[Sequence[int]]], float],
    *,
    level: float = 0.95,
    samples: int = SAMPLES,
    seed: int = 20,
) -> tuple[float, float]:
    """Return the percentile bootstrap interval of a statistic of items that are only of a few kinds.

    groups: per independent group how many of its items are of each kind; each group is drawn again by itself
    and keeps its size. The same as `bootstrap_interval` of the items, but the time it takes hardly grows
    with their number.
    """
    draw = random.Random(seed)
    found = sorted(
        value
        for _ in range(samples if all(map(sum, groups)) else 0)
        if not isnan(value := statistic([draw_counts(draw, counts) for counts in groups]))
    )
    return _percentiles(found, samples, level)


def draw_counts(draw: random.Random, counts: Sequence[int]) -> list[int]:
    """Draw as many items again, with replacement, and return how many of each kind came."""
    left, whole = sum(counts), sum(counts)
    drawn = []
    for count in counts:
        came = draw_binomial(draw, left, count / whole) if whole else 0
        drawn.append(came)
        left, whole = left - came, whole - count
    return drawn


def draw_binomial(draw: random.Random, trials: int, chance: float) -> int:
    """Return how many of so many trials succeed, each with this chance from 0 to 1.

    For many trials the middle one of as many sorted random numbers is drawn, which tells how half of them
    came out. Source: Devroye, Non-Uniform Random Variate Generation (1986), section X.4.3.
    """
    successes = 0
    while trials > _FEW and 0.0 < chance < 1.0:
        below = trials // 2
        middle = draw.betavariate(below + 1, trials - below)
        if middle < chance:
            successes += below + 1
            trials, chance = trials - below - 1, (chance - middle) / (1 - middle)
        else:
            trials, chance = below, chance / middle
    if chance <= 0.0 or chance >= 1.0:
        return successes + (trials if chance >= 1.0 else 0)
    return successes + sum(draw.random() < chance for _ in range(trials))


def _percentiles(found: Sequence[float], samples: int, level: float) -> tuple[float, float]:
    """Return the percentile interval of sorted values; (nan, nan) where most samples have no value."""
    if len(found) * 2 <= samples:
        return nan, nan
    tail = (1 - level) / 2
    return _quantile(found, tail), _quantile(found, 1 - tail)


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Return a quantile of sorted values, interpolated linearly between the two nearest."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)
