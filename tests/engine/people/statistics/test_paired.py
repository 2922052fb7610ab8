"""The interval of a mean difference: scipy's for single pairs, and wider where pairs belong together."""

from __future__ import annotations

import random
from math import isnan
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.people.statistics.intervals import DRAWN_UP_TO, mean_interval, mean_of

differences = st.lists(st.floats(-1, 1, allow_nan=False), min_size=2, max_size=40)


def singles(items: list[float]) -> list[tuple[float, int]]:
    return [(item, 1) for item in items]


@given(differences)
def test_of_single_pairs_the_mean_is_the_plain_one(items: list[float]) -> None:
    assert mean_of(singles(items)) == pytest.approx(fmean(items), abs=1e-12)


@given(differences)
def test_the_interval_lies_within_the_differences(items: list[float]) -> None:
    low, high = mean_interval(singles(items))
    assert min(items) - 1e-9 <= low <= high <= max(items) + 1e-9


@given(differences)
def test_the_other_direction_is_the_same_interval_mirrored(items: list[float]) -> None:
    low, high = mean_interval(singles(items))
    assert mean_interval(singles([-item for item in items])) == pytest.approx((-high, -low), abs=1e-9)


@pytest.mark.parametrize("size", [12, 80, 400])
def test_it_is_close_to_the_paired_bootstrap_of_scipy(size: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    draw = random.Random(size)
    a = [draw.random() for _ in range(size)]
    b = [min(1.0, max(0.0, one + draw.gauss(0.1, 0.3))) for one in a]
    theirs = stats.bootstrap(
        (a, b),
        lambda x, y, axis: (y - x).mean(axis=axis),
        paired=True,
        vectorized=True,
        method="percentile",
        n_resamples=9999,
        random_state=1,
    ).confidence_interval
    ours = mean_interval(singles([y - x for x, y in zip(a, b, strict=True)]))
    # Of a thousand samples, the ends are themselves drawn: by about a tenth of the interval.
    assert ours == pytest.approx((theirs.low, theirs.high), abs=0.12 * (theirs.high - theirs.low))


def test_past_so_many_pairs_it_is_the_normal_interval_and_close_to_the_drawn_one() -> None:
    draw = random.Random(3)
    items = [draw.gauss(0.05, 0.3) for _ in range(DRAWN_UP_TO + 1)]
    normal, drawn = mean_interval(singles(items)), mean_interval(singles(items[:-1]))
    assert normal == pytest.approx(drawn, abs=0.15 * (drawn[1] - drawn[0]))
    deviation = (sum((item - fmean(items)) ** 2 for item in items) / len(items) ** 2) ** 0.5
    assert normal[1] == pytest.approx(fmean(items) + 1.959963984540054 * deviation, abs=1e-12)


@pytest.mark.parametrize("groups", [40, DRAWN_UP_TO + 10])
def test_turns_of_one_conversation_count_as_one_piece_of_evidence(groups: int) -> None:
    draw = random.Random(5)
    deltas = [draw.choice([-0.5, 0.5]) for _ in range(groups)]
    alone, together = (mean_interval([(delta * size, size) for delta in deltas]) for size in (1, 10))
    assert together == pytest.approx(alone, abs=1e-12)


@pytest.mark.parametrize("groups", [[], [(0.4, 1)]])
def test_one_case_has_no_interval(groups: list[tuple[float, int]]) -> None:
    assert all(map(isnan, mean_interval(groups)))
