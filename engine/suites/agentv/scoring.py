"""Scoring: the case by what its evaluators found, as their weighted mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from turnwise.conversations.suites import Check
from turnwise.engine.suites.agentv.grade import PASS_FROM, Grade, Verdict, verdict_of

Graded = tuple[Check, Grade]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseGrade:
    """What all evaluators of a case found together.

    score: the weighted mean. passed: whether it reaches the threshold, and nothing required has failed.
    failure: an evaluator could not be carried out; skipped: one was left out, and the others do not decide.
    gate: a required criterion is not met, or a required evaluator has failed.
    """

    score: float
    verdict: Verdict
    passed: bool
    reason: str
    failure: bool = False
    skipped: bool = False
    gate: bool = False
    grades: tuple[Graded, ...] = ()


def case_grade(found: Sequence[Graded], *, threshold: float | None = None, compat: bool = False) -> CaseGrade:
    """Return the grade of a case from those of its evaluators.

    threshold: the score from which it passes, 0.8 by default. An evaluator with `required` that stays below
    its own least score makes the score 0. A required criterion that is not met makes the case fail; compat:
    only its evaluator.
    """
    least = PASS_FROM if threshold is None else threshold
    counted = [(check, grade) for check, grade in found if not (grade.ignored or grade.skipped)]
    below = next(
        (check for check, grade in found if not grade.skipped and _is_below(check, grade, least)), None
    )
    unmet = next((check for check, grade in counted if grade.gate and not compat), None)
    score = 0.0 if below else _mean([(check.weight, grade.score) for check, grade in counted])
    if (failed := next((one for one in found if one[1].failure), None)) is not None:
        return _undecided(failed, 0.0, found, failure=True)
    skipped = [one for one in found if one[1].skipped]
    if skipped and not (below or unmet):
        best = [(check.weight, 1.0) for check, _ in skipped]
        if _mean([(check.weight, grade.score) for check, grade in counted] + best) >= least:
            return _undecided(skipped[0], score, found, failure=False)
    passed = score >= least and unmet is None
    return CaseGrade(
        score=score,
        verdict="pass" if passed else "fail" if unmet else _short_of(score),
        passed=passed,
        reason=_reason(score, least, passed, below, unmet),
        gate=below is not None or unmet is not None,
        grades=tuple(found),
    )


def least_of(check: Check, threshold: float) -> float:
    """Return the score from which one evaluator counts as passed: min_score, else what `required` says."""
    required = check.config.get("required")
    if check.threshold is not None:
        return check.threshold
    if isinstance(required, (int, float)) and not isinstance(required, bool):
        return float(required)
    return threshold


def name_of(check: Check) -> str:
    """Return the name of an evaluator: its own, else its type."""
    return check.metric or check.type


def _is_below(check: Check, grade: Grade, threshold: float) -> bool:
    required = bool(check.config.get("required")) and not grade.failure
    return required and grade.score < least_of(check, threshold)


def _mean(weighed: Sequence[tuple[float, float]]) -> float:
    total = sum(weight for weight, _ in weighed)
    return sum(weight * score for weight, score in weighed) / total if total > 0 else 0.0


def _undecided(one: Graded, score: float, found: Sequence[Graded], *, failure: bool) -> CaseGrade:
    reason = f"{name_of(one[0])}: {one[1].reason}"
    return CaseGrade(
        score=score,
        verdict="fail",
        passed=False,
        reason=reason,
        failure=failure,
        skipped=not failure,
        grades=tuple(found),
    )


def _short_of(score: float) -> Verdict:
    # A file's own threshold may lie above the score from which AgentV speaks of a pass.
    word = verdict_of(score)
    return "borderline" if word == "pass" else word


def _reason(score: float, least: float, passed: bool, below: Check | None, unmet: Check | None) -> str:
    if below is not None:
        return f"{name_of(below)} is required, and has failed"
    if unmet is not None:
        return f"{name_of(unmet)}: a required criterion is not met"
    return f"The score {score:.2f} {'reaches' if passed else 'is below'} {least:g}"
