"""Grading an answer: each check by its function, and the case by the weighted mean of its checks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from turnwise.conversations.errors import NotFoundError, SettingError, TurnwiseError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.registry import SET, check_function, left_out
from turnwise.engine.suites.results import CaseOutcome, CaseResult, CheckResult

SCRIPTS = ("javascript", "python", "ruby")
Grader = Callable[[Check], CheckResult]


@dataclass(frozen=True, slots=True)
class Transformed:
    """An output that a check's transform has made, in the place of the transform."""

    output: Any


def grade_check(check: Check, answer: Answer, *, compat: bool = False) -> CheckResult:
    """Check one answer. It never raises: what cannot be carried out is a failure, what is not here a skip.

    A check that needs a judge is skipped; see judging.judge_case. compat: do as promptfoo 0.123.1 does where
    that is weaker. For a set of checks, see grade_case.
    """
    if is_set(check):
        grader = partial(grade_check, answer=answer, compat=compat)
        return _as_one(
            check, case_result(check.children, check.threshold, grader, compat=compat, is_set=True)
        )
    return labelled(check, _attempt(check, answer, compat=compat))


def grade_case(
    checks: Iterable[Check],
    threshold: float | None,
    answer: Answer,
    *,
    compat: bool = False,
    found: Mapping[int, CheckResult] | None = None,
) -> CaseResult:
    """Check one answer by all the checks of a case, and score it.

    threshold: the score at which the case passes, whatever single checks say; None (or NaN): each must pass.
    No checks at all: it passes with 1. found: results that are there already, by id() of their checks.
    """
    known = found or {}

    def grader(check: Check) -> CheckResult:
        return known.get(id(check)) or grade_check(check, answer, compat=compat)

    return case_result(checks, threshold, grader, compat=compat)


def is_set(check: Check) -> bool:
    """Whether a check is a set of checks; there is no not-assert-set."""
    return check.type == SET and not check.negate


def case_result(
    checks: Iterable[Check],
    threshold: float | None,
    grader: Grader,
    *,
    compat: bool = False,
    is_set: bool = False,
) -> CaseResult:
    """Score a case by its checks as a grader finds them; the members of sets are graded each by itself.

    compat: pass a case whose last failing script gives no reason. is_set: score a set, of which an empty one
    has 0.
    """
    found: list[CheckResult] = []
    tally = _Tally(compat=compat, is_set=is_set)
    for check in checks:
        if check.type == SET and not check.negate:
            inner = case_result(check.children, check.threshold, grader, compat=compat, is_set=True)
            result = _as_one(check, inner)
            found += [result, *inner.checks]
        else:
            result = grader(check)
            found += [result, *result.parts]
        tally.add(result)
    return tally.case(None if threshold is None or math.isnan(threshold) else threshold, found)


@dataclass(slots=True)
class _Tally:
    """The sums behind the score of a case."""

    compat: bool = False
    is_set: bool = False
    members: list[CheckResult] = field(default_factory=list)
    score: float = 0.0
    weight: float = 0.0
    named: dict[str, float] = field(default_factory=dict)
    named_weights: dict[str, float] = field(default_factory=dict)

    def add(self, result: CheckResult) -> None:
        """Count one check, or one set as a whole."""
        self.members.append(result)
        if result.failure or result.skipped:
            return
        self.score += result.score * result.weight
        self.weight += result.weight
        if result.metric:
            self._add_named(result.metric, result.score, result.weight)
        for name, score in result.named_scores.items():
            if name != result.metric:
                self._add_named(name, score, result.named_weights.get(name, 1.0) * result.weight)

    def _add_named(self, name: str, score: float, weight: float) -> None:
        self.named[name] = self.named.get(name, 0.0) + score * weight
        self.named_weights[name] = self.named_weights.get(name, 0.0) + weight

    def case(self, threshold: float | None, checks: Sequence[CheckResult]) -> CaseResult:
        """Return the result of the case, with all checks as they are listed."""
        score = self.score / self.weight if self.weight > 0 else 0.0
        if not self.members and not self.is_set:
            score = 1.0
        outcome, reason = self._outcome(score, threshold)
        weights = self.named_weights
        return CaseResult(
            outcome=outcome,
            score=0.0 if outcome == "failure" else score,
            reason=reason,
            # What is left of a case that could not be checked is no measure of it.
            named_scores={}
            if outcome == "failure"
            else {
                name: total / weights[name] if weights[name] > 0 else 0.0
                for name, total in self.named.items()
            },
            named_weights={} if outcome == "failure" else weights,
            checks=tuple(checks),
        )

    def _outcome(self, score: float, threshold: float | None) -> tuple[CaseOutcome, str]:
        for result in self.members:
            if result.failure:
                return "failure", result.reason
        failed = [result for result in self.members if not result.passed and not result.skipped]
        skipped = [result for result in self.members if result.skipped]
        if failed and threshold is None:
            # promptfoo takes the reason of the check that ends last, and scripts take longer than the rest;
            # an empty one counts as none.
            scripts = [result for result in failed if result.type.removeprefix("not-") in SCRIPTS]
            last = scripts[-1] if scripts and self.compat else failed[-1]
            if last.reason or not scripts or not self.compat:
                return "fail", last.reason
        if skipped:
            return "skipped", skipped[-1].reason
        if threshold is None:
            return "pass", "No checks" if not self.members else "All checks passed"
        passed = score >= threshold or not (self.members or self.is_set)
        relation = "reaches" if passed else "is below"
        return ("pass" if passed else "fail"), f"The score {score:.2f} {relation} the threshold {threshold:g}"


