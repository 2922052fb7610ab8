"""Rates of a judge against people: as scikit-learn and scipy have them, and nan where there is nothing."""

from __future__ import annotations

from math import isnan, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.people.statistics.intervals import share_interval
from turnwise.engine.people.statistics.rater_agreement import Confusion, share

PAIRS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60)


@given(PAIRS)
def test_rates_are_those_of_scikit_learn(pairs: list[tuple[bool, bool]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    judge, people = [one for one, _ in pairs], [other for _, other in pairs]
    found = Confusion.of(pairs)
    counted = metrics.confusion_matrix(people, judge, labels=[True, False])
    assert [[found.true_pass, found.false_fail], [found.false_pass, found.true_fail]] == counted.tolist()
    assert found.total == len(pairs)
    # Where there is nothing to divide by, scikit-learn is told to answer nan.
    expected = [
        metrics.recall_score(people, judge, zero_division=nan),
        metrics.recall_score(people, judge, pos_label=False, zero_division=nan),
        metrics.precision_score(people, judge, zero_division=nan),
        metrics.f1_score(people, judge, zero_division=nan),
    ]
    ours = [found.tpr, found.tnr, found.precision, found.f1]
    assert ours == pytest.approx(expected, abs=1e-9, nan_ok=True)


@given(
    st.integers(1, 100_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.floats(0.5, 0.999)
)
def test_intervals_are_the_exact_ones_of_scipy(case: tuple[int, int], level: float) -> None:
    stats = pytest.importorskip("scipy.stats")
    successes, trials = case
    expected = stats.binomtest(successes, trials).proportion_ci(confidence_level=level, method="exact")
    low, high = share_interval(successes, trials, level=level)
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-6)
    assert 0.0 <= low <= successes / trials <= high <= 1.0


def test_nothing_to_divide_by_is_nan() -> None:
    assert all(map(isnan, [Confusion().tpr, Confusion().tnr, Confusion().precision, Confusion().f1]))
    assert isnan(share(0, 0))
    assert all(map(isnan, share_interval(0, 0)))


def test_successes_beyond_the_trials_are_refused() -> None:
    with pytest.raises(ValueError, match="3 successes in 2 trials"):
        share_interval(3, 2)
