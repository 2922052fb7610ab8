"""Bootstrap intervals: repeatable, around the statistic, narrower with more items."""

from __future__ import annotations

from math import isnan, nan
from statistics import fmean

from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.people.statistics.intervals import bootstrap_interval


@given(st.lists(st.floats(-1e6, 1e6, allow_nan=False), min_size=1, max_size=30))
def test_an_interval_lies_within_the_items_and_is_the_same_each_time(items: list[float]) -> None:
    low, high = bootstrap_interval(items, fmean, samples=50)
    assert min(items) - 1e-3 <= low <= high <= max(items) + 1e-3
    assert (low, high) == bootstrap_interval(items, fmean, samples=50)


def test_more_items_make_it_narrower() -> None:
    few = bootstrap_interval([0.0, 1.0] * 5, fmean)
    many = bootstrap_interval([0.0, 1.0] * 200, fmean)
    assert many[1] - many[0] < (few[1] - few[0]) / 3


def test_an_interval_of_a_mean_covers_what_the_normal_formula_does() -> None:
    low, high = bootstrap_interval([0.0, 1.0] * 200, fmean)
    assert abs(low - (0.5 - 1.96 * 0.025)) < 0.01
    assert abs(high - (0.5 + 1.96 * 0.025)) < 0.01


def test_without_items_there_is_no_interval() -> None:
    assert all(map(isnan, bootstrap_interval([], fmean)))
    assert all(map(isnan, bootstrap_interval([1.0], lambda _: nan)))
