"""Stratum rates: how probably sessions of each stratum pass, learned from the labels so far.

    seen = SeenStrata(sizes=(600, 200, 40))
    seen.take(stratum=2, passed=1.0)
    rates = seen.rates()                         # of each stratum: how probably its next session passes

Strata lie in the order of a judge's score, so that those of about the same rate lie side by side. Where they
part is not known: all ways of cutting the row into stretches of one rate each are weighed by how well they
foretold the labels (product partition models, Barry and Hartigan 1993), and the rates are the mean of all. A
judge that tells nothing soon leaves the row uncut, a good one soon has it cut where people begin to pass.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

EVEN_SHARE = 0.3
"""So much of every chance is the same for all sessions, so that none is ever passed over."""
CUT = 0.3
"""How probable a cut between two neighbouring strata is beside none, before there is any label."""
PRIOR = 0.5
"""A rate of which nothing is known: as if half a session had passed, and half a session failed (Jeffreys)."""


class SeenStrata:
    """What is known of each stratum after some draws. left: how many of its sessions were not drawn."""

    def __init__(self, sizes: Sequence[int]) -> None:
        count = len(sizes)
        self.left = list(sizes)
        self._drawn = [0] * count
        self._passed = [0.0] * count
        # Of the stretch from one stratum to before another: how probable its labels are if it has one rate,
        # divided by how probable they are if each stratum has its own. It never grows beyond all bounds.
        self._stretches = [[1.0] * (count + 1) for _ in range(count)]

    def take(self, stratum: int, passed: float) -> None:
        """Note what one draw showed: 1 where people pass it, 0 where not, 0.5 where they do not say."""
        alone = _likelihood(_rate(self._drawn[stratum], self._passed[stratum]), passed)
        for start in range(stratum + 1):
            drawn, good = sum(self._drawn[start:stratum]), sum(self._passed[start:stratum])
            for end in range(stratum, len(self.left)):
                drawn += self._drawn[end]
                good += self._passed[end]
                self._stretches[start][end + 1] *= _likelihood(_rate(drawn, good), passed) / alone
        self.left[stratum] -= 1
        self._drawn[stratum] += 1
        self._passed[stratum] += passed

    def rates(self) -> list[float]:
        """Return how probably a session of each stratum passes: above 0 and below 1.

        The mean over all ways of cutting the row, found from both of its ends.
        """
        count, stretches = len(self.left), self._stretches
        # All cuts of what lies before a stratum, and of what begins with it; each new stretch is a cut more.
        before, after = [1.0] + [0.0] * count, [0.0] * count + [1.0]
        for end in range(1, count + 1):
            for start in range(end):
                before[end] += before[start] * stretches[start][end] * (CUT if start else 1.0)
        for start in range(count - 1, -1, -1):
            for end in range(start + 1, count + 1):
                after[start] += stretches[start][end] * after[end] * (CUT if start else 1.0)
        found = [0.0] * count
        for start in range(count):
            drawn, passed = 0, 0.0
            here = before[start] / before[count] * (CUT if start else 1.0)
            for end in range(start + 1, count + 1):
                drawn += self._drawn[end - 1]
                passed += self._passed[end - 1]
                part = here * stretches[start][end] * after[end] * _rate(drawn, passed)
                for stratum in range(start, end):
                    found[stratum] += part
        return found

    def chances(self) -> tuple[float, ...]:
        """Return the chance of one session of each stratum to be drawn next; all together have 1.

        More where a label varies more; source: Neyman (1934).
        """
        roots = [sqrt(rate * (1 - rate)) for rate in self.rates()]
        whole = sum(n * root for n, root in zip(self.left, roots, strict=True))
        if not whole:
            return (0.0,) * len(roots)
        even = EVEN_SHARE / sum(self.left)
        return tuple((1 - EVEN_SHARE) * root / whole + even for root in roots)


def _rate(drawn: int, passed: float) -> float:
    return (passed + PRIOR) / (drawn + 2 * PRIOR)


def _likelihood(rate: float, passed: float) -> float:
    """Return how probable a label is at a rate; for one that is half a pass, halfway between both."""
    if passed in (0, 1):
        return rate if passed else 1 - rate
    return sqrt(rate * (1 - rate))
