"""Many comparisons: p-values that count for less the more is looked at."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.people.statistics.many_comparisons import FALSE_SHARE, adjusted

chances = st.lists(st.floats(0, 1, allow_nan=False), max_size=30)


def test_one_comparison_counts_as_it_is() -> None:
    assert adjusted([0.03]) == [0.03]
    assert adjusted([]) == []


@given(chances)
def test_none_counts_for_more_than_alone_and_the_order_stays(given: list[float]) -> None:
    found = adjusted(given)
    assert all(one <= told + 1e-12 and told <= 1 for one, told in zip(given, found, strict=True))
    by_chance = sorted(zip(given, found, strict=True))
    assert [told for _, told in by_chance] == pytest.approx(sorted(found))


@given(st.lists(st.floats(0, 1, allow_nan=False), min_size=1, max_size=30))
def test_they_are_those_of_scipy(given: list[float]) -> None:
    stats = pytest.importorskip("scipy.stats")
    assert adjusted(given) == pytest.approx(list(stats.false_discovery_control(given)), abs=1e-12)


def test_where_nothing_changed_next_to_nothing_is_called_certain() -> None:
    draw = random.Random(2)
    wrong = sum(min(adjusted([draw.random() for _ in range(40)])) <= FALSE_SHARE for _ in range(1000))
    assert wrong < 75
