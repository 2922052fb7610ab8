"""Bradley and Terry's strengths: their order, their symmetry, their sums, and how sure they are."""

from __future__ import annotations

import random
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnwise.engine.people.statistics.bradley_terry import (
    PRIOR,
    Comparison,
    fitted_strengths,
    linked_groups,
    win_share_intervals,
    win_shares,
)

GROUPS = ["a", "b", "c"]
_TWO = st.sampled_from([("a", "b"), ("a", "c"), ("b", "c")])
COMPARISONS = st.lists(
    st.builds(lambda two, won: Comparison(*two, won), _TWO, st.sampled_from([0.0, 0.5, 1.0])), max_size=30
)


def swapped(found: list[Comparison]) -> list[Comparison]:
    return [Comparison(one.second, one.first, 1 - one.won, one.evidence) for one in found]


@settings(max_examples=60, deadline=None)
@given(COMPARISONS)
def test_sides_do_not_matter(found: list[Comparison]) -> None:
    assert fitted_strengths(GROUPS, swapped(found)) == pytest.approx(
        fitted_strengths(GROUPS, found), rel=1e-3
    )


@settings(max_examples=60, deadline=None)
@given(COMPARISONS)
def test_strengths_and_shares_add_up(found: list[Comparison]) -> None:
    strengths = fitted_strengths(GROUPS, found)
    assert all(one > 0 for one in strengths.values())
    assert prod(strengths.values()) == pytest.approx(1)
    assert sum(win_shares(strengths).values()) == pytest.approx(1.5)


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20), st.integers(0, 5)), min_size=1, max_size=1))
def test_of_two_groups_the_share_is_that_of_the_pairs_and_a_tie(counts: list[tuple[int, int, int]]) -> None:
    [(won, lost, tied)] = counts
    found = [Comparison("a", "b", one) for one in [1.0] * won + [0.0] * lost + [0.5] * tied]
    share = win_shares(fitted_strengths(["a", "b"], found))["a"]
    assert (share > 0.5) == (won > lost)
    seen = (won + tied / 2) / len(found) if found else 0.5
    # The imagined tie draws towards one half, and no farther than it weighs.
    assert abs(share - seen) <= PRIOR / (len(found) + PRIOR) + 1e-4


def test_a_chain_of_wins_is_an_order() -> None:
    chain = [("a", "b", 1.0), ("b", "c", 1.0), ("a", "b", 1.0), ("b", "c", 0.0), ("b", "c", 1.0)]
    found = [Comparison(*one) for one in chain]
    strengths = fitted_strengths(GROUPS, found)
    assert sorted(strengths, key=strengths.__getitem__, reverse=True) == GROUPS


def test_a_group_that_never_loses_is_not_endlessly_strong() -> None:
    found = [Comparison("a", "b", 1.0) for _ in range(50)]
    strengths = fitted_strengths(["a", "b"], found)
    assert 10 < strengths["a"] < 1000
    low, high = win_share_intervals(["a", "b"], found)["a"]
    assert 0.9 < low < 1
    assert high <= 1


def test_what_several_people_say_of_one_pair_is_one_piece_of_evidence() -> None:
    alone = [Comparison("a", "b", float(place % 3 > 0), place) for place in range(12)]
    low, high = win_share_intervals(["a", "b"], alone)["a"]
    thrice_low, thrice_high = win_share_intervals(["a", "b"], alone * 3)["a"]
    assert (thrice_low, thrice_high) == pytest.approx((low, high), abs=0.02)


def test_groups_that_were_never_beside_each_other_are_parts() -> None:
    found = [Comparison("a", "b", 1.0), Comparison("d", "c", 0.0)]
    assert linked_groups(["a", "b", "c", "d"], found) == [["a", "b"], ["c", "d"]]
    assert len(linked_groups(["a", "b", "c", "d"], [*found, Comparison("b", "c", 0.5)])) == 1


def test_intervals_hold_the_share_that_pairs_are_drawn_by() -> None:
    draw = random.Random(4)
    held = 0
    for _ in range(20):
        found = [Comparison("a", "b", float(draw.random() < 0.7), place) for place in range(15)]
        low, high = win_share_intervals(["a", "b"], found)["a"]
        held += low <= 0.7 <= high
    assert held >= 18
