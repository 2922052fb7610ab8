"""What checking an answer finds: the result of one check, and of all the checks of a case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

CaseOutcome = Literal["pass", "fail", "failure", "skipped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """What one check found.

    passed: whether the answer satisfies it. score: mostly 0 to 1, higher is better; a script may go beyond.
    failure: the check could not be carried out, so it says nothing about the answer.
    skipped: something it needs is not here (a judge, trust, a package). next_step: what to do about either.
    type: the check's type, with not- where it is negated. weight and metric: as the check has them.
    named_scores: scores that a script or a set gives by name; named_weights: their weights, 1 where absent.
    calls: the keys of the judge calls it rests on, in order. threshold: the check's own, where it has one.
    parts: what a script says of parts of its own; they are listed behind it and count for nothing.
    """

    passed: bool
    score: float
    reason: str
    failure: bool = False
    skipped: bool = False
    next_step: str = ""
    type: str = ""
    weight: float = 1.0
    metric: str | None = None
    named_scores: Mapping[str, float] = field(default_factory=dict)
    named_weights: Mapping[str, float] = field(default_factory=dict)
    calls: tuple[str, ...] = ()
    threshold: float | None = None
    parts: tuple[CheckResult, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """What all the checks of a case found together.

    outcome: pass or fail; failure where a check could not be carried out; skipped where one was left out and
    the others do not decide. score: the weighted mean. reason: the last check that failed, or the threshold.
    named_scores: the weighted mean of each metric; named_weights: the sums of weights behind them.
    checks: in order; the members of a set follow it.
    """

    outcome: CaseOutcome
    score: float
    reason: str
    named_scores: Mapping[str, float] = field(default_factory=dict)
    named_weights: Mapping[str, float] = field(default_factory=dict)
    checks: tuple[CheckResult, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether the case passes; a failure and a skipped case do not."""
        return self.outcome == "pass"
