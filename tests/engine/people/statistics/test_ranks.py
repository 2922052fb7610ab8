"""Ranks: shared by ties, and correlations that agree with scipy and scikit-learn where they are there."""

from __future__ import annotations

import random
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.people.statistics.ranks import (
    area_interval,
    area_under_curve,
    pearson,
    ranks,
    spearman,
    spearman_interval,
)

_PAIRS = st.lists(
    st.tuples(st.integers(0, 8).map(float), st.floats(-1e3, 1e3, allow_nan=False).map(lambda x: round(x, 3))),
    min_size=3,
    max_size=60,
)


def test_equal_values_share_the_mean_of_their_ranks() -> None:
    assert ranks([10, 20, 20, 5]) == [2, 3.5, 3.5, 1]
    assert ranks([]) == []


def test_spearman_sees_order_and_not_distance() -> None:
    assert spearman([1, 2, 3, 100], [1, 4, 9, 16]) == pytest.approx(1)
    assert spearman([1, 2, 3], [3, 2, 1]) == pytest.approx(-1)


def test_what_does_not_vary_has_no_correlation() -> None:
    assert isnan(spearman([1, 1, 1], [1, 2, 3]))
    assert isnan(spearman([1], [2]))


def test_lists_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="2 and 1"):
        pearson([1, 2], [1])
    with pytest.raises(ValueError, match="1 scores and 2 truths"):
        area_under_curve([1], [True, False])


def test_the_area_is_the_share_of_pairs_in_the_right_order() -> None:
    assert area_under_curve([0.1, 0.4, 0.35, 0.8], [False, False, True, True]) == pytest.approx(0.75)
    assert area_under_curve([0.5, 0.5], [False, True]) == pytest.approx(0.5)
    assert isnan(area_under_curve([0.5, 0.6], [True, True]))


@given(_PAIRS)
def test_spearman_agrees_with_scipy(pairs: list[tuple[float, float]]) -> None:
    stats = pytest.importorskip("scipy.stats")
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    ours = spearman(first, second)
    if len(set(first)) < 2 or len(set(second)) < 2:
        assert isnan(ours)
        return
    assert ours == pytest.approx(float(stats.spearmanr(first, second).statistic), abs=1e-9)


@given(_PAIRS)
def test_the_area_agrees_with_scikit_learn(pairs: list[tuple[float, float]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    scores, truths = [b for _, b in pairs], [a > 3 for a, _ in pairs]
    if len(set(truths)) < 2:
        return
    assert area_under_curve(scores, truths) == pytest.approx(
        float(metrics.roc_auc_score(truths, scores)), abs=1e-9
    )


def test_intervals_hold_the_figure_and_narrow_with_more() -> None:
    draw = random.Random(2)
    widths = []
    for count in (8, 30, 120):
        first = [draw.random() for _ in range(count)]
        second = [value + draw.gauss(0, 0.3) for value in first]
        low, high = spearman_interval(first, second)
        assert -1 <= low < spearman(first, second) < high <= 1
        passed = [value > draw.random() for value in second]
        least, most = area_interval(first, passed)
        assert 0 <= least < area_under_curve(first, passed) < most <= 1
        widths.append((high - low, most - least))
    assert widths == sorted(widths, reverse=True)


def test_perfect_order_of_a_few_is_no_proof_of_it() -> None:
    low, high = area_interval([0.1, 0.2, 0.8, 0.9], [False, False, True, True])
    assert low < 0.5
    assert high > 0.99
    assert spearman_interval([1, 2, 3, 4], [1, 2, 3, 4])[0] < 0.5


def test_cases_that_say_nothing_new_make_no_interval_narrower() -> None:
    draw = random.Random(7)
    first = [draw.random() for _ in range(20)]
    second = [value + draw.gauss(0, 0.3) for value in first]
    once = spearman_interval(first, second)
    five = spearman_interval(first * 5, second * 5, [*range(20)] * 5)
    alone = spearman_interval(first * 5, second * 5)
    assert five == pytest.approx(once, abs=0.06)
    assert alone[1] - alone[0] < 0.7 * (five[1] - five[0])


def test_what_has_no_figure_has_no_interval() -> None:
    assert all(map(isnan, spearman_interval([1, 1], [1, 2])))
    assert all(map(isnan, area_interval([0.1, 0.2], [True, True])))
