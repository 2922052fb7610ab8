"""Means of bounded numbers: exact for yes and no, honest about what is rare, and of turns by conversation."""

from __future__ import annotations

import random
from math import isnan
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.people.statistics.bounded_means import (
    ROUNDED_FROM,
    Group,
    chance_of_mean,
    mean_interval,
    mean_of,
    more_needed,
)

differences = st.lists(st.floats(-1, 1, allow_nan=False), min_size=2, max_size=40)


def singles(items: list[float]) -> list[Group]:
    return [(item, 1) for item in items]


@given(differences)
def test_of_single_members_the_mean_is_the_plain_one(items: list[float]) -> None:
    assert mean_of(singles(items)) == pytest.approx(fmean(items), abs=1e-12)


@given(differences)
def test_the_interval_holds_the_mean_and_lies_within_the_ends(items: list[float]) -> None:
    low, high = mean_interval(singles(items))
    assert -1 <= low <= fmean(items) + 1e-9
    assert fmean(items) - 1e-9 <= high <= 1


@given(differences)
def test_the_other_direction_is_the_same_interval_mirrored(items: list[float]) -> None:
    low, high = mean_interval(singles(items))
    assert mean_interval(singles([-item for item in items])) == pytest.approx((-high, -low), abs=1e-4)


@given(differences)
def test_a_mean_is_improbable_where_the_interval_leaves_it_out(items: list[float]) -> None:
    low, high = mean_interval(singles(items))
    if low > 0.001 or high < -0.001:
        assert chance_of_mean(singles(items), 0.0) < 0.0505
    if low < -0.001 and high > 0.001:
        assert chance_of_mean(singles(items), 0.0) > 0.0495


@pytest.mark.parametrize(("passed", "count"), [(0, 5), (2, 5), (9, 10), (10, 20), (1, 50), (60, 200)])
def test_of_yes_and_no_it_is_the_exact_interval_of_scipy(passed: int, count: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    theirs = stats.binomtest(passed, count).proportion_ci(method="exact")
    ours = mean_interval(singles([1.0] * passed + [0.0] * (count - passed)), lowest=0.0, highest=1.0)
    assert ours == pytest.approx((theirs.low, theirs.high), abs=0.003)


def test_what_never_differed_may_still_differ_now_and_then() -> None:
    for count, most in ((5, 0.53), (20, 0.17), (200, 0.02)):
        low, high = mean_interval(singles([0.0] * count))
        assert -most < low < 0 < high < most


def test_of_many_it_comes_close_to_the_normal_interval() -> None:
    draw = random.Random(3)
    items = [max(-1.0, min(1.0, draw.gauss(0.05, 0.3))) for _ in range(ROUNDED_FROM + 500)]
    deviation = (sum((item - fmean(items)) ** 2 for item in items) / len(items) ** 2) ** 0.5
    reach = 1.96 * deviation
    assert mean_interval(singles(items)) == pytest.approx(
        (fmean(items) - reach, fmean(items) + reach), abs=0.003
    )


@pytest.mark.parametrize("groups", [40, ROUNDED_FROM + 10])
def test_turns_of_one_conversation_count_as_one_piece_of_evidence(groups: int) -> None:
    draw = random.Random(5)
    deltas = [draw.choice([-0.5, 0.5]) for _ in range(groups)]
    alone, together = (mean_interval([(delta * size, size) for delta in deltas]) for size in (1, 10))
    assert together == pytest.approx(alone, abs=1e-4)


@pytest.mark.parametrize("groups", [[], [(0.4, 1)]])
def test_one_case_has_no_interval(groups: list[Group]) -> None:
    assert all(map(isnan, mean_interval(groups)))
    assert chance_of_mean([], 0.0) == 1.0


def test_it_covers_a_rare_fall_that_few_cases_have_seen() -> None:
    """The percentile bootstrap held the truth in half of such sets of ten."""
    draw = random.Random(11)
    held = 0
    for _ in range(200):
        low, high = mean_interval(singles([-0.9 if draw.random() < 0.05 else 0.01 for _ in range(10)]))
        held += low <= -0.0355 <= high
    assert held >= 186


def test_how_many_more_cases_make_it_certain_follows_from_those_there_are() -> None:
    def certain(low: float, high: float) -> bool:
        return low > 0 or high < 0

    unanimous = singles([-1.0] * 5)
    more = more_needed(unanimous, certain)
    assert more == 1
    assert certain(*mean_interval(singles([-1.0] * 6)))
    assert more_needed(singles([-1.0] * 6), certain) == 0
    assert more_needed(singles([0.5, -0.5]), certain) is None
    assert more_needed([], certain) is None
