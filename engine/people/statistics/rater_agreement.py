"""How far raters agree: a judge against people (Confusion), two raters (kappa), any number of them (alpha).

Of a judge and people, the people's labels are taken as the truth, and "pass" as the positive class.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from math import nan


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
    def fewest_labels(self) -> int:
        """How many labels people gave of the kind that they gave less often, pass or fail."""
        return min(self.people_passed, self.people_failed)

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
    """Return the share of a part in a whole; nan where the whole is 0."""
    return part / whole if whole else nan


def kappa_of_counts(pairs: Mapping[tuple[Hashable, Hashable], int]) -> float:
    """Return Cohen's kappa of two raters, from how often they gave each pair of categories.

    1 at best, 0 as chance would have it; nan where nothing was rated, and where both only ever use one and
    the same category. Source: Cohen, A Coefficient of Agreement for Nominal Scales (1960).
    """
    total = sum(pairs.values())
    by_first: Counter[Hashable] = Counter()
    by_second: Counter[Hashable] = Counter()
    same = 0
    for (one, other), count in pairs.items():
        by_first[one] += count
        by_second[other] += count
        same += count * (one == other)
    # In whole numbers, so that a chance agreement of exactly 1 is seen as such.
    chance = sum(count * by_second[category] for category, count in by_first.items())
    if chance == total * total:
        return nan
    return (same * total - chance) / (total * total - chance)


def kappa_of_weights(pass_pass: float, pass_fail: float, fail_pass: float, fail_fail: float) -> float:
    """Return the same of two raters and two categories, which need not be whole numbers."""
    total = pass_pass + pass_fail + fail_pass + fail_fail
    first, second = pass_pass + pass_fail, pass_pass + fail_pass
    chance = first * second + (total - first) * (total - second)
    unlike = total * total - chance
    return ((pass_pass + fail_fail) * total - chance) / unlike if unlike > 1e-12 * total * total else nan


def kappa_of(matrix: Confusion) -> float:
    """Return Cohen's kappa of a judge and people; nan where both only ever passed, or only ever failed."""
    pass_pass, pass_fail, fail_pass, fail_fail = matrix.counts
    return kappa_of_counts(
        {(1, 1): pass_pass, (1, 0): pass_fail, (0, 1): fail_pass, (0, 0): fail_fail},
    )


Pattern = tuple[int, ...]
"""Of one item: how many raters gave it each category, with the categories in a fixed order."""


def alpha_of_patterns(patterns: Mapping[Pattern, float]) -> float:
    """Return Krippendorff's alpha for categories without order, of any number of raters.

    patterns: how many items were rated in each way, or how much they weigh; a rater may have left items out.
    1 at best, 0 as chance
    would have it. Items with fewer than two ratings say nothing of agreement: nan where no item has two, and
    where all ratings are the same.
    Source: Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section C.
    """
    by_category: dict[int, float] = {}
    disagreeing = 0.0
    for pattern, items in patterns.items():
        ratings = sum(pattern)
        if ratings < 2 or not items:
            continue
        for category, count in enumerate(pattern):
            by_category[category] = by_category.get(category, 0.0) + count * items
        # Each item weighs as many ratings as it has: its pairs are divided by the number of its others.
        pairs = ratings * ratings - sum(count * count for count in pattern)
        disagreeing += items * pairs / (ratings - 1)
    total = sum(by_category.values())
    expected = total * total - sum(count * count for count in by_category.values())
    return 1 - (total - 1) * disagreeing / expected if expected else nan
