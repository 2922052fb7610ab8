"""Intervals by their draws all at once, for the benchmark of coverage: the very figures, many times faster.

    spearman_interval(scores, ratings)           # as turnwise.engine.people.statistics.ranks does

What users have takes no numpy and goes draw by draw, which for thousands of sets takes hours.
`coverage_bench` reckons some sets of every world both ways, and ends where they differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from random import Random

import numpy as np
from numpy.typing import NDArray

from turnwise.engine.people import drifting
from turnwise.engine.people.statistics import bradley_terry, ranks, unseen

Numbers = NDArray[np.float64]
Interval = tuple[float, float]


@lru_cache(maxsize=16)
def _drawn(pieces: int, draws: int, missing: int) -> Numbers:
    draw = Random(20)
    return np.array([[draw.expovariate(1.0) for _ in range(pieces + missing)] for _ in range(draws)])


def _weights(
    count: int, evidence: Sequence[int] | None, *, draws: int, missing: int
) -> tuple[Numbers, Numbers]:
    """Return the weights of what was seen and of what was not, a row a draw."""
    kinds = list(range(count)) if evidence is None else list(evidence)
    pieces = {kind: place for place, kind in enumerate(dict.fromkeys(kinds))}
    rows = _drawn(len(pieces), draws, missing)
    return rows[:, [pieces[kind] for kind in kinds]], rows[:, len(pieces) :] * (count / len(pieces))


def spearman_interval(
    first: Sequence[float], second: Sequence[float], evidence: Sequence[int] | None = None
) -> Interval | None:
    """Return the interval of Spearman's correlation; None where one list does not vary."""
    if len(set(first)) < 2 or len(set(second)) < 2:
        return None
    weights, missing = _weights(len(first), evidence, draws=ranks.DRAWS, missing=2)
    weighed = np.column_stack([weights, missing[:, 0]])
    apart = [
        {place: _apart(values, weights, missing[:, 0], weighed, place) for place in (-1, 1)}
        for values in (first, second)
    ]
    lows, highs = (
        [_pearson(apart[0][one], apart[1][other], weighed) for one, other in corners]
        for corners in (((-1, 1), (1, -1)), ((1, 1), (-1, -1)))
    )
    return unseen.ends(np.minimum(*lows).tolist(), np.maximum(*highs).tolist())


def _apart(
    values: Sequence[float], weights: Numbers, missing: Numbers, weighed: Numbers, place: int
) -> Numbers:
    """Return how far weighed ranks lie from their mean, of the one that was not seen last."""
    kinds, kind = np.unique(np.asarray(values), return_inverse=True)
    whole = np.stack([weights[:, kind == one].sum(axis=1) for one in range(len(kinds))], axis=1)
    before = np.cumsum(whole, axis=1) - whole + (missing[:, None] if place < 0 else 0.0)
    last = missing / 2 if place < 0 else weights.sum(axis=1) + missing / 2
    found = np.column_stack([(before + whole / 2)[:, kind], last])
    return found - ((found * weighed).sum(axis=1) / weighed.sum(axis=1))[:, None]


def _pearson(first: Numbers, second: Numbers, weights: Numbers) -> Numbers:
    together = (weights * first * second).sum(axis=1)
    spread = np.sqrt((weights * first * first).sum(axis=1) * (weights * second * second).sum(axis=1))
    return np.clip(together / spread, -1.0, 1.0)


def area_interval(
    scores: Sequence[float], positive: Sequence[bool], evidence: Sequence[int] | None = None
) -> Interval | None:
    """Return the interval of the area under the curve; None where one kind is absent."""
    yes = np.asarray(positive, dtype=bool)
    if yes.all() or not yes.any():
        return None
    weights, missing = _weights(len(scores), evidence, draws=ranks.DRAWS, missing=2)
    _, kind = np.unique(np.asarray(scores), return_inverse=True)
    of_kind = np.zeros((len(scores), kind.max() + 1))
    of_kind[np.arange(len(scores)), kind] = 1.0
    above, below = (weights * yes) @ of_kind, (weights * ~yes) @ of_kind
    ranked = (above * (np.cumsum(below, axis=1) - below / 2)).sum(axis=1)
    positives, negatives = above.sum(axis=1), below.sum(axis=1)
    one, other = missing[:, 0], missing[:, 1]
    whole = (positives + one) * (negatives + other)
    won = ranked + positives * other + one * (negatives + other)
    return unseen.ends((ranked / whole).tolist(), np.minimum(1.0, won / whole).tolist())


