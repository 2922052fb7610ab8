"""Stratum rates: the mean over all ways of cutting the strata, and steady however many labels there are."""

from __future__ import annotations

import random
from itertools import pairwise, product
from math import exp, lgamma, log, pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.people.statistics.stratum_rates import CUT, SeenStrata

LABELS = st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=40)


def seen_of(labels: list[tuple[int, bool]], strata: int = 4) -> SeenStrata:
    seen = SeenStrata([100_000] * strata)
    for stratum, passed in labels:
        seen.take(stratum, float(passed))
    return seen


def rates_by_all_cuts(labels: list[tuple[int, bool]], strata: int) -> list[float]:
    """Return the mean rates by trying every way of cutting the strata."""
    weights, sums = 0.0, [0.0] * strata
    for cuts in product((False, True), repeat=strata - 1):
        borders = [0, *(place for place, cut in enumerate(cuts, 1) if cut), strata]
        evidence, rates = sum(cuts) * log(CUT), list[float]()
        for start, end in pairwise(borders):
            words = [passed for stratum, passed in labels if start <= stratum < end]
            good, bad = sum(words) + 0.5, len(words) - sum(words) + 0.5
            evidence += lgamma(good) + lgamma(bad) - lgamma(good + bad) - log(pi)
            rates += [good / (good + bad)] * (end - start)
        weights += exp(evidence)
        sums = [total + exp(evidence) * rate for total, rate in zip(sums, rates, strict=True)]
    return [total / weights for total in sums]


@given(LABELS)
def test_rates_are_the_mean_over_all_ways_of_cutting_the_strata(labels: list[tuple[int, bool]]) -> None:
    assert seen_of(labels).rates() == pytest.approx(rates_by_all_cuts(labels, 4))


@given(LABELS, st.randoms())
def test_the_order_of_labels_changes_nothing(labels: list[tuple[int, bool]], dice: random.Random) -> None:
    assert seen_of(labels).rates() == pytest.approx(seen_of(dice.sample(labels, len(labels))).rates())


@given(LABELS)
def test_more_is_drawn_where_a_label_varies_more(labels: list[tuple[int, bool]]) -> None:
    seen = seen_of(labels)
    spreads = [rate * (1 - rate) for rate in seen.rates()]
    chances = seen.chances()
    assert all(0 < rate < 1 for rate in seen.rates())
    for one, other in product(range(4), repeat=2):
        assert chances[one] > chances[other] or spreads[one] <= spreads[other] + 1e-9


def test_a_judge_that_tells_nothing_leaves_strata_alike_and_a_good_one_parts_them() -> None:
    dice = random.Random(1)
    useless = seen_of([(dice.randrange(4), dice.random() < 0.8) for _ in range(300)]).rates()
    assert max(useless) - min(useless) < 0.1
    good = seen_of([(one, dice.random() < (0.1, 0.2, 0.95, 0.95)[one]) for one in [0, 1, 2, 3] * 10]).rates()
    assert good[1] < 0.5 < 0.85 < good[2]


def test_a_label_that_says_neither_draws_a_rate_to_the_middle() -> None:
    seen = seen_of([(0, True)] * 20, strata=1)
    [before] = seen.rates()
    seen.take(0, 0.5)
    [after] = seen.rates()
    assert 0.5 < after < before
    assert seen.left == [100_000 - 21]


def test_ten_thousand_labels_of_a_judge_that_never_errs_are_reckoned_with() -> None:
    rates = seen_of([(0, False), (1, True), (2, True)] * 3_500, strata=3).rates()
    assert rates == pytest.approx([0, 1, 1], abs=1e-3)
