"""Fair bets: nobody wins on the whole if the rate is right, and nobody wins faster if it is not."""

from __future__ import annotations

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.people.statistics.fair_bets import Bet, fastest_bet

RATE = st.floats(0.001, 0.999)
STRATUM = st.tuples(RATE, st.floats(0, 1), st.integers(0, 50), st.floats(0.01, 1))
"""Of a stratum: how probably it is held to pass, its true rate, its sessions, and the chance of each."""
STRATA = st.lists(STRATUM, min_size=1, max_size=6).filter(lambda strata: any(one[2] for one in strata))


def shares_and_chances(strata: list[tuple[float, float, int, float]]) -> tuple[list[float], list[float]]:
    count, whole = sum(n for *_, n, _ in strata), sum(n * chance for *_, n, chance in strata)
    return [n / count for *_, n, _ in strata], [n * chance / whole for *_, n, chance in strata]


def growth(bet: Bet, rates: list[float], chances: list[float], against: float) -> float:
    """Return how fast a bet wins against a rate, on the whole, if the rates are right."""
    return sum(
        chance * share * log(1 + bet.stake * (bet.found(stratum, passed) - against))
        for stratum, (rate, chance) in enumerate(zip(rates, chances, strict=True))
        for passed, share in ((True, rate), (False, 1 - rate))
        if chance
    )


@given(STRATA, st.floats(0.005, 0.3))
def test_the_mean_of_a_bet_is_one_under_the_true_rate_whatever_is_held_of_it(
    strata: list[tuple[float, float, int, float]], gap: float
) -> None:
    held = [one[0] for one in strata]
    shares, chances = shares_and_chances(strata)
    bet, _ = fastest_bet(held, shares, chances, gap)
    passing = sum(true * share for (_, true, *_), share in zip(strata, shares, strict=True))
    mean = sum(
        chance * share * (1 + bet.stake * (bet.found(stratum, passed) - passing))
        for stratum, ((_, true, *_), chance) in enumerate(zip(strata, chances, strict=True))
        for passed, share in ((True, true), (False, 1 - true))
        if chance
    )
    assert mean == pytest.approx(1, abs=1e-9)
    assert bet.least == min(bet.found(place, False) for place, share in enumerate(shares) if share)


@given(STRATA, st.floats(0.005, 0.3))
def test_a_bet_loses_not_all_against_the_rate_that_it_aims_at(
    strata: list[tuple[float, float, int, float]], gap: float
) -> None:
    held = [one[0] for one in strata]
    shares, chances = shares_and_chances(strata)
    bet, aimed = fastest_bet(held, shares, chances, gap)
    foretold = sum(rate * share for rate, share in zip(held, shares, strict=True))
    assert 0 < aimed <= foretold / 2 + 1e-12
    assert bet.stake > 0


def test_with_one_stratum_a_label_counts_as_often_as_it_is_more_probable() -> None:
    bet, gap = fastest_bet([0.8], [1.0], [1.0], 0.1)
    assert gap == 0.1
    assert 1 + bet.stake * (bet.found(0, True) - 0.7) == pytest.approx(0.8 / 0.7)
    assert 1 + bet.stake * (bet.found(0, False) - 0.7) == pytest.approx(0.2 / 0.3)


@pytest.mark.parametrize("stake", [0.5, 0.8, 0.95, 1.05, 1.2, 1.5])
@pytest.mark.parametrize("tilt", [0.0, 0.02, -0.02])
def test_no_other_bet_on_the_same_draw_wins_faster(stake: float, tilt: float) -> None:
    rates, shares, chances = [0.3, 0.9, 0.97], [0.1, 0.3, 0.6], [0.25, 0.35, 0.4]
    best, gap = fastest_bet(rates, shares, chances, 0.05)
    against = sum(rate * share for rate, share in zip(rates, shares, strict=True)) - gap
    # Any change that leaves the mean of failures alone at 0 is another fair bet.
    moved = (best.base[0] + tilt / chances[0], best.base[1] - tilt / chances[1], best.base[2])
    other = Bet(stake * best.stake, moved, best.worth, min(moved))
    assert growth(other, rates, chances, against) < growth(best, rates, chances, against)


def test_where_nothing_is_left_nothing_is_found() -> None:
    bet, _ = fastest_bet([0.2, 0.9], [0.0, 1.0], [0.0, 1.0], 0.05)
    assert (bet.base[0], bet.worth[0]) == (0, 0)
    assert bet.found(1, True) - bet.found(1, False) == 1
