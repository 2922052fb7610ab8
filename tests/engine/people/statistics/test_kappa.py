"""Cohen's kappa: as scikit-learn has it, and nan where chance alone would agree on everything."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from math import isnan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.people.statistics.rater_agreement import Confusion, kappa_of, kappa_of_counts

RATINGS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=60)


def cohen_kappa(first: Sequence[object], second: Sequence[object]) -> float:
    return kappa_of_counts(Counter(zip(first, second, strict=True)))


@given(RATINGS)
def test_kappa_is_that_of_scikit_learn(ratings: list[tuple[int, int]]) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    first, second = [one for one, _ in ratings], [other for _, other in ratings]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = metrics.cohen_kappa_score(first, second)
    if len({*first, *second}) == 1:
        assert isnan(cohen_kappa(first, second))
    else:
        assert cohen_kappa(first, second) == pytest.approx(expected, abs=1e-9)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=40))
def test_a_matrix_has_the_kappa_of_its_pairs(pairs: list[tuple[bool, bool]]) -> None:
    judge, people = [one for one, _ in pairs], [other for _, other in pairs]
    assert kappa_of(Confusion.of(pairs)) == pytest.approx(cohen_kappa(judge, people), nan_ok=True)


def test_agreement_of_words() -> None:
    assert cohen_kappa(["pass", "fail"], ["pass", "fail"]) == 1.0
    assert cohen_kappa(["pass", "fail"], ["fail", "pass"]) == -1.0
    assert isnan(cohen_kappa([], []))
