"""Checks that compare the answers of several targets or prompts to one test: max-score and select-best.

Grade each answer by `alone(checks)` first; then give all the results of the test, in order, to `compared`.
The best answer keeps its result, every other fails with a score of 0.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from turnwise.conversations.errors import JudgeError, NotFoundError, SettingError, TurnwiseError
from turnwise.conversations.results import Failure, Score, Skipped
from turnwise.conversations.suites import Check
from turnwise.conversations.templates import as_text
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.asker import TEXT, Asker, JudgeReply, object_of
from turnwise.engine.checks.findings import CaseOutcome, CheckOutcome, undecided
from turnwise.engine.suites.rules import STRICT, SuiteRules

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import Judge

COMPARISONS = ("max-score", "select-best")
_NUMBER = re.compile(r"[0-9]+")

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
    checks: Iterable[Check],
    answers: Sequence[Answer],
    results: Sequence[CaseOutcome],
    judge: Judge | None,
    *,
    secret: str = "",
    rules: SuiteRules = STRICT,
) -> list[CaseOutcome]:
    """Return the results of one test's answers after all the checks that compare them.

    secret: what fences are derived from; by default the judge's own. Without a judge, one that needs it is
    skipped; one that is set up wrongly is a failure. As promptfoo does it, an answer that nothing else checks
    has a score of 0, also where it is the best. Raises BudgetSpentError.
    """
    found = [_unchecked(result) if rules.as_the_tool else result for result in results]
    for check in checks:
        if check.type not in COMPARISONS:
            continue
        try:
            if check.type == "max-score":
                if any(isinstance(result.outcome, Skipped) for result in found):
                    raise NotFoundError("Checks that it compares by were skipped")
                # promptfoo knows the threshold in the value alone.
                found = compare_scores(replace(check, threshold=None) if rules.as_the_tool else check, found)
            elif judge is None:
                raise NotFoundError("It needs a judge", next_step="Name one with --judge.")
            else:
                found = await select_best(check, answers, found, judge, secret=secret, rules=rules)
        except (SettingError, NotFoundError) as error:
            found = [_undecided(check, result, error) for result in found]
    return found


def not_compared(checks: Iterable[Check], result: CaseOutcome) -> CaseOutcome:
    """Return the result of a conversation's turn, whose answer is not compared with those of others."""
    reason = NotFoundError("The answers of a conversation's turns are not compared with others")
    for check in checks:
        if check.type in COMPARISONS:
            result = _undecided(check, result, reason)
    return result


def compare_scores(check: Check, results: Sequence[CaseOutcome]) -> list[CaseOutcome]:
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
    check: Check,
    answers: Sequence[Answer],
    results: Sequence[CaseOutcome],
    judge: Judge,
    *,
    secret: str = "",
    rules: SuiteRules = STRICT,
) -> list[CaseOutcome]:
    """Return the results with the answer picked that the judge finds to meet the criterion best.

    Where the judge gives no answer all fail to be compared: each result becomes a failure. As promptfoo reads
    it, the first number in any reply is the best, and where that is no answer's number all fail. An answer
    that holds something which may speak to the judge is picked only where it is without that, too.
    """
    asker = Asker(judge, secret=secret or judge.secret)
    try:
        if not check.value:
            raise SettingError("select-best needs a criterion", next_step="Give it a value.")
        if len(answers) < 2:
            raise SettingError(
                "select-best compares the answers to a test, and there is only one",
                next_step="Run it with a second prompt or a second target, or leave the check out.",
            )
        best, reason = await _best(check, answers, asker, as_the_tool=rules.as_the_tool)
        if f"the answer {best}" in (one.where for one in asker.doubtful):
            without = await _best(check, answers, asker.past_doubt(), as_the_tool=rules.as_the_tool)
            reason = _words_of_two(best, reason, *without)
            best = without[0]
    except (JudgeError, SettingError) as error:
        if isinstance(error, JudgeError) and error.stops_run:
            raise
        failed = CheckOutcome(
            check=check,
            outcome=Failure(metric=check.type, reason=error.title, next_step=error.next_step),
            next_step=error.next_step,
        )
        return [
            _added(result if result.word == "failure" else result.turned("failure", 0.0, error.title), failed)
            for result in results
        ]
    return [
        _with(
            check,
            result,
            picked=place == best,
            reason=f"{reason}{asker.left_out_words}",
            calls=tuple(asker.calls),
        )
        for place, result in enumerate(results)
    ]


