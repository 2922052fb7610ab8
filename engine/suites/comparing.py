"""Checks that compare the answers of several targets or prompts to one test: max-score and select-best.

Grade each answer by `alone(checks)` first; then give all the results of the test, in order, to `compared`.
The best answer keeps its result, every other fails with a score of 0.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from turnwise.conversations.errors import JudgeError, NotFoundError, SettingError, TurnwiseError
from turnwise.conversations.suites import Check
from turnwise.engine.judge.judge import Judge
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.grading import not_carried_out
from turnwise.engine.suites.judged.asker import TEXT, Asker, object_of
from turnwise.engine.suites.results import CaseResult, CheckResult
from turnwise.engine.suites.values import as_text

COMPARISONS = ("max-score", "select-best")

_ASK = """\
{material}

Which of the {count} answers meets this criterion best?
{criterion}

Answer with this JSON and nothing else: {{"reason": "...", "best": ...}}
best: the number of the answer, from 0 to {last}."""


def alone(checks: Iterable[Check]) -> tuple[Check, ...]:
    """Return the checks that one answer can be graded by."""
    return tuple(check for check in checks if check.type not in COMPARISONS)


async def compared(
    checks: Iterable[Check], answers: Sequence[Answer], results: Sequence[CaseResult], judge: Judge | None
) -> list[CaseResult]:
    """Return the results of one test's answers after all the checks that compare them.

    Without a judge, one that needs it is skipped; one that is set up wrongly is a failure. Raises
    BudgetSpentError.
    """
    found = list(results)
    for check in checks:
        if check.type not in COMPARISONS:
            continue
        try:
            if check.type == "max-score":
                if any(result.outcome == "skipped" for result in found):
                    raise NotFoundError("Checks that it compares by were skipped")
                found = compare_scores(check, found)
            elif judge is None:
                raise NotFoundError("It needs a judge", next_step="Name one with --judge.")
            else:
                found = await select_best(check, answers, found, judge)
        except (SettingError, NotFoundError) as error:
            found = [_undecided(check, result, error) for result in found]
    return found


def not_compared(checks: Iterable[Check], result: CaseResult) -> CaseResult:
    """Return the result of a conversation's turn, whose answer is not compared with those of others."""
    reason = NotFoundError("The answers of a conversation's turns are not compared with others")
    for check in checks:
        if check.type in COMPARISONS:
            result = _undecided(check, result, reason)
    return result


def compare_scores(check: Check, results: Sequence[CaseResult]) -> list[CaseResult]:
    """Return the results with the answer of the highest score picked; of equal ones the first.

    The score is the mean of an answer's checks, or with `method: sum` their sum; `weights` counts a type of
    check otherwise than 1; `threshold` is what the best must reach. Raises SettingError for other settings.
    """
    settings: Mapping[str, Any] = check.value if isinstance(check.value, Mapping) else {}
    scores = [_score(result, settings) for result in results]
    best = max(range(len(scores)), key=lambda place: scores[place]) if scores else 0
    least = settings.get("threshold", check.threshold)
    return [
        _with(
            check,
            result,
            picked=place == best and (least is None or scores[place] >= least),
            reason=f"Its score is {scores[place]:.3f}, the highest {scores[best]:.3f}",
        )
        for place, result in enumerate(results)
    ]


async def select_best(
    check: Check, answers: Sequence[Answer], results: Sequence[CaseResult], judge: Judge
) -> list[CaseResult]:
    """Return the results with the answer picked that the judge finds to meet the criterion best.

    Where the judge gives no answer all fail to be compared: each result becomes a failure.
    """
    asker = Asker(judge, secret=judge.secret)
    material = "\n".join(asker.fenced(f"answer {place}", answer.text) for place, answer in enumerate(answers))
    last = len(answers) - 1
    ask = _ASK.format(material=material, count=len(answers), criterion=as_text(check.value or ""), last=last)
    schema = object_of(reason=TEXT, best={"type": "integer", "minimum": 0, "maximum": last})
    try:
        if not check.value:
            raise SettingError("select-best needs a criterion", next_step="Give it a value.")
        found = (await asker.ask(ask, schema, name="best")).value or {}
    except (JudgeError, SettingError) as error:
        if isinstance(error, JudgeError) and error.stops_run:
            raise
        failed = CheckResult(
            passed=False, score=0.0, reason=error.title, failure=True, next_step=error.next_step
        )
        return [_added(check, replace(result, outcome="failure", score=0.0), failed) for result in results]
    best, reason = found["best"], str(found["reason"])
    return [
        _with(check, result, picked=place == best, reason=reason, calls=tuple(asker.calls))
        for place, result in enumerate(results)
    ]


def _score(result: CaseResult, settings: Mapping[str, Any]) -> float:
    weights = settings.get("weights") or {}
    method = settings.get("method", "average")
    if method not in ("average", "sum") or not isinstance(weights, Mapping):
        raise SettingError(
            "max-score knows the methods average and sum, and weights by type of check",
            next_step="Mend its value.",
        )
    if result.outcome == "failure":
        return -math.inf
    counted = [(one.score, float(weights.get(one.type, 1))) for one in result.checks if not one.skipped]
    total = math.fsum(score * weight for score, weight in counted)
    weight = math.fsum(weight for _, weight in counted)
    return total if method == "sum" else total / weight if weight > 0 else 0.0


def _with(
    check: Check, result: CaseResult, *, picked: bool, reason: str, calls: tuple[str, ...] = ()
) -> CaseResult:
    passed = picked != check.negate
    verdict = CheckResult(passed=passed, score=float(passed), reason=reason, calls=calls)
    if passed or result.outcome == "failure":
        return _added(check, result, verdict)
    return _added(check, replace(result, outcome="fail", score=0.0, reason=reason), verdict)


def _undecided(check: Check, result: CaseResult, error: TurnwiseError) -> CaseResult:
    """Return a result with a comparison that could not be carried out, or was left out."""
    verdict = not_carried_out(error)
    outcome = result.outcome
    if verdict.failure:
        outcome = "failure"
    elif outcome == "pass":
        outcome = "skipped"
    score = 0.0 if outcome == "failure" else result.score
    reason = result.reason if outcome == result.outcome else verdict.reason
    return _added(check, replace(result, outcome=outcome, score=score, reason=reason), verdict)


def _added(check: Check, result: CaseResult, verdict: CheckResult) -> CaseResult:
    kind = f"not-{check.type}" if check.negate else check.type
    labelled = replace(verdict, type=kind, weight=check.weight, metric=check.metric)
    return replace(result, checks=(*result.checks, labelled))
