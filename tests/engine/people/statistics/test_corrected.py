"""The corrected rate: it undoes a judge's errors and stays within 0 to 1; a useless judge has none."""

from __future__ import annotations

from math import isnan, nan

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from turnwise.engine.people.statistics.rater_agreement import corrected_rate

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
