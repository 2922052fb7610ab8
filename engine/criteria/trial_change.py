"""TrialChange: a trial beside the one before it, on what both scored: what moved, and how surely."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import isnan
from typing import Any

from turnwise.engine.criteria.criterion_trial import CriterionTrial, TrialRow
from turnwise.engine.people.agreement import Figure
from turnwise.engine.people.statistics.bounded_means import mean_interval, mean_of
from turnwise.engine.people.statistics.rater_agreement import Confusion, kappa_of


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
        }


def told(value: float) -> float | None:
    """Return a figure, None for one that cannot be told."""
    return None if isnan(value) else value
