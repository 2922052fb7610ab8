"""Grading as AgentV does: each evaluator by its function, and the case by the mean of what they found."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from turnwise.conversations.errors import JudgeError, NotFoundError, SettingError, TurnwiseError
from turnwise.conversations.results import Failure, Score, Skipped
from turnwise.conversations.suites import Check
from turnwise.engine.checks import composites
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.asker import Asker, Reach, RunCode
from turnwise.engine.checks.composites import PASS_FROM, verdict_of, verdict_of_score
from turnwise.engine.checks.findings import CaseOutcome, CheckOutcome, Finding, clamped, scored, undecided
from turnwise.engine.checks.judged_twice import judged_beyond_doubt, twice_reason
from turnwise.engine.suites.rules import AGENTV, SuiteRules

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import Judge

_COMPOSITES = ("composite", "assert-set")
_BY_MEMBERS = {
    "weighted-average": composites.by_weight,
    "threshold": composites.by_count,
    "set": composites.by_set,
}
"""Aggregators that need nobody, by type."""
_CODE = ("code-judge", "code-grader", "code")
_SHOWN = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What evaluators may use. judge: None skips those that need one. run_code: None runs none.

    secret: what fences are derived from; the judge's own where it is empty. rules: strictly, or exactly as
    AgentV does, version 2.5 for the types of the older form, version 4.42.4 for the others.
    """

    judge: Judge | None = None
    run_code: RunCode | None = None
    secret: str = ""
    rules: SuiteRules = AGENTV

    def asker(self) -> Asker:
        """Return an asker for one evaluator."""
        secret = self.secret or (self.judge.secret if self.judge else "")
        return Asker(self.judge, secret=secret, reach=Reach(run_code=self.run_code))


def asks_judge(check: Check) -> bool:
    """Whether an evaluator puts a question to the judge."""
    if AGENTV.checks.plain_name(check.type) in _COMPOSITES:
        aggregator = check.config.get("aggregator")
        named = aggregator.get("type") if isinstance(aggregator, Mapping) else aggregator
        return AGENTV.checks.asks_judge(str(named)) or any(map(asks_judge, check.children))
    return AGENTV.checks.asks_judge(check.type)


async def grade_check(
    check: Check, answer: Answer, bench: Bench, *, threshold: float | None = None
) -> CheckOutcome:
    """Return the outcome of one evaluator. Raises only what stops a run, such as BudgetSpentError.

    threshold: the score from which it passes where it names none itself; 0.8 by default.
    """
    least = least_of(check, PASS_FROM if threshold is None else threshold)
    asker = bench.asker()
    try:
        found = await _found(check, answer, bench, asker, threshold)
    except TurnwiseError as error:
        if isinstance(error, JudgeError) and error.stops_run:
            raise
        if not (bench.rules.as_the_tool and isinstance(error, SettingError)):
            return undecided(check, error, asker.calls)
        # AgentV takes whatever stops an evaluator as a score of 0.
        found = scored(0.0, misses=(error.title,))
    if isinstance(found, CheckOutcome):
        calls = (*found.calls, *asker.calls)
        return replace(found, outcome=replace(found.outcome, calls=calls))
    found = replace(found, details={**found.details, **asker.left_out_data})
    found = _negated(found) if check.negate and found.counts else found
    also = f"{twice_reason(found.details)}{asker.left_out_words}"
    return _decided(check, found, asker.calls, least, also=also)


async def grade_checks(
    checks: Sequence[Check], answer: Answer, bench: Bench, *, threshold: float | None = None
) -> list[CheckOutcome]:
    """Return the outcomes of several evaluators, asked at once."""
    asked = (grade_check(check, answer, bench, threshold=threshold) for check in checks)
    return list(await asyncio.gather(*asked))


