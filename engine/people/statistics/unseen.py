"""What was not seen: the interval of any statistic of counts, with one more item where it matters most.

    low, high = interval_of_counts([matrix.counts], kappa, lowest=-1, highest=1)

A bootstrap draws only from what was seen, so it is too sure where little was. Here what was seen is weighed
by chance, and one item is added that nobody saw: for the low end where it makes the statistic least, for
the high end where it makes it greatest. This carries the interval of `bounded_means` over to statistics that
are no means; how often it holds then, the simulations of docs/explanation/figures.md tell, not a proof.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from math import isnan, nan

DRAWS = 1000

Counts = Sequence[float]
"""Of one group of items: how many, or how much, there is of each kind."""


def interval_of_counts(
    groups: Sequence[Sequence[int]],
    statistic: Callable[[Sequence[Counts]], float],
    *,
    lowest: float,
    highest: float,
    level: float = 0.95,
    seed: int = 20,
) -> tuple[float, float]:
    """Return the interval of a statistic of items that are of a few kinds; (nan, nan) for an empty group.

    groups: per independent group how many of its items are of each kind, 0 for kinds that were not seen.
    lowest, highest: between which the statistic lies; where it cannot be computed of a draw, it may lie
    anywhere. The same counts and seed give the same interval. Takes as long as the statistic takes DRAWS
    times the number of kinds.
    """
    if not groups or not all(map(sum, groups)):
        return nan, nan
    draw = random.Random(seed)
    lows, highs = [], []
    for _ in range(DRAWS):
        weighed = [[draw.gammavariate(count, 1.0) if count else 0.0 for count in counts] for counts in groups]
        unseen = [draw.expovariate(1.0) for _ in groups]
        found = [statistic(one) for one in _with_unseen(weighed, unseen)]
        lows.append(min(lowest if isnan(value) else value for value in found))
        highs.append(max(highest if isnan(value) else value for value in found))
    return ends(lows, highs, level)


def _with_unseen(weighed: Sequence[Counts], unseen: Sequence[float]) -> Iterator[list[Counts]]:
    """Yield the groups with what was not seen of each, once for every way in which it may be of a kind."""
    for places in product(*(range(len(counts)) for counts in weighed)):
        yield [
            [*counts[:place], counts[place] + more, *counts[place + 1 :]]
            for counts, place, more in zip(weighed, places, unseen, strict=True)
        ]


def ends(lows: Iterable[float], highs: Iterable[float], level: float = 0.95) -> tuple[float, float]:
    """Return the interval between draws of its low end and of its high end, one or more of each."""
    tail = (1 - level) / 2
    return _quantile(sorted(lows), tail), _quantile(sorted(highs), 1 - tail)


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Return a quantile of sorted values, interpolated linearly between the two nearest."""
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)
