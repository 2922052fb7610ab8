"""Bradley and Terry's model: how strong groups are, from which of two was preferred again and again.

    strengths = fitted_strengths(["a", "b"], [Comparison("a", "b", 1.0), Comparison("a", "b", 0.5)])
    win_shares(strengths)["a"]

A group of strength s is preferred to one of strength t in s / (s + t) of pairs. Source of the model: Bradley
and Terry, Rank Analysis of Incomplete Block Designs (1952); of the algorithm: Hunter, MM Algorithms for
Generalized Bradley-Terry Models (2004), section 2. A tie counts as half a win for each.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from turnwise.engine.people.statistics.unseen import ends

DRAWS = 300
PRIOR = 0.5
"""How many ties each group has with an imagined one of strength 1: one that never loses stays finite."""
_LEAST_PRIOR = 0.01
"""As many in the draws of an interval, where one pair that nobody saw keeps all finite already."""
_MOST_STEPS, _CLOSE = 500, 1e-6
_STEPS_OF_A_DRAW, _CLOSE_IN_A_DRAW = 60, 1e-3
"""How often strengths are bettered at the most, and by which part of themselves they then move no more."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two groups beside each other. won: 1 where the first was preferred, 0 the second, 0.5 for a tie.

    evidence: comparisons of one kind of evidence, such as several people's of one pair, are drawn together.
    """

    first: str
    second: str
    won: float
    evidence: Hashable = None


_Wins = list[list[float]]


def fitted_strengths(groups: Sequence[str], found: Sequence[Comparison]) -> dict[str, float]:
    """Return the strength of each group, above 0; their product is 1, so that 1 is the middle.

    Each group also has half a tie with an imagined group of strength 1: whoever never lost is strong, not
    endlessly so. Raises KeyError for a comparison of another group.
    """
    wins = _wins_of(groups, found, [1.0] * len(found))
    return dict(zip(groups, _centred(_fit(wins, PRIOR, _MOST_STEPS, _CLOSE)), strict=True))


def win_shares(strengths: Mapping[str, float]) -> dict[str, float]:
    """Return how often each group is preferred to the others, each as often beside it as the next: 0 to 1.

    Of two groups this is the share of pairs; the shares add up to half the number of groups.
    """
    names = list(strengths)
    return dict(zip(names, _shares([strengths[name] for name in names]), strict=True))


def win_share_intervals(
    groups: Sequence[str], found: Sequence[Comparison], *, level: float = 0.95, seed: int = 20
) -> dict[str, tuple[float, float]]:
    """Return the interval of each group's win share.

    What was seen is weighed by chance, evidence by evidence, and for each group one pair is added that nobody
    saw, lost for the low end and won for the high one, as `statistics/unseen.py` says: a bootstrap alone is
    too sure of few pairs. The same comparisons and seed give the same intervals. Takes about a second for
    five groups, whatever the number of pairs.
    """
    draw = random.Random(seed)
    pieces = [(place if one.evidence is None else one.evidence) for place, one in enumerate(found)]
    known = list(dict.fromkeys(pieces))
    size = len(found) / max(1, len(known))
    lows: list[list[float]] = [[] for _ in groups]
    highs: list[list[float]] = [[] for _ in groups]
    for _ in range(DRAWS):
        weight = {piece: draw.expovariate(1.0) for piece in known}
        wins = _wins_of(groups, found, [weight[piece] for piece in pieces])
        unseen = draw.expovariate(1.0) * size
        for place in range(len(groups)):
            lows[place].append(_share_with(wins, place, unseen, is_won=False))
            highs[place].append(_share_with(wins, place, unseen, is_won=True))
    return {name: ends(lows[place], highs[place], level) for place, name in enumerate(groups)}


def linked_groups(groups: Sequence[str], found: Sequence[Comparison]) -> list[list[str]]:
    """Return the groups in parts that were never set beside each other, not through others either."""
    part = {name: {name} for name in groups}
    for one in found:
        if part[one.first] is not part[one.second]:
            joined = part[one.first] | part[one.second]
            for name in joined:
                part[name] = joined
    return [
        [name for name in groups if name in members] for members in {id(p): p for p in part.values()}.values()
    ]


def _wins_of(groups: Sequence[str], found: Sequence[Comparison], weights: Sequence[float]) -> _Wins:
    """Return how often each group (row) was preferred to each other one (column), weighed."""
    place = {name: number for number, name in enumerate(groups)}
    wins = [[0.0] * len(groups) for _ in groups]
    for one, weight in zip(found, weights, strict=True):
        wins[place[one.first]][place[one.second]] += weight * one.won
        wins[place[one.second]][place[one.first]] += weight * (1 - one.won)
    return wins


def _share_with(wins: _Wins, place: int, unseen: float, *, is_won: bool) -> float:
    """Return a group's win share where it won, or lost, one pair more, spread over all others."""
    part = unseen / max(1, len(wins) - 1)
    more = [list(row) for row in wins]
    for other in range(len(wins)):
        if other != place:
            won, lost = (place, other) if is_won else (other, place)
            more[won][lost] += part
    return _shares(_fit(more, _LEAST_PRIOR, _STEPS_OF_A_DRAW, _CLOSE_IN_A_DRAW))[place]


def _fit(wins: _Wins, prior: float, most: int, close: float) -> list[float]:
    """Return the strengths that make what was seen most probable, by Hunter's steps."""
    count = len(wins)
    met = [[wins[one][other] + wins[other][one] for other in range(count)] for one in range(count)]
    won = [sum(row) + prior / 2 for row in wins]
    strengths = [1.0] * count
    for _ in range(most):
        moved = 0.0
        for one in range(count):
            own = strengths[one]
            spread = prior / (own + 1)
            for other in range(count):
                if met[one][other]:
                    spread += met[one][other] / (own + strengths[other])
            strengths[one] = won[one] / spread
            moved = max(moved, abs(strengths[one] - own) / own)
        if moved < close:
            break
    return strengths


def _centred(strengths: Sequence[float]) -> list[float]:
    product = 1.0
    for one in strengths:
        product *= one ** (1 / len(strengths))
    return [one / product for one in strengths]


def _shares(strengths: Sequence[float]) -> list[float]:
    others = max(1, len(strengths) - 1)
    return [
        sum(own / (own + other) for place, other in enumerate(strengths) if place != at) / others
        for at, own in enumerate(strengths)
    ]
