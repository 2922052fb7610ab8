"""Ranks, and what can be told from them: Spearman's correlation and the area under the curve."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan, sqrt


def ranks(values: Sequence[float]) -> list[float]:
    """Return the rank of each value from 1; equal values share the mean of their ranks."""
    order = sorted(range(len(values)), key=values.__getitem__)
    found = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for place in order[start : end + 1]:
            found[place] = (start + end) / 2 + 1
        start = end + 1
    return found


def pearson(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the linear correlation of two lists of one length, -1 to 1; nan where one does not vary.

    Raises ValueError for lists of different lengths.
    """
    if len(first) != len(second):
        raise ValueError(f"lists of {len(first)} and {len(second)} values cannot be correlated")
    if len(first) < 2:
        return nan
    mean_first, mean_second = sum(first) / len(first), sum(second) / len(second)
    apart_first = [value - mean_first for value in first]
    apart_second = [value - mean_second for value in second]
    spread = sqrt(sum(value * value for value in apart_first)) * sqrt(sum(v * v for v in apart_second))
    if not spread:
        return nan
    together = sum(a * b for a, b in zip(apart_first, apart_second, strict=True))
    return max(-1.0, min(1.0, together / spread))


def spearman(first: Sequence[float], second: Sequence[float]) -> float:
    """Return Spearman's rank correlation, -1 to 1: the linear correlation of the ranks, ties shared.

    nan where one list does not vary. Raises ValueError for lists of different lengths.
    """
    return pearson(ranks(first), ranks(second))


def area_under_curve(scores: Sequence[float], positive: Sequence[bool]) -> float:
    """Return how often a positive case scores above a negative one, 0 to 1; a tie counts half.

    This is the area under the ROC curve (Mann-Whitney's U over the number of pairs); nan where one kind is
    absent. Raises ValueError for lists of different lengths.
    """
    if len(scores) != len(positive):
        raise ValueError(f"{len(scores)} scores and {len(positive)} truths cannot be compared")
    yes = sum(map(bool, positive))
    no = len(positive) - yes
    if not yes or not no:
        return nan
    ranked = sum(rank for rank, holds in zip(ranks(scores), positive, strict=True) if holds)
    return (ranked - yes * (yes + 1) / 2) / (yes * no)
