"""Alpha: how far any number of raters agree, each of whom may have left items out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from math import nan

Pattern = tuple[int, ...]
"""How many raters gave an item each of the categories, in one order of categories."""


def krippendorff_alpha(items: Iterable[Iterable[Hashable | None]]) -> float:
    """Return Krippendorff's alpha for categories without order: 1 at best, 0 as chance would have it.

    items: what the raters said of each, None where one said nothing. Items with fewer than two ratings say
    nothing of agreement. nan where no item has two, and where all ratings are the same.
    Source: Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section C.
    """
    given = [Counter(value for value in item if value is not None) for item in items]
    categories = list(dict.fromkeys(value for counts in given for value in counts))
    return alpha_of_patterns(Counter(tuple(counts[value] for value in categories) for counts in given))


def alpha_of_patterns(patterns: Mapping[Pattern, int]) -> float:
    """Return Krippendorff's alpha, from how many items were rated in each pattern."""
    by_category: Counter[int] = Counter()
    disagreeing = 0.0
    for pattern, items in patterns.items():
        ratings = sum(pattern)
        if ratings < 2 or not items:
            continue
        for category, count in enumerate(pattern):
            by_category[category] += count * items
        # Each item weighs as many ratings as it has: its pairs are divided by the number of its others.
        pairs = ratings * ratings - sum(count * count for count in pattern)
        disagreeing += items * pairs / (ratings - 1)
    total = by_category.total()
    expected = total * total - sum(count * count for count in by_category.values())
    return 1 - (total - 1) * disagreeing / expected if expected else nan
