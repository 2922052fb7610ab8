"""Bootstrap intervals: repeatable, around the statistic, narrower with more items."""

from __future__ import annotations

import random
from math import isnan, nan
from statistics import fmean, pvariance

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.people.statistics.intervals import (
    bootstrap_interval,
    bootstrap_interval_of_counts,
    draw_binomial,
    draw_counts,
)


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


@given(st.integers(0, 1000), st.floats(0, 1), st.integers(0, 99))
def test_a_drawn_number_of_successes_is_possible(trials: int, chance: float, seed: int) -> None:
    came = draw_binomial(random.Random(seed), trials, chance)
    assert 0 <= came <= trials
    assert draw_binomial(random.Random(seed), trials, 0.0) == 0
    assert draw_binomial(random.Random(seed), trials, 1.0) == trials


def test_drawn_successes_have_the_mean_and_spread_of_a_binomial() -> None:
    draw = random.Random(1)
    for trials, chance in [(10, 0.3), (100, 0.05), (5000, 0.7)]:
        found = [draw_binomial(draw, trials, chance) for _ in range(4000)]
        variance = trials * chance * (1 - chance)
        assert abs(fmean(found) - trials * chance) < 5 * (variance / 4000) ** 0.5
        assert 0.85 < pvariance(found) / variance < 1.15


@given(st.lists(st.integers(0, 200), min_size=1, max_size=5), st.integers(0, 99))
def test_counts_drawn_again_are_as_many_and_only_of_kinds_there_are(counts: list[int], seed: int) -> None:
    drawn = draw_counts(random.Random(seed), counts)
    assert sum(drawn) == sum(counts)
    assert all(came == 0 for came, count in zip(drawn, counts, strict=True) if not count)


def test_an_interval_of_counts_is_that_of_the_items() -> None:
    by_item = bootstrap_interval([0.0] * 60 + [1.0] * 140, fmean, samples=4000)
    by_count = bootstrap_interval_of_counts([[60, 140]], lambda groups: groups[0][1] / 200, samples=4000)
    assert by_count == pytest.approx(by_item, abs=0.01)


def test_an_empty_group_has_no_interval() -> None:
    assert all(map(isnan, bootstrap_interval_of_counts([[1, 2], []], lambda _: 1.0)))
    assert all(map(isnan, bootstrap_interval_of_counts([[1, 2], [0, 0]], lambda _: 1.0)))
