"""Grade: what one evaluator found in an answer, and the words for a score."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from turnwise.conversations.suites import Check

Verdict = Literal["pass", "borderline", "fail"]

PASS_FROM = 0.8
"""The score from which an answer passes, where a file sets none."""
BORDERLINE_FROM = 0.6
_SHOWN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """What one evaluator found.

    score: 0 to 1. verdict: in AgentV's words; mostly the score's, but a required part that fails makes it
    fail whatever the score. hits and misses: what was met and what was not, as short texts.
    gate: a part that the file calls required has failed. failure: the evaluator could not be carried out, so
    it says nothing about the answer; skipped: something it needs is not here; next_step: what to do about
    either. ignored: it says nothing and counts nothing, as AgentV has it with a reply that cannot be read.
    members: of a composite, in order. calls: the keys of the judge calls it rests on.
    """

    score: float
    verdict: Verdict
    hits: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()
    reason: str = ""
    gate: bool = False
    failure: bool = False
    skipped: bool = False
    next_step: str = ""
    ignored: bool = False
    members: tuple[tuple[Check, Grade], ...] = ()
    calls: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """Why it is so, in a line: the evaluator's own reason, else what was missed, else what was met."""
        parts = [self.reason] if self.reason else []
        if self.misses and self.verdict != "pass":
            parts.append("; ".join(self.misses[:_SHOWN]))
        return " · ".join(parts) or "; ".join(self.hits[:_SHOWN])


def verdict_of(score: float) -> Verdict:
    """Return the word for a score."""
    if score >= PASS_FROM:
        return "pass"
    return "borderline" if score >= BORDERLINE_FROM else "fail"


def clamped(score: float) -> float:
    """Return a score between 0 and 1; what is no number is 0."""
    return min(1.0, max(0.0, score)) if math.isfinite(score) else 0.0


def graded(
    score: float,
    hits: Iterable[str] = (),
    misses: Iterable[str] = (),
    reason: str = "",
    *,
    gate: bool = False,
) -> Grade:
    """Return the grade of a score; a required part that failed makes the verdict fail."""
    return Grade(
        score=score,
        verdict="fail" if gate else verdict_of(score),
        hits=tuple(hits),
        misses=tuple(misses),
        reason=reason,
        gate=gate,
    )


def met_or_missed(holds: bool, hit: str, miss: str) -> Grade:
    """Return the grade of a condition: 1 with the hit, or 0 with the miss."""
    return graded(float(holds), hits=(hit,) if holds else (), misses=() if holds else (miss,))


def unmeasured(what: str, *, compat: bool) -> Grade:
    """Return the grade where the target tells nothing of what is checked: skipped; compat: a score of 0."""
    if compat:
        return graded(0.0, misses=(what,))
    return Grade(
        score=0.0,
        verdict="fail",
        reason=what,
        skipped=True,
        next_step="Ask a target that tells it, or leave the check out.",
    )
