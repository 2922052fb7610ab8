"""Measures: each has its interval, or says in plain words why there is none."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.people.agreement import NO_PAIRS, Figure, Measures, alpha_between, measure
from turnwise.engine.people.statistics.rater_agreement import Confusion

COUNTS = st.integers(0, 40)
DESIGN = Confusion(true_pass=14, false_pass=2, false_fail=1, true_fail=7)


def figures(found: Measures) -> list[Figure]:
    return [Figure(**value) for value in found.data().values()]


@given(COUNTS, COUNTS, COUNTS, COUNTS, COUNTS, COUNTS)
def test_every_figure_lies_in_its_interval_or_says_why_it_is_not_there(
    a: int, b: int, c: int, d: int, passed: int, failed: int
) -> None:
    found = measure(Confusion(a, b, c, d), passed, passed + failed)
    for figure in figures(found):
        if figure.value is None:
            assert figure.why
            assert figure.low is figure.high is None
        elif figure.low is not None and figure.high is not None:
            assert not figure.why
            assert -1 <= figure.low <= figure.high <= 1
    assert json.loads(json.dumps(found.data(), allow_nan=False))


def test_a_judge_that_is_mostly_right() -> None:
    found = measure(DESIGN, 33, 50)
    assert found.tpr.value == pytest.approx(14 / 15)
    assert (found.tpr.low, found.tpr.high) == pytest.approx((0.6805, 0.9983), abs=1e-3)
    assert found.tnr.value == pytest.approx(7 / 9)
    assert found.kappa.value == pytest.approx(0.727, abs=1e-3)
    assert found.kappa.low is not None
    assert found.kappa.low < 0.5 < 0.9 < (found.kappa.high or 0)
    assert found.pass_rate.value == pytest.approx(0.66)
    assert found.corrected_pass_rate.value == pytest.approx((0.66 + 7 / 9 - 1) / (14 / 15 + 7 / 9 - 1))
    low, high = found.corrected_pass_rate.low, found.corrected_pass_rate.high
    assert low is not None
    assert 0 <= low < found.corrected_pass_rate.value < (high or 0) <= 1


def test_without_pairs_there_is_nothing_but_the_judges_own_rate() -> None:
    found = measure(Confusion(), 3, 4)
    assert found.pass_rate.value == 0.75
    for figure in (found.tpr, found.tnr, found.precision, found.f1, found.kappa, found.corrected_pass_rate):
        assert figure == Figure(None, why=NO_PAIRS)
    assert measure(Confusion(), 0, 0).pass_rate.why == "no session has a score"


def test_one_class_only_is_told_in_words() -> None:
    passed = measure(Confusion(true_pass=5), 5, 5)
    assert passed.tnr.why == passed.corrected_pass_rate.why == "people failed none of them"
    assert passed.kappa.why == "judge and people passed all of them"
    failed = measure(Confusion(true_fail=5), 0, 5)
    assert failed.tpr.why == failed.corrected_pass_rate.why == "people passed none of them"
    assert failed.kappa.why == "judge and people failed all of them"
    assert failed.precision.why == "the judge passed none of them"
    assert failed.f1.why == "neither judge nor people passed any of them"


def test_a_judge_that_tells_nothing_apart_cannot_be_corrected() -> None:
    found = measure(Confusion(5, 5, 5, 5), 10, 20)
    assert found.corrected_pass_rate.why == "TPR + TNR is 1 or less: the judge tells nothing apart"


def test_alpha_between_people() -> None:
    assert alpha_between([(2, 0), (0, 2), (1, 0)]).value == 1.0
    found = alpha_between([(2, 0)] * 20 + [(0, 2)] * 10 + [(1, 1)] * 5)
    assert found.value is not None
    assert found.low is not None
    assert found.low < found.value < (found.high or 0)
    # It rests on what several people labelled.
    assert alpha_between([(2, 0), (0, 2), (1, 0)]).data()["sessions"] == 2
    assert "sessions" not in measure(Confusion(5, 1, 2, 3), 7, 11).kappa.data()
    assert alpha_between([(1, 0), (0, 1)]).why == "no session was labelled by two people"
    assert alpha_between([(2, 0), (3, 0)]).why == "all labels are the same"
