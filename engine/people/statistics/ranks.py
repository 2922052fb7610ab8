"""Ranks, and what they tell: Spearman's correlation and the area under the curve, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import isnan, nan, sqrt
from random import Random

from turnwise.engine.people.statistics.unseen import ends


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


DRAWS = 500


def spearman_interval(
    first: Sequence[float], second: Sequence[float], evidence: Sequence[Hashable] | None = None
) -> tuple[float, float]:
    """Return the 95 % interval of Spearman's correlation; (nan, nan) where it cannot be told.

    What was seen is weighed by chance, and one pair is added that nobody saw, at a corner, as
    `statistics/unseen.py` says. evidence: what each pair has in common with those that say nothing new
    beside it, which are weighed as one; None where all are new.
    """
    if isnan(spearman(first, second)):
        return nan, nan
    corners = [(-1, 1), (1, -1)], [(1, 1), (-1, -1)]
    orders = [_ties(values) for values in (first, second)]

    def correlation(weights: Sequence[float], unseen: float, places: tuple[int, int]) -> float:
        one, other = (
            _weighed_ranks(order, weights, unseen, place) for order, place in zip(orders, places, strict=True)
        )
        return _weighed_pearson(one, other, [*weights, unseen])

    def low(weights: Sequence[float], unseen: Sequence[float]) -> float:
        return min(correlation(weights, unseen[0], places) for places in corners[0])

    def high(weights: Sequence[float], unseen: Sequence[float]) -> float:
        return max(correlation(weights, unseen[0], places) for places in corners[1])

    return _drawn_ends(len(first), evidence, low, high)


def area_interval(
    scores: Sequence[float], positive: Sequence[bool], evidence: Sequence[Hashable] | None = None
) -> tuple[float, float]:
    """Return the 95 % interval of the area under the curve; (nan, nan) where one kind is absent.

    As `spearman_interval`, with one positive and one negative case that nobody saw: at the wrong ends for the
    low end of the interval, at the right ones for the high end.
    """
    if isnan(area_under_curve(scores, positive)):
        return nan, nan
    order = _ties(scores)

    def area(weights: Sequence[float], unseen: Sequence[float], *, are_right: bool) -> float:
        ranked = 0.0
        # At the right ends the unseen negative case lies below all others, at the wrong ones the positive.
        above, below = (0.0, unseen[1]) if are_right else (unseen[0], 0.0)
        for tied in order:
            yes = sum(weights[place] for place in tied if positive[place])
            no = sum(weights[place] for place in tied if not positive[place])
            ranked += yes * (below + no / 2)
            below += no
            above += yes
        if are_right:
            ranked += unseen[0] * below
            above += unseen[0]
        else:
            below += unseen[1]
        return min(1.0, ranked / (above * below))

    def low(weights: Sequence[float], unseen: Sequence[float]) -> float:
        return area(weights, unseen, are_right=False)

    def high(weights: Sequence[float], unseen: Sequence[float]) -> float:
        return area(weights, unseen, are_right=True)

    return _drawn_ends(len(scores), evidence, low, high)


_End = Callable[[Sequence[float], Sequence[float]], float]
"""What a statistic comes to at one end, by the weights of what was seen and of what was not."""


def _drawn_ends(
    count: int, evidence: Sequence[Hashable] | None, low: _End, high: _End
) -> tuple[float, float]:
    draw = Random(20)
    kinds = list(range(count)) if evidence is None else list(evidence)
    pieces = dict.fromkeys(kinds)
    # What was not seen is a piece of evidence too, of the mean size.
    size = count / len(pieces)
    lows, highs = [], []
    for _ in range(DRAWS):
        weight = {piece: draw.expovariate(1.0) for piece in pieces}
        weights = [weight[kind] for kind in kinds]
        unseen = [draw.expovariate(1.0) * size for _ in range(2)]
        lows.append(low(weights, unseen))
        highs.append(high(weights, unseen))
    return ends(lows, highs)


def _ties(values: Sequence[float]) -> list[list[int]]:
    """Return the places of values from the least to the greatest, those of equal ones together."""
    by_value: dict[float, list[int]] = {}
    for place, value in enumerate(values):
        by_value.setdefault(value, []).append(place)
    return [by_value[value] for value in sorted(by_value)]


def _weighed_ranks(
    order: Sequence[Sequence[int]], weights: Sequence[float], unseen: float, place: int
) -> list[float]:
    """Return how much weighs less than each value, ties shared; last that of the one at an end that was not
    seen: -1 for below all others, 1 for above.
    """
    below = unseen if place < 0 else 0.0
    found = [0.0] * (len(weights) + 1)
    for tied in order:
        whole = sum(weights[one] for one in tied)
        for one in tied:
            found[one] = below + whole / 2
        below += whole
    found[-1] = unseen / 2 if place < 0 else below + unseen / 2
    return found


def _weighed_pearson(first: Sequence[float], second: Sequence[float], weights: Sequence[float]) -> float:
    """Return the linear correlation of values that weigh differently, -1 to 1."""
    whole = sum(weights)
    mean_first = sum(value * weight for value, weight in zip(first, weights, strict=True)) / whole
    mean_second = sum(value * weight for value, weight in zip(second, weights, strict=True)) / whole
    together = spread_first = spread_second = 0.0
    for one, other, weight in zip(first, second, weights, strict=True):
        apart, far = one - mean_first, other - mean_second
        together += weight * apart * far
        spread_first += weight * apart * apart
        spread_second += weight * far * far
    return max(-1.0, min(1.0, together / sqrt(spread_first * spread_second)))
