"""Sums of metrics over cases, and formulas over the sums."""

from __future__ import annotations

import math

import pytest

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites import Answer, grade_case
from turnwise.engine.suites.totals import derive_metrics, total_metrics


def has(text: str, weight: float = 1.0) -> Check:
    return Check(type="contains", value=text, metric="m", weight=weight)


def test_sums_count_weights() -> None:
    answer = Answer(output="yes")
    results = [grade_case([has("yes", 3), has("no")], None, answer), grade_case([has("yes")], None, answer)]
    assert total_metrics(results) == {"m": 4}


def derived(formula: str) -> float:
    return derive_metrics([{"name": "x", "value": formula}], {"a": 6, "b": 2}, cases=4)["x"]


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("a + b", 8),
        ("a / __count", 1.5),
        ("(a - b)^2", 16),
        ("max(a, b) % 4", 2),
        ("-sqrt(4)", -2),
        ("a + absent", 6),
        ("a / 0", math.inf),
    ],
)
def test_a_formula_is_computed_over_the_sums(formula: str, value: float) -> None:
    assert derived(formula) == pytest.approx(value)


def test_a_later_metric_may_use_an_earlier_one() -> None:
    definitions = [{"name": "x", "value": "a * 2"}, {"name": "y", "value": "x + 1"}]
    assert derive_metrics(definitions, {"a": 1}, cases=1) == {"x": 2, "y": 3}


@pytest.mark.parametrize(
    "formula",
    [
        "",
        "a +",
        "__import__('os')",
        "a.real",
        "[a]",
        "'a'",
        "a if b else a",
        "9^9^9^9",
        "sqrt(-1)",
        "x" * 2000,
    ],
)
def test_anything_else_is_refused(formula: str) -> None:
    with pytest.raises(SettingError):
        derived(formula)
