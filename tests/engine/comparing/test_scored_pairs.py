"""Pairs of scores in columns: each is made as it is asked for, and they are sorted as a reader wants them."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.store.run_outcomes import RunOutcomes
from turnwise.engine.comparing.compare import ScoredPairs

scores = st.floats(0, 1)
RANKS = {"failed": 0, "passed": 1, None: 2}


def paired(values: list[tuple[float, float]]) -> ScoredPairs:
    """Return pairs with these scores, of cases that are named by their places."""
    sides = RunOutcomes(), RunOutcomes()
    for place, pair in enumerate(values):
        for side, score in zip(sides, pair, strict=True):
            side.add((100 + place, place, "politeness", None, "score", score, score >= 0.5))
    pairs = ScoredPairs(*sides, [f"case {place}" for place in range(len(values))])
    for place in range(len(values)):
        pairs.add(place, place, place)
    return pairs


def test_a_pair_is_what_both_sides_say() -> None:
    pairs = paired([(0.9, 0.25), (0.5, 0.5)])
    flipped, same = pairs
    assert (flipped.name, flipped.metric, flipped.exchange) == ("case 0", "politeness", None)
    assert (flipped.a.score, flipped.b.score, flipped.delta, flipped.flip) == (0.9, 0.25, -0.65, "failed")
    assert (same.flip, same.is_changed) == (None, False)
    assert pairs[1:] == [same]
    assert pairs[-1] == same


@given(st.lists(st.tuples(scores, scores), max_size=12))
def test_flips_come_first_then_what_moved_furthest_and_ties_as_they_came(
    values: list[tuple[float, float]],
) -> None:
    pairs = paired(values)
    before = list(pairs)
    pairs.sort()
    assert list(pairs) == sorted(before, key=lambda pair: (RANKS[pair.flip], -abs(pair.delta)))


def test_pairs_of_several_metrics_are_put_together() -> None:
    pairs = paired([(0.1, 0.2), (0.1, 0.9)])
    both = ScoredPairs(pairs._a, pairs._b, pairs._names)
    both.extend(pairs)
    both.extend(pairs)
    both.sort()
    assert [pair.name for pair in both] == ["case 1", "case 1", "case 0", "case 0"]
    assert all(abs(one.delta) >= abs(two.delta) for one, two in pairwise(both))
