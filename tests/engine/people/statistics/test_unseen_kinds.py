"""Kinds that nobody saw: the chance of a new one, and when reading on has stopped paying."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.people.statistics.unseen_kinds import LATELY, unseen_kinds


def test_without_a_kind_there_is_nothing_to_say() -> None:
    assert unseen_kinds([]) is None
    assert unseen_kinds([set(), set()]) is None


def test_what_was_seen_once_tells_how_much_is_unseen() -> None:
    found = unseen_kinds([{1}, set(), {2, 3}, {1}, {4}, set(), set(), set(), set(), {1}])
    assert found is not None
    assert (found.items, found.kinds, found.once) == (10, 4, 3)
    assert found.chance == 0.3
    assert found.unseen == pytest.approx(0.9 * 3 * 2 / 2)
    assert (found.lately, found.new_lately) == (10, 3)


def test_reading_on_has_stopped_once_the_last_ones_show_nothing_new() -> None:
    found = unseen_kinds([{1}, {1}, *[set()] * LATELY])
    assert found is not None
    assert found.has_stopped
    early = unseen_kinds([{1}, {1}, *[set()] * (LATELY - 3)])
    assert early is not None
    assert not early.has_stopped


@given(st.lists(st.sets(st.integers(0, 6)), max_size=60))
def test_figures_stay_within_their_ranges(items: list[set[int]]) -> None:
    found = unseen_kinds(items)
    if found is not None:
        assert 0 <= found.chance <= found.high <= 1
        assert found.unseen >= 0
        assert found.new_lately <= found.lately <= LATELY


def test_the_upper_end_holds_in_most_reviews_at_random() -> None:
    draw, shares, held = random.Random(7), [0.2, 0.1, 0.05, 0.02, 0.01, 0.01], 0
    for _ in range(300):
        items = [{kind for kind, share in enumerate(shares) if draw.random() < share} for _ in range(50)]
        found = unseen_kinds(items)
        unseen = sum(share for kind, share in enumerate(shares) if not any(kind in one for one in items))
        held += found is not None and unseen <= found.high
    assert held >= 0.93 * 300
