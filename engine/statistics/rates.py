"""Rates: how often a judge's pass and fail are those of people, and how sure such a share is.

People's labels are taken as the truth, and "pass" as the positive class.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import nan, sqrt
from statistics import NormalDist


@dataclass(frozen=True, slots=True)
class Confusion:
    """How often judge and people said what: four counts, 0 or more.

    true_pass: both passed. false_pass: the judge passed what people failed. false_fail: the judge failed
    what people passed. true_fail: both failed.
    """

    true_pass: int = 0
    false_pass: int = 0
    false_fail: int = 0
    true_fail: int = 0

    @classmethod
    def of(cls, pairs: Iterable[tuple[bool, bool]]) -> Confusion:
        """Count pairs of what the judge said and what people said, True for pass."""
        counts = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
        for judge, people in pairs:
            counts[bool(judge), bool(people)] += 1
        return cls(*counts.values())

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """The four counts, in the order of the fields."""
        return self.true_pass, self.false_pass, self.false_fail, self.true_fail

    @property
    def total(self) -> int:
        """How many pairs there are."""
        return sum(self.counts)

    @property
    def people_passed(self) -> int:
        """How many people passed."""
        return self.true_pass + self.false_fail

    @property
    def people_failed(self) -> int:
        """How many people failed."""
        return self.false_pass + self.true_fail

    @property
    def judge_passed(self) -> int:
        """How many the judge passed."""
        return self.true_pass + self.false_pass

    @property
    def tpr(self) -> float:
        """The true positive rate (recall): the share of what people passed that the judge passed too.

        0 to 1; nan where people passed nothing.
        """
        return share(self.true_pass, self.people_passed)

    @property
    def tnr(self) -> float:
        """The true negative rate: the share of what people failed that the judge failed too.

        0 to 1; nan where people failed nothing.
        """
        return share(self.true_fail, self.people_failed)

    @property
    def precision(self) -> float:
        """The share of what the judge passed that people passed too, 0 to 1; nan where it passed nothing."""
        return share(self.true_pass, self.judge_passed)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and true positive rate, 0 to 1; nan where nobody passed anything.

        Source: van Rijsbergen, Information Retrieval (1979), chapter 7, with both weighing the same.
        """
        return share(2 * self.true_pass, self.people_passed + self.judge_passed)


def share(part: float, whole: float) -> float:
    """Return a part of a whole; nan of nothing."""
    return part / whole if whole else nan


def wilson(successes: int, trials: int, *, level: float = 0.95) -> tuple[float, float]:
    """Return the Wilson score interval of a share, within 0 to 1; (nan, nan) without trials.

    Source: Wilson, Probable Inference, the Law of Succession, and Statistical Inference (1927), without
    correction for continuity. Raises ValueError where there are more successes than trials, or fewer than 0.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes in {trials} trials")
    if not trials:
        return nan, nan
    z = NormalDist().inv_cdf((1 + level) / 2)
    found = successes / trials
    scale = 1 + z * z / trials
    middle = (found + z * z / (2 * trials)) / scale
    apart = z / scale * sqrt(found * (1 - found) / trials + z * z / (4 * trials * trials))
    # At the ends the formula gives 0 and 1 but for rounding.
    low = 0.0 if successes == 0 else middle - apart
    high = 1.0 if successes == trials else middle + apart
    return low, high