def _attempt(check: Check, answer: Answer, *, compat: bool) -> CheckResult:
    try:
        if absent := left_out(check.type):
            raise NotFoundError(absent[0], next_step=absent[1])
        if compat and (known := _as_promptfoo(check, answer)) is not None:
            return known
        function = check_function(check.type)
        return function(check, prepared(check, answer))
    except TurnwiseError as error:
        return not_carried_out(error)


def _as_promptfoo(check: Check, answer: Answer) -> CheckResult | None:
    """Return what promptfoo 0.123.1 makes of a check where it is weaker; None where it does as turnwise."""
    kind = check.type
    if kind == "meteor":
        # It looks for its stemmer before it has loaded it.
        raise SettingError("promptfoo cannot compute METEOR", next_step="Leave out --compat.")
    if kind == "guardrails" and not _reports(answer):
        passed = not check.negate
        return CheckResult(passed=passed, score=float(passed), reason="No guardrail was applied")
    if kind == "javascript" and not isinstance(check.value, str):
        return CheckResult(passed=False, score=0.0, reason="javascript needs a script")
    if kind in ("is-sql", "contains-sql"):
        from turnwise.engine.suites.checks.sql import knows_database

        if not knows_database(check):
            reason = "There is no such database"
            return CheckResult(passed=check.negate, score=float(check.negate), reason=reason)
    return None


def _reports(answer: Answer) -> bool:
    from turnwise.engine.suites.traces import reported

    return reported(answer, "guardrails") is not None


def not_carried_out(error: TurnwiseError) -> CheckResult:
    """Return the result of a check that an error stopped: skipped where something lacks, else a failure."""
    absent = isinstance(error, NotFoundError)
    reason = f"{error.title}: {error.detail}" if error.detail else error.title
    return CheckResult(
        passed=False,
        score=0.0,
        reason=reason,
        failure=not absent,
        skipped=absent,
        next_step=error.next_step,
    )


def prepared(check: Check, answer: Answer) -> Answer:
    """Return the answer as the check wants it: through its own transform, where it has one.

    Raises NotFoundError where that is not run here, SettingError where it fails.
    """
    code = check.options.get("transform")
    if isinstance(code, Transformed):
        return replace(answer, output=code.output)
    if not isinstance(code, str):
        return answer
    if code.startswith("file://"):
        raise NotFoundError(
            "A transform in a file is not run without --trust",
            next_step="Read it first; --trust then runs it. Or write it into the check.",
        )
    from turnwise.engine.suites.javascript import transformed

    return replace(answer, output=transformed(code, answer))


def labelled(check: Check, result: CheckResult) -> CheckResult:
    """Return a result with the check's names on it; a check of no weight only reports, and never fails."""
    undecided = result.failure or result.skipped
    return replace(
        result,
        passed=result.passed or (check.weight == 0 and not undecided),
        type=f"not-{check.type}" if check.negate else check.type,
        weight=check.weight,
        metric=check.metric,
        threshold=check.threshold,
    )


def _as_one(check: Check, inner: CaseResult) -> CheckResult:
    """Return the result of a set as that of one check."""
    return CheckResult(
        passed=inner.passed,
        score=inner.score,
        reason=inner.reason,
        failure=inner.outcome == "failure",
        skipped=inner.outcome == "skipped",
        type=SET,
        weight=check.weight,
        metric=check.metric,
        threshold=check.threshold,
        named_scores=inner.named_scores,
        named_weights=inner.named_weights,
    )