async def _best(
    check: Check, answers: Sequence[Answer], asker: Asker, *, as_the_tool: bool
) -> tuple[int, str]:
    """Ask which answer is the best, and return its number and why."""
    material = "\n".join(
        asker.fenced(
            f"answer {place}", asker.masked(f"the answer {place}", answer.text, prompt=answer.prompt)
        )
        for place, answer in enumerate(answers)
    )
    last = len(answers) - 1
    ask = _ASK.format(material=material, count=len(answers), criterion=as_text(check.value or ""), last=last)
    schema = object_of(reason=TEXT, best={"type": "integer", "minimum": 0, "maximum": last})
    if as_the_tool:
        return _first_number(await asker.ask_for_text(ask, schema, name="best"))
    said = (await asker.ask(ask, schema, name="best")).value or {}
    return said["best"], str(said["reason"])


def _words_of_two(best: int, reason: str, other: int, why: str) -> str:
    may = f"with what in answer {best} may be meant for whoever judges"
    if best == other:
        return f"{reason} Judged twice, {may} and without: the same answer both times."
    return f"{why} Judged twice: {may} it is answer {best}, without it answer {other}, which stands."


def _first_number(reply: JudgeReply) -> tuple[int, str]:
    """Return the number of the best answer that a reply gives, and the reason; -1 where it gives none."""
    if reply.value is not None:
        return reply.value["best"], str(reply.value["reason"])
    found = _NUMBER.search(reply.text)
    return int(found[0][:9]) if found else -1, reply.text.strip()


def _unchecked(result: CaseOutcome) -> CaseOutcome:
    return result if result.checks or not result.passed else result.turned("pass", 0.0, result.reason)


def _score(result: CaseOutcome, settings: Mapping[str, Any]) -> float:
    weights = settings.get("weights") or {}
    method = settings.get("method", "average")
    if method not in ("average", "sum") or not isinstance(weights, Mapping):
        raise SettingError(
            "max-score knows the methods average and sum, and weights by type of check",
            next_step="Mend its value.",
        )
    if isinstance(result.outcome, Failure):
        return -math.inf
    counted = [
        (one.score, float(weights.get(one.type, 1)))
        for one in result.checks
        if not isinstance(one.outcome, Skipped)
    ]
    total = math.fsum(score * weight for score, weight in counted)
    weight = math.fsum(weight for _, weight in counted)
    return total if method == "sum" else total / weight if weight > 0 else 0.0


def _with(
    check: Check, result: CaseOutcome, *, picked: bool, reason: str, calls: tuple[str, ...] = ()
) -> CaseOutcome:
    passed = picked != check.negate
    found = Score(
        metric=check.metric or check.type, reason=reason, score=float(passed), stated=passed, calls=calls
    )
    picking = CheckOutcome(check=check, outcome=found)
    if passed or isinstance(result.outcome, Failure):
        return _added(result, picking)
    return _added(result.turned("fail", 0.0, reason), picking)


def _undecided(check: Check, result: CaseOutcome, error: TurnwiseError) -> CaseOutcome:
    """Return a result with a comparison that could not be carried out, or was left out."""
    comparing, word = undecided(check, error), result.word
    if isinstance(comparing.outcome, Failure):
        word = "failure"
    elif word == "pass":
        word = "skipped"
    if word != result.word:
        score = 0.0 if word == "failure" else result.score
        result = result.turned(word, score, comparing.reason)
    return _added(result, comparing)


def _added(result: CaseOutcome, comparing: CheckOutcome) -> CaseOutcome:
    return replace(result, checks=(*result.checks, comparing))
