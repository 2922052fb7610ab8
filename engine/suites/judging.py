"""Grading with a judge: its checks are asked about at once, then the case is scored like any other."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from turnwise.conversations.errors import JudgeError, TurnwiseError
from turnwise.conversations.suites import Check
from turnwise.engine.judge.judge import Judge
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.grading import case_result, grade_check, labelled, not_carried_out, prepared
from turnwise.engine.suites.judged.asker import Asker
from turnwise.engine.suites.reach import NOTHING, Reach
from turnwise.engine.suites.registry import SET, asking_function
from turnwise.engine.suites.results import CaseResult, CheckResult


async def judge_case(
    checks: Sequence[Check],
    threshold: float | None,
    answer: Answer,
    judge: Judge | None,
    *,
    options: Mapping[str, Any] | None = None,
    secret: str | None = None,
    compat: bool = False,
    reach: Reach = NOTHING,
    found: Mapping[int, CheckResult] | None = None,
) -> CaseResult:
    """Check one answer by all the checks of a case, those that need a judge among them, and score it.

    judge: without one, the checks that need it are skipped. options: the case's own, of which rubricPrompt
    and the models of provider are used where a check has none. secret: what fences are derived from; the
    judge's own by default. compat: read the judge's replies as loosely as promptfoo does, and count one that
    cannot be read as a fail; strictly it is a failure. reach: what checks may use beside the judge.
    found: results that are there already, by id() of their checks. Raises BudgetSpentError.
    """
    own = {name: value for name, value in (options or {}).items() if _is_for_checks(name, value)}
    fences = secret or (judge.secret if judge else "")

    async def asked(check: Check) -> CheckResult:
        asker = Asker(judge, secret=fences, compat=compat, reach=reach)
        return await _asked(replace(check, options={**own, **check.options}), answer, asker)

    known = dict(found or {})
    judged = [check for check in _leaves(checks) if asking_function(check.type) and id(check) not in known]
    # By identity: equal checks are asked about once each, and the judge answers the second from memory.
    known |= dict(zip(map(id, judged), await asyncio.gather(*map(asked, judged)), strict=True))

    def grader(check: Check) -> CheckResult:
        return known.get(id(check)) or grade_check(check, answer, compat=compat)

    return case_result(checks, threshold, grader, compat=compat)


def _is_for_checks(name: str, value: Any) -> bool:
    # A provider that is named as a whole is the judge itself; one of several parts names models for checks.
    parts = isinstance(value, Mapping) and ("embedding" in value or "moderation" in value)
    return name == "rubricPrompt" or (name == "provider" and parts)


def _leaves(checks: Sequence[Check]) -> Iterator[Check]:
    for check in checks:
        if check.type == SET:
            yield from _leaves(check.children)
        else:
            yield check


async def _asked(check: Check, answer: Answer, asker: Asker) -> CheckResult:
    function = asking_function(check.type)
    if function is None:
        return grade_check(check, answer, compat=asker.compat)
    try:
        result = await function(check, prepared(check, answer), asker)
    except TurnwiseError as error:
        if isinstance(error, JudgeError) and error.stops_run:
            raise
        result = not_carried_out(error)
    return labelled(check, replace(result, calls=tuple(asker.calls)))
