"""TrialChange: a trial beside the one before it, on what both scored: what moved, and how surely.

Whether it says what people say more or less often than before is tested by the sessions that came out the
other way alone: those that came to agree and those that came to differ, each as likely as the other by chance
(McNemar, Note on the sampling error of the difference between correlated proportions, Psychometrika 12, 1947;
as an exact binomial test, the sign test, which holds for few sessions too). It is sure at 5 %, of both sides.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import comb, isnan
from typing import Any

from turnwise.engine.criteria.criterion_trial import CriterionTrial, TrialRow
from turnwise.engine.people.agreement import Figure
from turnwise.engine.people.statistics.bounded_means import mean_interval, mean_of
from turnwise.engine.people.statistics.rater_agreement import Confusion, kappa_of

SURE_AT = 0.05
"""What chance brings about no more often than this is sure."""


@dataclass(frozen=True)
class TrialChange:
    """Two trials of a criterion, both by the labels that the later one has."""

    before: CriterionTrial
    now: CriterionTrial

    @cached_property
    def flips(self) -> dict[int, TrialRow]:
        """The rows of before of the sessions that came out the other way now, by session."""
        return {session: was for session, (was, now) in self._both.items() if was.passed is not now.passed}

    @cached_property
    def _both(self) -> dict[int, tuple[TrialRow, TrialRow]]:
        """Both rows of each session that both scored."""
        before = {row.session: row for row in self.before.rows if row.passed is not None}
        return {
            row.session: (before[row.session], row)
            for row in self.now.rows
            if row.passed is not None and row.session in before
        }

    @cached_property
    def matrices(self) -> tuple[Confusion, Confusion]:
        """What was said before and now, on the sessions that both scored and people labelled."""
        labelled = [(was, now) for was, now in self._both.values() if now.people is not None]
        return (
            Confusion.of((bool(was.passed), bool(now.people)) for was, now in labelled),
            Confusion.of((bool(now.passed), bool(now.people)) for _, now in labelled),
        )

    @property
    def mended(self) -> int:
        """How many sessions came out as people say, and did not before."""
        return sum(self._both[one][1].passed is self._both[one][1].people for one in self.flips)

    @property
    def broken(self) -> int:
        """How many sessions came out as people say before, and do no more."""
        return sum(was.passed is self._both[one][1].people for one, was in self.flips.items())

    @property
    def p_value(self) -> float:
        """How probable by chance so many more on one side, or on the other, were: 0 to 1.

        Of five that all went to one side it is 0.06, and of six 0.03.
        """
        more, fewer = max(self.mended, self.broken), min(self.mended, self.broken)
        return min(1.0, 2 * chance_of_mending(more, fewer))

    @property
    def is_sure(self) -> bool:
        """Whether it agrees with people more or less often than before, by more than chance."""
        return self.p_value <= SURE_AT

    def tpr_change(self) -> Figure:
        """Return by how much more of what people passed the judge passes now, with its paired interval."""
        return self._share_change(True)

    def tnr_change(self) -> Figure:
        """Return by how much more of what people failed the judge fails now, with its paired interval."""
        return self._share_change(False)

    def _share_change(self, verdict: bool) -> Figure:
        moved = [
            (float(now.passed is verdict) - float(was.passed is verdict), 1)
            for was, now in self._both.values()
            if now.people is verdict
        ]
        if not moved:
            return Figure(None, why=f"people {'passed' if verdict else 'failed'} none of them")
        low, high = mean_interval(moved)
        return Figure(mean_of(moved)) if isnan(low) else Figure(mean_of(moved), low, high)

    def data(self) -> dict[str, Any]:
        """Return it as JSON-ready values."""
        was, now = self.matrices
        return {
            "run": self.before.run_id,
            "version": self.before.criterion.fingerprint,
            "judge": self.before.judge,
            "n": now.total,
            "tpr": {"was": told(was.tpr), "now": told(now.tpr), "change": self.tpr_change().data()},
            "tnr": {"was": told(was.tnr), "now": told(now.tnr), "change": self.tnr_change().data()},
            "kappa": {"was": told(kappa_of(was)), "now": told(kappa_of(now))},
            "flipped": sorted(self.flips),
            "p_value": self.p_value,
        }


def chance_of_mending(mended: int, broken: int) -> float:
    """Return how likely at least so many of all that flipped are mended where each is as likely broken.

    The one side of McNemar's test, as an exact binomial test. 1 where nothing flipped.
    """
    flipped = mended + broken
    ways = sum(comb(flipped, count) for count in range(mended, flipped + 1))
    return float(Fraction(ways, 2**flipped))


def told(value: float) -> float | None:
    """Return a figure, None for one that cannot be told."""
    return None if isnan(value) else value
