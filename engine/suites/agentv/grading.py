"""Grading: each evaluator by its function, and the case by the weighted mean of what they found."""

from __future__ import annotations

import asyncio
import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from turnwise.conversations.errors import JudgeError, NotFoundError, SettingError, TurnwiseError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.agentv import composite
from turnwise.engine.suites.agentv.fields import field_accuracy
from turnwise.engine.suites.agentv.grade import Grade, Verdict, clamped, graded
from turnwise.engine.suites.agentv.measures import cost, execution_metrics, latency, token_usage
from turnwise.engine.suites.agentv.scoring import CaseGrade, case_grade, name_of
from turnwise.engine.suites.agentv.scripts import RunCode, code_judge
from turnwise.engine.suites.agentv.submission import Submission
from turnwise.engine.suites.agentv.texts import TEXTS
from turnwise.engine.suites.agentv.trajectory import tool_trajectory

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import Judge
    from turnwise.engine.suites.judged.asker import Asker

_PLAIN: Mapping[str, Callable[..., Grade]] = {
    **TEXTS,
    "tool-trajectory": tool_trajectory,
    "field-accuracy": field_accuracy,
    "latency": latency,
    "cost": cost,
    "token-usage": token_usage,
    "execution-metrics": execution_metrics,
}
_JUDGED = ("llm-judge", "llm-grader", "rubric", "rubrics")
_CODE = ("code-judge", "code-grader", "code")
_NOT_SEEN = ("skill-trigger",)
_COMPOSITE = "composite"
_TURNED: Mapping[Verdict, Verdict] = {"pass": "fail", "borderline": "fail", "fail": "pass"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """What evaluators may use. judge: None skips those that need one. run_code: None runs none.

    secret: what fences are derived from; the judge's own where it is empty. compat: do exactly as AgentV
    does, version 2.5 for the types of the older form, version 4.42.4 for the others.
    """

    judge: Judge | None = None
    run_code: RunCode | None = None
    secret: str = ""
    compat: bool = False


def asks_judge(check: Check) -> bool:
    """Whether an evaluator puts a question to the judge."""
    kind = _plain_name(check.type)
    if kind == _COMPOSITE:
        aggregator = check.config.get("aggregator")
        named = aggregator.get("type") if isinstance(aggregator, Mapping) else aggregator
        return _plain_name(str(named)) in _JUDGED or any(map(asks_judge, check.children))
    return kind in _JUDGED


async def grade_check(check: Check, submission: Submission, bench: Bench) -> Grade:
    """Return what one evaluator finds. Raises BudgetSpentError; what else goes wrong is told by the grade."""
    asker = _asker(bench)
    try:
        found = await _found(check, submission, bench, asker)
    except NotFoundError as error:
        found = _stopped(error, skipped=True)
    except TurnwiseError as error:
        if isinstance(error, JudgeError) and error.stops_run:
            raise
        # AgentV takes whatever stops an evaluator as a score of 0.
        own_fault = bench.compat and isinstance(error, SettingError)
        found = graded(0.0, misses=(error.title,)) if own_fault else _stopped(error)
    found = replace(found, calls=(*found.calls, *asker.calls))
    if check.negate and not (found.failure or found.skipped or found.ignored):
        return _negated(found)
    return found


async def grade_checks(checks: Sequence[Check], submission: Submission, bench: Bench) -> list[Grade]:
    """Return what each of several evaluators finds, asked at once."""
    return list(await asyncio.gather(*(grade_check(check, submission, bench) for check in checks)))


async def grade_case(
    checks: Sequence[Check], submission: Submission, bench: Bench, *, threshold: float | None = None
) -> CaseGrade:
    """Return what all evaluators of a case find together; see case_grade."""
    grades = await grade_checks(checks, submission, bench)
    return case_grade(list(zip(checks, grades, strict=True)), threshold=threshold, compat=bench.compat)


async def _found(check: Check, submission: Submission, bench: Bench, asker: Asker) -> Grade:
    kind = _plain_name(check.type)
    if (function := _PLAIN.get(kind)) is not None:
        return function(check, submission, compat=bench.compat)
    if kind in _CODE:
        return await code_judge(check, submission, bench.run_code)
    if kind == _COMPOSITE:
        return await _composite(check, submission, bench, asker)
    if kind in _NOT_SEEN:
        raise NotFoundError(f"{check.type} looks at how an agent works, which turnwise does not see")
    if kind not in _JUDGED:
        raise _unknown(check)
    return await _judged(check, submission, asker)


async def _judged(check: Check, submission: Submission, asker: Asker) -> Grade:
    # Asking comes with the judge, which takes a while to load.
    from turnwise.engine.suites.agentv.freeform import freeform
    from turnwise.engine.suites.agentv.rubrics import by_rubrics

    by_criteria = _plain_name(check.type).startswith("rubric") or check.config.get("rubrics")
    return await (by_rubrics if by_criteria else freeform)(check, submission, asker)


async def _composite(check: Check, submission: Submission, bench: Bench, asker: Asker) -> Grade:
    # AgentV does not look at `negate` inside a composite.
    children = [replace(child, negate=False) for child in check.children] if bench.compat else check.children
    if not children:
        raise SettingError(f"{name_of(check)} has no evaluators", next_step="List some.")
    members = list(zip(check.children, await grade_checks(children, submission, bench), strict=True))
    if (grade := composite.undecided(members)) is not None:
        return grade
    kind = _plain_name(str(composite.aggregator_of(check).get("type") or "weighted_average"))
    if kind in _JUDGED:
        return await composite.by_judge(check, members, asker)
    if kind in _CODE:
        return await composite.by_code(check, members, submission, bench.run_code)
    if kind not in ("weighted-average", "threshold"):
        raise SettingError(
            f"{name_of(check)}: there is no aggregator {kind}",
            next_step="Known: weighted_average, threshold, llm_judge, code_judge.",
        )
    grade = (composite.by_count if kind == "threshold" else composite.by_weight)(check, members)
    # AgentV words a composite by its score alone.
    return replace(grade, verdict="fail") if grade.gate and not bench.compat else grade


def _asker(bench: Bench) -> Asker:
    from turnwise.engine.suites.judged.asker import Asker

    secret = bench.secret or (bench.judge.secret if bench.judge else "")
    return Asker(bench.judge, secret=secret, compat=bench.compat)


def _unknown(check: Check) -> SettingError:
    known = sorted({*_PLAIN, *_JUDGED, *_CODE, _COMPOSITE})
    near = difflib.get_close_matches(_plain_name(check.type), known, n=1)
    return SettingError(
        f"There is no evaluator {check.type}",
        next_step=f"Did you mean {near[0]}?" if near else f"Known: {', '.join(known)}.",
    )


def _plain_name(kind: str) -> str:
    # The older form writes names with underscores, the later one with hyphens.
    return kind.replace("_", "-")


def _negated(grade: Grade) -> Grade:
    return replace(
        grade,
        score=clamped(1 - grade.score),
        verdict=_TURNED[grade.verdict],
        hits=grade.misses,
        misses=grade.hits,
        gate=False,
    )


def _stopped(error: TurnwiseError, *, skipped: bool = False) -> Grade:
    reason = f"{error.title}: {error.detail}" if error.detail else error.title
    return Grade(
        score=0.0,
        verdict="fail",
        reason=reason,
        failure=not skipped,
        skipped=skipped,
        next_step=error.next_step,
    )
