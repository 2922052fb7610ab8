"""The corrected rate: it undoes a judge's errors and stays within 0 to 1; a useless judge has none."""

from __future__ import annotations

from math import isnan, nan

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from turnwise.engine.people.statistics.corrected_rates import corrected_rate, corrected_rate_interval

SHARES = st.floats(0, 1)


@given(SHARES, SHARES, SHARES)
def test_it_finds_the_rate_that_a_judge_of_known_errors_has_blurred(
    true: float, tpr: float, tnr: float
) -> None:
    assume(tpr + tnr > 1.01)
    observed = true * tpr + (1 - true) * (1 - tnr)
    assert corrected_rate(observed, tpr, tnr) == pytest.approx(true, abs=1e-9)


@given(SHARES, SHARES, SHARES)
def test_it_stays_within_zero_and_one(observed: float, tpr: float, tnr: float) -> None:
    found = corrected_rate(observed, tpr, tnr)
    assert isnan(found) if tpr + tnr - 1 <= 0 else 0 <= found <= 1


def test_a_judge_that_tells_nothing_apart_has_none() -> None:
    assert isnan(corrected_rate(0.5, 0.5, 0.5))
    assert isnan(corrected_rate(0.5, 0.2, 0.3))
    assert isnan(corrected_rate(nan, 0.9, 0.9))
    assert isnan(corrected_rate(0.5, nan, 0.9))


COUNTS = st.integers(1, 300).flatmap(lambda whole: st.tuples(st.integers(0, whole), st.just(whole)))


@given(COUNTS, COUNTS, COUNTS)
def test_its_interval_lies_within_zero_and_one(passed, failed, observed) -> None:
    low, high = corrected_rate_interval(passed, failed, observed)
    assert 0 <= low <= high <= 1


@given(st.integers(10, 300), st.integers(10, 300), st.integers(20, 3000), SHARES)
def test_its_interval_holds_the_rate_of_a_judge_that_is_mostly_right(passed, failed, total, rate) -> None:
    counts = (round(0.9 * passed), passed), (round(0.8 * failed), failed), (round(rate * total), total)
    found = corrected_rate(counts[2][0] / total, counts[0][0] / passed, counts[1][0] / failed)
    low, high = corrected_rate_interval(*counts)
    assert low <= found <= high


def test_more_labels_make_it_narrower() -> None:
    few = corrected_rate_interval((18, 20), (8, 10), (70, 100))
    many = corrected_rate_interval((180, 200), (80, 100), (700, 1000))
    assert many[1] - many[0] < 0.4 * (few[1] - few[0])


def test_it_is_everything_where_the_judge_may_tell_nothing_apart() -> None:
    assert corrected_rate_interval((1, 2), (1, 2), (5, 10)) == (0, 1)
    assert all(map(isnan, corrected_rate_interval((0, 0), (3, 4), (5, 10))))
