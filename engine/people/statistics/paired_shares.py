"""Paired shares: how sure the difference is between two shares of the same things."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan, sqrt

from turnwise.engine.people.statistics.intervals import wilson


@dataclass(frozen=True, slots=True)
class PairedCounts:
    """How often each of two raters was right about the same things: four counts, 0 or more."""

    both: int = 0
    first_only: int = 0
    second_only: int = 0
    neither: int = 0

    @property
    def total(self) -> int:
        """How many things there are."""
        return self.both + self.first_only + self.second_only + self.neither

    @property
    def first(self) -> int:
        """How often the first one was right."""
        return self.both + self.first_only

    @property
    def second(self) -> int:
        """How often the second one was right."""
        return self.both + self.second_only


def paired_interval(counts: PairedCounts, *, level: float = 0.95) -> tuple[float, float]:
    """Return the interval of the second share less the first, within -1 to 1; (nan, nan) of nothing.

    Source: Newcombe, Improved Confidence Intervals for the Difference between Binomial Proportions Based on
    Paired Data (1998), method 10. It holds for few pairs too, and where no pair differs.
    """
    total = counts.total
    if not total:
        return nan, nan
    first, second = counts.first / total, counts.second / total
    (low_1, high_1), (low_2, high_2) = (
        wilson(part, total, level=level) for part in (counts.first, counts.second)
    )
    phi = _corrected_phi(counts)
    difference = second - first

    def reach(one: float, other: float) -> float:
        return sqrt(max(0.0, one * one - 2 * phi * one * other + other * other))

    down = reach(second - low_2, high_1 - first)
    up = reach(high_2 - second, first - low_1)
    return max(-1.0, difference - down), min(1.0, difference + up)


def _corrected_phi(counts: PairedCounts) -> float:
    """Return how far being right goes together, corrected for continuity where it does."""
    total = counts.total
    margins = counts.first * (total - counts.first) * counts.second * (total - counts.second)
    if not margins:
        return 0.0
    together = counts.both * counts.neither - counts.first_only * counts.second_only
    corrected = max(0.0, together - total / 2) if together > 0 else float(together)
    return corrected / sqrt(margins)