async def grade_case(
    checks: Sequence[Check],
    answer: Answer,
    bench: Bench,
    *,
    threshold: float | None = None,
    unread_fails: bool = False,
) -> CaseOutcome:
    """Return what all evaluators of a case come to together; see required_mean.

    unread_fails: an evaluator that counts for nothing, because no reply of its judge can be read, makes the
    case a failure with a score of 0, as in AgentV 4.42.4 for a whole case, but not for a turn of one.
    """
    found = await grade_checks(checks, answer, bench, threshold=threshold)
    case = required_mean(found, threshold=threshold, rules=bench.rules)
    unread = next((one for one in found if one.is_left_out), None) if unread_fails else None
    if unread is None:
        return case
    return CaseOutcome.of("failure", 0.0, f"{_name(unread.check)}: {unread.reason}", checks=case.checks)


async def _found(
    check: Check, answer: Answer, bench: Bench, asker: Asker, threshold: float | None
) -> Finding | CheckOutcome:
    checks = bench.rules.checks
    if checks.plain_name(check.type) in _COMPOSITES:
        return await _composite(check, answer, bench, asker, threshold)
    if not checks.asks(check.type) and (lacks := checks.lacks(check.type)) is not None:
        raise NotFoundError(lacks[0], next_step=lacks[1])
    # Negation is the same for all of AgentV's evaluators, and comes afterwards.
    function, plain = checks.function(check.type), replace(check, negate=False)

    async def find(asker: Asker) -> Finding:
        found = function(plain, answer, asker)
        return found if isinstance(found, Finding) else await found

    return await judged_beyond_doubt(find, asker, negated=check.negate)


async def _composite(
    check: Check, answer: Answer, bench: Bench, asker: Asker, threshold: float | None
) -> Finding | CheckOutcome:
    as_agentv = bench.rules.as_the_tool
    # AgentV does not look at `negate` inside a composite.
    children = [replace(child, negate=False) for child in check.children] if as_agentv else check.children
    if not children:
        raise SettingError(f"{_name(check)} has no evaluators", next_step="List some.")
    graded = await grade_checks(children, answer, bench, threshold=threshold)
    members = [replace(one, check=child) for one, child in zip(graded, check.children, strict=True)]
    if (stopped := composites.first_undecided(members)) is not None:
        reason = f"{_name(stopped.check)}: {stopped.reason}"
        outcome = replace(stopped.outcome, metric=_name(check), reason=reason)
        return replace(stopped, check=check, outcome=outcome, members=tuple(members))
    named = str(composites.aggregator_of(check).get("type") or "weighted_average")
    kind = bench.rules.checks.plain_name(named)
    if bench.rules.checks.asks_judge(kind):
        judge = composites.by_judge_as_agentv if as_agentv else composites.by_judge
        return await judge(check, members, answer, asker)
    if kind in _CODE:
        return await composites.by_code(check, members, answer, asker)
    if kind not in _BY_MEMBERS:
        raise SettingError(
            f"{_name(check)}: there is no aggregator {kind}",
            next_step="Known: weighted_average, threshold, llm_judge, code_judge.",
        )
    found = _BY_MEMBERS[kind](check, members)
    # AgentV words a composite by its score alone.
    return replace(found, passed=False) if found.unmet and not as_agentv else found


def _negated(found: Finding) -> Finding:
    return replace(
        found,
        score=clamped(1 - found.score),
        passed=verdict_of(found) == "fail",
        hits=found.misses,
        misses=found.hits,
        unmet=False,
    )


def _decided(check: Check, found: Finding, calls: Iterable[str], least: float, *, also: str) -> CheckOutcome:
    """Return the outcome of a finding. also: what is said behind its reason."""
    name, told = _name(check), f"{_told(found)}{also}".strip()
    if not found.counts:
        skipped = Skipped(metric=name, reason=told, calls=tuple(calls))
        return CheckOutcome(
            check=check, outcome=skipped, finding=found, is_left_out=True, members=found.members
        )
    # A composite that counts its members may pass below the score from which others do.
    by_verdict = least == PASS_FROM
    passed = verdict_of(found) == "pass" if by_verdict else found.score >= least and not found.unmet
    outcome = Score(
        metric=name, reason=told, score=found.score, threshold=least, stated=passed, calls=tuple(calls)
    )
    return CheckOutcome(check=check, outcome=outcome, finding=found, members=found.members)