def first_win_share_interval(groups: Sequence[str], found: Sequence[bradley_terry.Comparison]) -> Interval:
    """Return the interval of the first group's win share."""
    place = {name: number for number, name in enumerate(groups)}
    count = len(groups)
    weights, missing = _weights(len(found), None, draws=bradley_terry.DRAWS, missing=1)
    wins = np.zeros((bradley_terry.DRAWS, count, count))
    for number, one in enumerate(found):
        wins[:, place[one.first], place[one.second]] += weights[:, number] * one.won
        wins[:, place[one.second], place[one.first]] += weights[:, number] * (1 - one.won)
    part = missing / (count - 1)
    lost, won = wins.copy(), wins.copy()
    lost[:, 1:, 0] += part
    won[:, 0, 1:] += part
    shares = _first_shares(_fitted(np.concatenate([lost, won])))
    return unseen.ends(shares[: bradley_terry.DRAWS].tolist(), shares[bradley_terry.DRAWS :].tolist())


def _fitted(wins: Numbers) -> Numbers:
    """Return strengths by Hunter's steps, each draw's until they move no more."""
    count = wins.shape[1]
    met = wins + wins.transpose(0, 2, 1)
    won = wins.sum(axis=2) + bradley_terry._LEAST_PRIOR / 2
    strengths = np.ones(wins.shape[:2])
    moving = np.arange(len(wins))
    for _ in range(bradley_terry._STEPS_OF_A_DRAW):
        now = strengths[moving]
        moved = np.zeros(len(moving))
        for one in range(count):
            own = now[:, one].copy()
            spread = bradley_terry._LEAST_PRIOR / (own + 1)
            for other in range(count):
                if other != one:
                    spread = spread + met[moving, one, other] / (own + now[:, other])
            now[:, one] = won[moving, one] / spread
            moved = np.maximum(moved, np.abs(now[:, one] - own) / own)
        strengths[moving] = now
        moving = moving[moved >= bradley_terry._CLOSE_IN_A_DRAW]
        if not len(moving):
            break
    return strengths


def _first_shares(strengths: Numbers) -> Numbers:
    own, others = strengths[:, :1], strengths[:, 1:]
    shares: Numbers = (own / (own + others)).mean(axis=1)
    return shares


def drift_interval(apart: Sequence[float]) -> Interval | None:
    """Return the interval of a drift; None of too few labels."""
    half = len(apart) // 2
    if half < drifting.FEWEST_IN_HALF:
        return None
    first, later = (tuple(drifting._counted(one)) for one in (apart[:half], apart[-half:]))
    return _drift_interval(first, later)


@lru_cache(maxsize=100_000)
def _drift_interval(first: tuple[int, ...], later: tuple[int, ...]) -> Interval:
    draw = Random(20)
    rows = np.array(
        [
            [draw.gammavariate(one, 1.0) if one else 0.0 for one in (*first, *later)]
            + [draw.expovariate(1.0) for _ in range(2)]
            for _ in range(unseen.DRAWS)
        ]
    )
    worth = np.asarray(drifting._KINDS)
    size = len(worth)
    means = [
        [(counts @ worth + more * kind) / (counts.sum(axis=1) + more) for kind in worth]
        for counts, more in ((rows[:, :size], rows[:, -2]), (rows[:, size : 2 * size], rows[:, -1]))
    ]
    changes = [later - first for first, later in product(*means)]
    return unseen.ends(np.min(changes, axis=0).tolist(), np.max(changes, axis=0).tolist())
