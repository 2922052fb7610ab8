"""Grading an answer: each check by its function, and the case by the weighted mean of its checks.

`grade_case` grades by the checks that ask nobody and skips the others; `judge_case` asks a judge as well.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from turnwise.conversations.errors import JudgeError, NotFoundError, SettingError, TurnwiseError
from turnwise.conversations.results import Failure, Score, Skipped
from turnwise.conversations.suites import Check
from turnwise.conversations.templates import as_text
from turnwise.engine.checks.answer import Answer, Transformed
from turnwise.engine.checks.asker import NOTHING, Asker, Reach
from turnwise.engine.checks.findings import CaseOutcome, CaseWord, CheckOutcome, Finding, undecided
from turnwise.engine.checks.judged_twice import judged_beyond_doubt, twice_reason
from turnwise.engine.checks.registry import SET
from turnwise.engine.suites.rules import STRICT, SuiteRules

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import Judge

SCRIPTS = ("javascript", "python", "ruby")
_OF_LISTS = ("contains-any", "contains-all", "icontains-any", "icontains-all")
_SHOWN = 200
_LEAST = 0.5
Grader = Callable[[Check], CheckOutcome]


def grade_check(check: Check, answer: Answer, *, rules: SuiteRules = STRICT) -> CheckOutcome:
    """Check one answer by a check that asks nobody; one that asks a judge is skipped, see judge_case.

    It never raises: what cannot be carried out is a Failure, what lacks something a Skipped.
    """
    if is_set(check):
        grader = partial(grade_check, answer=answer, rules=rules)
        inner = weighted_mean(check.children, check.threshold, grader, rules=rules, is_set=True)
        return _as_one(check, inner)
    try:
        _require_value(check, rules)
        function = rules.checks.function_alone(check.type)
        found = function(check, prepared(check, answer), Asker())
    except TurnwiseError as error:
        return undecided(check, error)
    if not isinstance(found, Finding):
        raise TypeError(f"{check.type} asks somebody, and its line in the registry does not say so")
    return decided(check, found)


def grade_case(
    checks: Iterable[Check],
    threshold: float | None,
    answer: Answer,
    *,
    rules: SuiteRules = STRICT,
    found: Mapping[int, CheckOutcome] | None = None,
) -> CaseOutcome:
    """Check one answer by all the checks of a case, and score it.

    threshold: the score at which the case passes, whatever single checks say; None (or NaN): each must pass.
    No checks at all: it passes with 1. found: outcomes that are there already, by id() of their checks.
    """
    known = found or {}

    def grader(check: Check) -> CheckOutcome:
        return known.get(id(check)) or grade_check(check, answer, rules=rules)

    return weighted_mean(checks, threshold, grader, rules=rules)


async def judge_case(
    checks: Sequence[Check],
    threshold: float | None,
    answer: Answer,
    judge: Judge | None,
    *,
    options: Mapping[str, Any] | None = None,
    secret: str | None = None,
    rules: SuiteRules = STRICT,
    reach: Reach = NOTHING,
    found: Mapping[int, CheckOutcome] | None = None,
) -> CaseOutcome:
    """Check one answer by all the checks of a case, those that need a judge among them, and score it.

    judge: without one, the checks that need it are skipped. options: the case's own, of which rubricPrompt
    and the models of provider are used where a check has none. secret: what fences are derived from; the
    judge's own by default. reach: what checks may use beside the judge. found: outcomes that are there
    already, by id() of their checks. Raises BudgetSpentError.
    """
    own = {name: value for name, value in (options or {}).items() if _is_for_checks(name, value)}
    fences = secret or (judge.secret if judge else "")

    async def asked(check: Check) -> CheckOutcome:
        whole = replace(check, options={**own, **check.options})
        return await ask_check(whole, answer, Asker(judge, secret=fences, reach=reach), rules=rules)

    known = dict(found or {})
    asking = [
        check for check in leaves_of(checks) if rules.checks.asks(check.type) and id(check) not in known
    ]
    # By identity: equal checks are asked about once each, and the judge answers the second from memory.
    known |= dict(zip(map(id, asking), await asyncio.gather(*map(asked, asking)), strict=True))
    return grade_case(checks, threshold, answer, rules=rules, found=known)


async def ask_check(check: Check, answer: Answer, asker: Asker, *, rules: SuiteRules) -> CheckOutcome:
    """Check one answer by a check that asks somebody. Raises only what stops a run."""
    try:
        _require_value(check, rules)
        finding = await judged_beyond_doubt(partial(_found, check, answer, rules=rules), asker)
    except TurnwiseError as error:
        if isinstance(error, JudgeError) and error.stops_run:
            raise
        return undecided(check, error, asker.calls)
    if also := f"{twice_reason(finding.details)}{asker.left_out_words}":
        reason = f"{finding.reason or finding.expected}{also}".strip()
        finding = replace(finding, reason=reason, details={**finding.details, **asker.left_out_data})
    return decided(check, finding, asker.calls)


async def _found(check: Check, answer: Answer, asker: Asker, *, rules: SuiteRules) -> Finding:
    found = rules.checks.function(check.type)(check, prepared(check, answer), asker)
    return found if isinstance(found, Finding) else await found


def decided(check: Check, finding: Finding, calls: Iterable[str] = ()) -> CheckOutcome:
    """Return the outcome of a finding; a check of no weight only reports, and never fails."""
    passed = finding.passed
    if passed is None:
        passed = finding.score >= (_LEAST if check.threshold is None else check.threshold)
    outcome = Score(
        metric=check.metric or check.type,
        reason=finding.reason or finding.expected,
        score=finding.score,
        threshold=check.threshold,
        stated=passed or check.weight == 0,
        calls=tuple(calls),
    )
    return CheckOutcome(check=check, outcome=outcome, finding=finding, members=finding.members)


def is_set(check: Check) -> bool:
    """Whether a check is a set of checks; there is no not-assert-set."""
    return check.type == SET and not check.negate


def weighted_mean(
    checks: Iterable[Check],
    threshold: float | None,
    grader: Grader,
    *,
    rules: SuiteRules = STRICT,
    is_set: bool = False,
) -> CaseOutcome:
    """Score a case by its checks as a grader finds them; the members of sets are graded each by itself.

    This is promptfoo's rule: the weighted mean against a threshold, or each check for itself without one. As
    promptfoo does it, a case passes whose last failing script gives no reason. is_set: score a set, of which
    an empty one has 0.
    """
    found: list[CheckOutcome] = []
    tally = _Tally(as_promptfoo=rules.as_the_tool, is_set=is_set)
    for check in checks:
        if check.type == SET and not check.negate:
            inner = weighted_mean(check.children, check.threshold, grader, rules=rules, is_set=True)
            outcome = _as_one(check, inner)
            found += [outcome, *inner.checks]
        else:
            outcome = grader(check)
            found += [outcome, *outcome.members]
        tally.add(outcome)
    return tally.case(None if threshold is None or math.isnan(threshold) else threshold, found)


@dataclass(slots=True)
class _Tally:
    """The sums behind the score of a case."""

    as_promptfoo: bool = False
    is_set: bool = False
    members: list[CheckOutcome] = field(default_factory=list)
    score: float = 0.0
    weight: float = 0.0
    named: dict[str, float] = field(default_factory=dict)
    named_weights: dict[str, float] = field(default_factory=dict)

    def add(self, found: CheckOutcome) -> None:
        """Count one check, or one set as a whole."""
        self.members.append(found)
        if not isinstance(found.outcome, Score):
            return
        score, weight, metric = found.outcome.score, found.weight, found.metric
        self.score += score * weight
        self.weight += weight
        if metric:
            self._add_named(metric, score, weight)
        for name, named in found.named_scores.items():
            if name != metric:
                self._add_named(name, named, found.named_weights.get(name, 1.0) * weight)

    def _add_named(self, name: str, score: float, weight: float) -> None:
        self.named[name] = self.named.get(name, 0.0) + score * weight
        self.named_weights[name] = self.named_weights.get(name, 0.0) + weight

    def case(self, threshold: float | None, checks: Sequence[CheckOutcome]) -> CaseOutcome:
        """Return the outcome of the case, with all checks as they are listed."""
        score = self.score / self.weight if self.weight > 0 else 0.0
        if not self.members and not self.is_set:
            score = 1.0
        word, reason = self._word(score, threshold)
        case = CaseOutcome.of(word, score, reason, threshold=threshold, checks=checks)
        if word == "failure":
            # What is left of a case that could not be checked is no measure of it.
            return case
        weights = self.named_weights
        means = {
            name: total / weights[name] if weights[name] > 0 else 0.0 for name, total in self.named.items()
        }
        return replace(case, named_scores=means, named_weights=weights)

    def _word(self, score: float, threshold: float | None) -> tuple[CaseWord, str]:
        for found in self.members:
            if isinstance(found.outcome, Failure):
                return "failure", found.reason
        outcomes = [found.outcome for found in self.members]
        failing = [
            found
            for found, outcome in zip(self.members, outcomes, strict=True)
            if isinstance(outcome, Score) and not outcome.passed
        ]
        skipped = [outcome for outcome in outcomes if isinstance(outcome, Skipped)]
        if failing and threshold is None:
            # promptfoo takes the reason of the check that ends last, and scripts take longer than the rest;
            # an empty one counts as none.
            scripts = [found for found in failing if found.check.type in SCRIPTS]
            last = scripts[-1] if scripts and self.as_promptfoo else failing[-1]
            if last.reason or not scripts or not self.as_promptfoo:
                return "fail", last.reason
        if skipped:
            return "skipped", skipped[-1].reason
        if threshold is None:
            return "pass", "No checks" if not self.members else "All checks passed"
        passed = score >= threshold or not (self.members or self.is_set)
        relation = "reaches" if passed else "is below"
        return ("pass" if passed else "fail"), f"The score {score:.2f} {relation} the threshold {threshold:g}"


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
    from turnwise.engine.checks.scripts import transformed

    return replace(answer, output=transformed(code, answer))


def _require_value(check: Check, rules: SuiteRules) -> None:
    """Raise SettingError where a part of a check's value is written, and is empty once it is filled.

    Every answer contains it, begins with it and matches it. With promptfoo that passes.
    """
    if rules.as_the_tool or check.written is None:
        return
    emptied = next(_emptied(check.written, check.value), None)
    if emptied is None and check.type in _OF_LISTS and isinstance(check.value, str):
        has_gap = _has_gap(check.value) and not _has_gap(as_text(check.written))
        emptied = check.written if has_gap else None
    if emptied is not None:
        raise SettingError(
            f"{check.type} has an empty value, which says nothing about an answer",
            detail=f"{as_text(emptied)[:_SHOWN]} names nothing that is there, or something without a text",
            next_step="Give the variable or the file a text, or correct its name.",
        )


def _emptied(written: Any, value: Any) -> Iterator[Any]:
    """Yield the parts of a value that are written and are empty texts once they are filled."""
    if isinstance(value, str):
        if written != value and not value.strip():
            yield written
    elif isinstance(value, Mapping) and isinstance(written, Mapping):
        for name, item in value.items():
            yield from _emptied(written.get(name), item)
    elif isinstance(value, list) and isinstance(written, list):
        for one, item in zip(written, value, strict=False):
            yield from _emptied(one, item)


def _has_gap(listed: str) -> bool:
    return not all(part.strip() for part in listed.split(","))


def _is_for_checks(name: str, value: Any) -> bool:
    # A provider that is named as a whole is the judge itself; one of several parts names models for checks.
    parts = isinstance(value, Mapping) and ("embedding" in value or "moderation" in value)
    return name == "rubricPrompt" or (name == "provider" and parts)


def leaves_of(checks: Sequence[Check]) -> Iterator[Check]:
    """Yield the checks that are no sets, with those of sets among them, in order."""
    for check in checks:
        if check.type == SET:
            yield from leaves_of(check.children)
        else:
            yield check


def _as_one(check: Check, inner: CaseOutcome) -> CheckOutcome:
    """Return the outcome of a set as that of one check."""
    name, reason = check.metric or SET, inner.reason
    match inner.outcome:
        case Failure():
            return CheckOutcome(check=check, outcome=Failure(metric=name, reason=reason))
        case Skipped():
            return CheckOutcome(check=check, outcome=Skipped(metric=name, reason=reason))
        case Score():
            pass
    outcome = Score(
        metric=name, reason=reason, score=inner.score, threshold=check.threshold, stated=inner.passed
    )
    finding = Finding(
        score=inner.score,
        passed=inner.passed,
        named_scores=inner.named_scores,
        named_weights=inner.named_weights,
    )
    return CheckOutcome(check=check, outcome=outcome, finding=finding)
