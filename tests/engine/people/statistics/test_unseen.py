"""Intervals that allow for what was not seen: never of width zero, and holding where a bootstrap does not."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import isnan

import pytest

from turnwise.engine.people.statistics.intervals import share_interval
from turnwise.engine.people.statistics.rater_agreement import kappa_of_weights
from turnwise.engine.people.statistics.unseen import interval_of_counts


def kappa(groups: Sequence[Sequence[float]]) -> float:
    return kappa_of_weights(*groups[0])


def share_of(groups: Sequence[Sequence[float]]) -> float:
    return groups[0][0] / sum(groups[0])


@pytest.mark.parametrize("counts", [(0, 5), (3, 7), (40, 10)])
def test_of_a_share_it_is_the_exact_interval(counts: tuple[int, int]) -> None:
    exact = share_interval(counts[0], sum(counts))
    assert interval_of_counts([counts], share_of, lowest=0, highest=1) == pytest.approx(exact, abs=0.03)


def test_the_same_counts_give_the_same_interval() -> None:
    found = [interval_of_counts([(8, 1, 2, 9)], kappa, lowest=-1, highest=1) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0][0] < kappa([(8, 1, 2, 9)]) < found[0][1]


def test_full_agreement_on_few_is_no_proof_of_it() -> None:
    low, high = interval_of_counts([(6, 0, 0, 4)], kappa, lowest=-1, highest=1)
    assert low < 0.6
    assert high == pytest.approx(1.0)


def test_what_cannot_be_computed_may_lie_anywhere() -> None:
    assert interval_of_counts([(3, 2)], lambda _: float("nan"), lowest=0, highest=1) == (0, 1)


def test_an_empty_group_has_no_interval() -> None:
    assert all(map(isnan, interval_of_counts([(1, 2), (0, 0)], share_of, lowest=0, highest=1)))
    assert all(map(isnan, interval_of_counts([], share_of, lowest=0, highest=1)))


def test_it_holds_kappa_of_a_good_judge_on_twelve_sessions() -> None:
    """The percentile bootstrap held it in 86 % of such sets."""
    draw = random.Random(4)
    true = kappa([(0.7 * 0.95, 0.3 * 0.1, 0.7 * 0.05, 0.3 * 0.9)])
    held = shown = 0
    for _ in range(60):
        counts = [0, 0, 0, 0]
        for _ in range(12):
            passes = draw.random() < 0.7
            agrees = draw.random() < (0.95 if passes else 0.9)
            counts[(0 if agrees else 2) if passes else (3 if agrees else 1)] += 1
        if isnan(kappa([counts])):
            continue
        low, high = interval_of_counts([counts], kappa, lowest=-1, highest=1)
        shown += 1
        held += low <= true <= high
    assert held >= 0.93 * shown
