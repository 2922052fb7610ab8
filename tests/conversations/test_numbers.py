"""Numbers of any length."""

from __future__ import annotations

import pytest

from turnwise.conversations.numbers import is_finite


@pytest.mark.parametrize(
    ("number", "finite"),
    [(0, True), (-1.5, True), (10**300, True), (10**400, False), (-(10**400), False), (float("nan"), False)],
)
def test_a_number_is_finite_where_a_float_can_hold_it(number: float, finite: bool) -> None:
    assert is_finite(number) is finite
