"""Krippendorff's alpha: the published example, and another way of computing it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from itertools import permutations
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.people.statistics.rater_agreement import alpha_of_patterns

# Krippendorff (2011), section C: twelve units, four observers, some of whom left units out.
PUBLISHED = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def krippendorff_alpha(items: Iterable[Iterable[Hashable | None]]) -> float:
    """Alpha of what the raters said of each item, None where one said nothing."""
    given = [Counter(value for value in item if value is not None) for item in items]
    categories = list(dict.fromkeys(value for counts in given for value in counts))
    return alpha_of_patterns(Counter(tuple(counts[value] for value in categories) for counts in given))


def by_coincidences(items: list[list[int | None]]) -> float | None:
    """Alpha by the matrix of coincidences, pair by pair: the way the paper writes it down."""
    matrix: Counter[tuple[int, int]] = Counter()
    for item in items:
        ratings = [value for value in item if value is not None]
        for pair in permutations(ratings, 2):
            matrix[pair] += 1 / (len(ratings) - 1)  # type: ignore[assignment]
    margins: Counter[int] = Counter()
    for (first, _), weight in matrix.items():
        margins[first] += weight
    total = sum(margins.values())
    observed = sum(weight for (first, second), weight in matrix.items() if first != second)
    expected = sum(margins[a] * margins[b] for a in margins for b in margins if a != b)
    return None if not expected else 1 - (total - 1) * observed / expected


def test_the_published_example() -> None:
    items = list(zip(*PUBLISHED, strict=True))
    assert krippendorff_alpha(items) == pytest.approx(0.743, abs=5e-4)


@given(st.lists(st.lists(st.none() | st.integers(0, 3), max_size=5), max_size=25))
def test_alpha_is_that_of_the_coincidences(items: list[list[int | None]]) -> None:
    expected = by_coincidences(items)
    found = krippendorff_alpha(items)
    if expected is None:
        assert isnan(found)
    else:
        assert found == pytest.approx(expected, abs=1e-9)


def test_without_two_ratings_of_an_item_or_two_categories_there_is_none() -> None:
    assert isnan(krippendorff_alpha([]))
    assert isnan(krippendorff_alpha([["pass", None], ["fail"]]))
    assert isnan(krippendorff_alpha([["pass", "pass"], ["pass", "pass"]]))


def test_full_agreement_is_one() -> None:
    assert krippendorff_alpha([["pass", "pass"], ["fail", "fail", None]]) == 1.0


def test_patterns_that_no_item_has_change_nothing() -> None:
    assert alpha_of_patterns({(2, 0): 3, (1, 1): 1, (0, 2): 0}) == alpha_of_patterns({(2, 0): 3, (1, 1): 1})
