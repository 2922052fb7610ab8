"""How a check says what it found."""

from __future__ import annotations

from turnwise.conversations.suites import Check
from turnwise.engine.suites.results import CheckResult

_SHOWN = 200


def yes_or_no(check: Check, holds: bool, *, expected: str, score: float | None = None) -> CheckResult:
    """Return the result of a condition; a negated check passes where it does not hold.

    expected: what the output should do, as in "contain "Paris"". score: where it is not just 1 or 0.
    """
    passed = holds != check.negate
    return CheckResult(
        passed=passed,
        score=float(passed) if score is None else score,
        reason="" if passed else f"Expected the output {'not ' if check.negate else ''}to {expected}",
    )


def measured(check: Check, score: float, *, threshold: float, name: str) -> CheckResult:
    """Return the result of a measure from 0 to 1 that must reach a threshold; negated, it must stay below."""
    passed = (score >= threshold) != check.negate
    relation = "reaches" if score >= threshold else "is below"
    return CheckResult(
        passed=passed,
        score=1 - score if check.negate else score,
        reason=f"{name} {score:.4f} {relation} the threshold {threshold:g}",
    )


def quoted(text: str) -> str:
    """Return a text in quotation marks, cut where it is long."""
    return f'"{text}"' if len(text) <= _SHOWN else f'"{text[:_SHOWN]}…"'
