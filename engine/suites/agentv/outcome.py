"""Outcome: grades as the results that every suite's cases have."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from turnwise.conversations.suites import Check
from turnwise.engine.suites.agentv.grade import PASS_FROM, Grade
from turnwise.engine.suites.agentv.scoring import CaseGrade, least_of
from turnwise.engine.suites.results import CaseOutcome, CaseResult, CheckResult


def case_result(grade: CaseGrade, *, threshold: float | None = None) -> CaseResult:
    """Return what a case came to; the members of a composite follow it among the checks."""
    return CaseResult(
        outcome=outcome_of(grade),
        score=grade.score,
        reason=grade.reason,
        checks=tuple(check_results(grade, threshold=threshold)),
    )


def outcome_of(grade: CaseGrade) -> CaseOutcome:
    """Return the outcome of a case, or of a part of one."""
    if grade.failure:
        return "failure"
    if grade.skipped:
        return "skipped"
    return "pass" if grade.passed else "fail"


def check_results(grade: CaseGrade, *, threshold: float | None = None) -> Iterator[CheckResult]:
    """Yield what each evaluator of a case came to."""
    yield from _results(grade.grades, PASS_FROM if threshold is None else threshold)


def _results(found: Sequence[tuple[Check, Grade]], threshold: float) -> Iterator[CheckResult]:
    for check, grade in found:
        yield _result(check, grade, threshold)
        yield from _results(grade.members, threshold)


def _result(check: Check, grade: Grade, threshold: float) -> CheckResult:
    undecided = grade.failure or grade.skipped or grade.ignored
    return CheckResult(
        passed=not undecided and _passes(check, grade, threshold),
        score=grade.score,
        reason=grade.told,
        failure=grade.failure,
        skipped=grade.skipped or grade.ignored,
        next_step=grade.next_step,
        type=f"not-{check.type}" if check.negate else check.type,
        weight=check.weight,
        metric=check.metric,
        calls=grade.calls,
        threshold=least_of(check, threshold),
    )


def _passes(check: Check, grade: Grade, threshold: float) -> bool:
    least = least_of(check, threshold)
    if least == PASS_FROM:
        # A composite that counts its members may pass below the score from which others do.
        return grade.verdict == "pass"
    return grade.score >= least and not grade.gate
