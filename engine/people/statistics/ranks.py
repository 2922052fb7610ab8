"""Ranks, and what they tell: Spearman's correlation and the area under the curve, with intervals."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import isnan, nan, sqrt
from operator import mul
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

    def correlations(weights: Sequence[float], unseen: Sequence[float]) -> _Ends:
        ranked = [
            {place: _weighed_ranks(order, weights, unseen[0], place) for place in (-1, 1)} for order in orders
        ]
        weighed = [*weights, unseen[0]]
        against, along = (
            [_weighed_pearson(ranked[0][one], ranked[1][other], weighed) for one, other in places]
            for places in corners
        )
        return min(against), max(along)

    return _drawn_ends(len(first), evidence, correlations)


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
    yes_places = [[place for place in tied if positive[place]] for tied in order]
    no_places = [[place for place in tied if not positive[place]] for tied in order]

    def area(weights: Sequence[float], unseen: Sequence[float]) -> _Ends:
        weight_of = weights.__getitem__
        ranked = above = below = 0.0
        for yes, no in zip(yes_places, no_places, strict=True):
            positives, negatives = sum(map(weight_of, yes)), sum(map(weight_of, no))
            ranked += positives * (below + negatives / 2)
            below += negatives
            above += positives
        one, other = unseen
        # At the wrong ends the unseen cases win none of their pairs, at the right ones all.
        whole = (above + one) * (below + other)
        won = ranked + above * other + one * (below + other)
        return ranked / whole, min(1.0, won / whole)

    return _drawn_ends(len(scores), evidence, area)


_Ends = tuple[float, float]
_Statistic = Callable[[Sequence[float], Sequence[float]], _Ends]
"""What a statistic comes to at both ends, by the weights of what was seen and of what was not."""


def _drawn_ends(count: int, evidence: Sequence[Hashable] | None, statistic: _Statistic) -> _Ends:
    draw = Random(20)
    kinds = list(range(count)) if evidence is None else list(evidence)
    pieces = dict.fromkeys(kinds)
    # What was not seen is a piece of evidence too, of the mean size.
    size = count / len(pieces)
    found = []
    for _ in range(DRAWS):
        weight = {piece: draw.expovariate(1.0) for piece in pieces}
        weights = [weight[kind] for kind in kinds]
        found.append(statistic(weights, [draw.expovariate(1.0) * size for _ in range(2)]))
    return ends((low for low, _ in found), (high for _, high in found))


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
    mean_first = sum(map(mul, first, weights)) / whole
    mean_second = sum(map(mul, second, weights)) / whole
    apart = [value - mean_first for value in first]
    far = [value - mean_second for value in second]
    weighed_apart, weighed_far = list(map(mul, apart, weights)), map(mul, far, weights)
    together: float = sum(map(mul, weighed_apart, far))
    spread = sqrt(sum(map(mul, weighed_apart, apart)) * sum(map(mul, weighed_far, far)))
    return max(-1.0, min(1.0, together / spread))