def _told(found: Finding) -> str:
    """Return why it is so, in a line: the evaluator's own reason, else what was missed, else what was met."""
    parts = [found.reason] if found.reason else []
    if found.misses and verdict_of(found) != "pass":
        parts.append("; ".join(found.misses[:_SHOWN]))
    return " · ".join(parts) or "; ".join(found.hits[:_SHOWN])


def required_mean(
    found: Sequence[CheckOutcome], *, threshold: float | None = None, rules: SuiteRules = AGENTV
) -> CaseOutcome:
    """Return what a case comes to by the outcomes of its evaluators: AgentV's rule.

    The score is the weighted mean; threshold: the score from which the case passes, 0.8 by default. An
    evaluator with `required` that stays below its own least score makes the score 0. A required criterion
    that is not met makes the case fail; as AgentV does it, only its evaluator. The members of a composite
    follow it among the checks.
    """
    least = PASS_FROM if threshold is None else threshold
    skipped = [one for one in found if isinstance(one.outcome, Skipped) and not one.is_left_out]
    counted = [one for one in found if not isinstance(one.outcome, Skipped)]
    told = [one for one in found if not isinstance(one.outcome, Skipped) or one.is_left_out]
    below = next((one for one in told if _is_below(one, least)), None)
    unmet = next((one for one in counted if _is_unmet(one) and not rules.as_the_tool), None)
    score = 0.0 if below else _mean([(one.weight, one.score) for one in counted])
    checks = tuple(_listed(found))
    failed = next((one for one in found if isinstance(one.outcome, Failure)), None)
    if failed is not None:
        return CaseOutcome.of("failure", 0.0, f"{_name(failed.check)}: {failed.reason}", checks=checks)
    if skipped and not (below or unmet):
        best = [(one.weight, 1.0) for one in skipped]
        if _mean([(one.weight, one.score) for one in counted] + best) >= least:
            reason = f"{_name(skipped[0].check)}: {skipped[0].reason}"
            return CaseOutcome.of("skipped", score, reason, checks=checks)
    passed = score >= least and unmet is None
    case = CaseOutcome.of(
        "pass" if passed else "fail",
        score,
        _reason(score, least, passed, below, unmet),
        threshold=least,
        checks=checks,
    )
    verdict = "pass" if passed else "fail" if unmet else _short_of(score)
    return replace(case, verdict=verdict, unmet=below is not None or unmet is not None)


def least_of(check: Check, threshold: float) -> float:
    """Return the score from which one evaluator counts as passed: min_score, else what `required` says."""
    required = check.config.get("required")
    if check.threshold is not None:
        return check.threshold
    if isinstance(required, (int, float)) and not isinstance(required, bool):
        return float(required)
    return threshold


def _listed(found: Iterable[CheckOutcome]) -> Iterator[CheckOutcome]:
    for one in found:
        yield one
        yield from _listed(one.members)


def _name(check: Check) -> str:
    return check.metric or check.type


def _is_below(one: CheckOutcome, threshold: float) -> bool:
    required = bool(one.check.config.get("required")) and not isinstance(one.outcome, Failure)
    return required and one.score < least_of(one.check, threshold)


def _is_unmet(one: CheckOutcome) -> bool:
    return one.finding is not None and one.finding.unmet


def _mean(weighed: Sequence[tuple[float, float]]) -> float:
    total = sum(weight for weight, _ in weighed)
    return sum(weight * score for weight, score in weighed) / total if total > 0 else 0.0


def _short_of(score: float) -> str:
    # A file's own threshold may lie above the score from which AgentV speaks of a pass.
    word = verdict_of_score(score)
    return "borderline" if word == "pass" else word


def _reason(
    score: float, least: float, passed: bool, below: CheckOutcome | None, unmet: CheckOutcome | None
) -> str:
    if below is not None:
        return f"{_name(below.check)} is required, and has failed"
    if unmet is not None:
        return f"{_name(unmet.check)}: a required criterion is not met"
    return f"The score {score:.2f} {'reaches' if passed else 'is below'} {least:g}"
