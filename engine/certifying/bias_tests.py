"""Tests by which a judge's answers to probes name a bias, so that an honest judge is not accused by chance.

Every test is exact. All of them are held together to one small chance of a single false accusation (Holm),
and a bias must move scores by enough to matter as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

CHANCE = 0.005
"""How probable it is at most that an honest judge is accused of anything."""
LEAST_MOVE = 0.05
"""Scores move less than this by what is no bias worth a name."""


@dataclass(frozen=True, slots=True)
class BiasTest:
    """One suspicion: how many probes there were, how many showed it, by how much, and how probable by chance.

    key: names the bias. move: the mean move of scores, or the share. chance: a p-value.
    """

    key: str
    probes: int
    showed: int
    move: float
    chance: float


def binomial_tail(successes: int, trials: int, chance: float) -> float:
    """Return how probable at least so many successes are."""
    return min(
        1.0,
        sum(comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(successes, trials + 1)),
    )


def sign_test(moves: Sequence[float], least: float) -> tuple[int, int, float]:
    """Return how many moves go up and down by at least so much, and the chance of so many going up."""
    up, down = sum(move >= least for move in moves), sum(move <= -least for move in moves)
    return up, down, binomial_tail(up, up + down, 0.5) if up + down else 1.0


def more_often(one: int, of_one: int, other: int, of_other: int) -> float:
    """Return how probable it is that something so much oftener happens in the first of two samples by chance.

    Fisher's exact test, one-sided. Source: Fisher, Statistical Methods for Research Workers (1934).
    """
    happened, every = one + other, of_one + of_other
    if not of_one or not of_other:
        return 1.0
    return min(
        1.0,
        sum(
            comb(of_one, k) * comb(of_other, happened - k)
            for k in range(one, min(of_one, happened) + 1)
            if happened - k <= of_other
        )
        / comb(every, happened),
    )


def held_together(tests: Sequence[BiasTest], chance: float = CHANCE) -> list[BiasTest]:
    """Return the tests that stand when all are held to one chance of any false accusation, and move enough.

    Source: Holm, A Simple Sequentially Rejective Multiple Test Procedure (1979).
    """
    standing = []
    for place, test in enumerate(sorted(tests, key=lambda one: one.chance)):
        if test.chance > chance / (len(tests) - place):
            break
        standing.append(test)
    return [test for test in standing if abs(test.move) >= LEAST_MOVE]
