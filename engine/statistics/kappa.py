"""Kappa: how far two raters agree beyond what chance would give."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from math import nan

from turnwise.engine.statistics.rates import Confusion


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """Return Cohen's kappa of two raters' categories, item by item: 1 at best, 0 as chance would have it.

    nan without items, and where both only ever use one and the same category. Raises ValueError for lists
    of different lengths. Source: Cohen, A Coefficient of Agreement for Nominal Scales (1960).
    """
    return kappa_of_counts(Counter(zip(first, second, strict=True)))


def kappa_of_counts(pairs: Mapping[tuple[Hashable, Hashable], int]) -> float:
    """Return Cohen's kappa, from how often each pair of categories was given."""
    total = sum(pairs.values())
    by_first: Counter[Hashable] = Counter()
    by_second: Counter[Hashable] = Counter()
    same = 0
    for (one, other), count in pairs.items():
        by_first[one] += count
        by_second[other] += count
        same += count * (one == other)
    # In whole numbers, so that a chance agreement of exactly 1 is seen as such.
    chance = sum(count * by_second[category] for category, count in by_first.items())
    if chance == total * total:
        return nan
    return (same * total - chance) / (total * total - chance)


def kappa_of(matrix: Confusion) -> float:
    """Return Cohen's kappa of a judge and people; nan where both only ever passed, or only ever failed."""
    pass_pass, pass_fail, fail_pass, fail_fail = matrix.counts
    return kappa_of_counts(
        {(1, 1): pass_pass, (1, 0): pass_fail, (0, 1): fail_pass, (0, 0): fail_fail},
    )
