"""Fair bets: what one label tells about the pass rate of all sessions that are left.

    bet, gap = fastest_bet(rates, shares, chances, gap=0.05)
    won *= 1 + bet.stake * (bet.found(stratum, passed) - m)

If `m` is the pass rate, the mean of that factor is 1, whatever `rates` say: `found` is an unbiased estimate.
If the rates are right, no bet wins faster against the pass rate that lies `gap` below: the factor is then how
probable the label is by the rates, divided by how probable it is in the population that passes so much less
often and is hardest to tell from them (the reverse information projection: Larsson, Ramdas and Ruf 2024,
https://arxiv.org/abs/2402.18810).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

STEPS = 4
"""Newton's steps to the stake, at the most. One that is not quite the best is as fair."""
_NEAR = 1e-6


@dataclass(frozen=True, slots=True)
class Bet:
    """A bet that more pass than somebody says. stake: how much is bet on it.

    base: what is found where a session of a stratum fails. worth: how much more where it passes. Both are 0
    where nothing is left. least: the least that can be found.
    """

    stake: float
    base: tuple[float, ...]
    worth: tuple[float, ...]
    least: float

    def found(self, stratum: int, passed: bool) -> float:
        """Return the estimate that a label gives of the pass rate of what is left."""
        return self.base[stratum] + (self.worth[stratum] if passed else 0.0)


def fastest_bet(
    rates: Sequence[float], shares: Sequence[float], chances: Sequence[float], gap: float
) -> tuple[Bet, float]:
    """Return the bet, and the gap that it aims at: never more than half of the rate itself.

    rates: how probably a session of each stratum passes, above 0 and below 1. shares: of each stratum among
    what is left. chances: of each stratum to be drawn from. Both are 0 where nothing is left.
    """
    there = [
        (stratum, rates[stratum], share, chance, share / chance)
        for stratum, (share, chance) in enumerate(zip(shares, chances, strict=True))
        if share
    ]
    gap = min(gap, sum(rate * share for _, rate, share, _, _ in there) / 2)
    variance = sum(rate * (1 - rate) * share * worth for _, rate, share, _, worth in there)
    stake = gap / (variance + gap * gap)
    for _ in range(STEPS):
        short, slope = gap, 0.0
        for _, rate, share, _, worth in there:
            hard, root = _hardest(rate, stake * worth)
            short -= share * (rate - hard)
            slope += share * worth * hard * (1 - hard) / root
        if abs(short) < _NEAR * gap:
            break
        stake = min(4 * stake, max(stake / 4, stake + short / slope))
    base, worths, middle = [0.0] * len(shares), [0.0] * len(shares), 0.0
    for stratum, rate, _, chance, worth in there:
        base[stratum] = (1 - rate) / (1 - _hardest(rate, stake * worth)[0]) / stake
        worths[stratum] = worth
        middle += base[stratum] * chance
    # What is found is unbiased only if failures alone have the mean 0.
    for stratum, *_ in there:
        base[stratum] -= middle
    return Bet(stake, tuple(base), tuple(worths), min(base[one[0]] for one in there)), gap


def _hardest(rate: float, pull: float) -> tuple[float, float]:
    """Return the rate r below another with rate - r = pull · r · (1 - r), and the root that its slope needs.

    There the sum of what a label tells is least for strata whose rates fall so much together (Lagrange).
    """
    root = sqrt((1 + pull) ** 2 - 4 * pull * rate)
    return 2 * rate / (1 + pull + root), root
