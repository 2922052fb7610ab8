"""Checks, transforms and scoring functions that are code of a suite."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from turnwise.conversations.errors import FormatError, SettingError, TurnwiseError
from turnwise.conversations.files import SCHEME, decode_json, is_code
from turnwise.conversations.results import Score
from turnwise.conversations.suites import Check, SuiteCase
from turnwise.engine.checks.answer import Answer, Transformed
from turnwise.engine.checks.findings import CaseOutcome, CheckOutcome, Finding, failed, undecided
from turnwise.engine.checks.registry import SET
from turnwise.engine.checks.scripts import context_of, script_result
from turnwise.engine.suites.code.suite_code import SuiteCode
from turnwise.engine.suites.grading import decided, prepared
from turnwise.engine.suites.rules import STRICT, SuiteRules
from turnwise.engine.worker import Returned

_SCRIPTS = ("python", "javascript")
_TRANSFORMS = ("transform", "contextTransform")
_NAME = re.compile(r"[\w./-]+\.(?:py|[cm]?[jt]s)(?::[\w.]+)?\Z")
_IN_PYTHON = {
    "pass_": "pass",
    "named_scores": "namedScores",
    "component_results": "componentResults",
    "tokens_used": "tokensUsed",
}


@dataclass(frozen=True, slots=True)
class Settled:
    """Checks of a case whose code has run. found: results of those that code decides, by id()."""

    checks: tuple[Check, ...]
    found: Mapping[int, CheckOutcome]


def needs_code(check: Check) -> bool:
    """Whether a check is decided by code that takes trust, or is given its value or output by such code."""
    return (
        check.type == "python"
        or _is_script(check.value)
        or any(_is_script(check.options.get(option)) for option in _TRANSFORMS)
        or any(map(needs_code, check.children))
    )


async def settled(
    checks: Sequence[Check],
    answer: Answer,
    case: SuiteCase,
    code: SuiteCode,
    *,
    rules: SuiteRules = STRICT,
    known: Collection[int] = (),
) -> Settled:
    """Run the code of a case's checks, and return the checks as they can be graded without any.

    A check whose code is not trusted is skipped, one whose code does not end is a failure; the value of any
    other type, where a script makes it, is the script's. As promptfoo does it, the name of a script that a
    table gives is taken for code. It raises nothing.
    known: the id() of checks whose outcome is there already, whose code is not run.
    """
    if not rules.as_the_tool:
        checks = tuple(map(_with_scheme, checks))
    if not any(map(needs_code, checks)):
        return Settled(tuple(checks), {})
    found: dict[int, CheckOutcome] = {}

    async def settle(check: Check) -> Check:
        if check.type == SET:
            return replace(check, children=tuple(await asyncio.gather(*map(settle, check.children))))
        if id(check) in known or not needs_code(check):
            return check
        try:
            check = await _transformed(check, answer, case, code)
            if check.type in _SCRIPTS and (check.type == "python" or _is_script(check.value)):
                finding = await _decided(check, answer, case, code, rules)
                found[id(check)] = decided(check, finding)
            elif _is_script(check.value):
                place = f"{code.name}, {check.type}"
                given = [answer.output, _context(check, answer, case)]
                made = _thrown(await code.run_script(check.value, ("get_assert",), given, place), place)
                check = replace(check, value=made)
        except TurnwiseError as error:
            found[id(check)] = undecided(check, error)
        return check

    return Settled(tuple(await asyncio.gather(*map(settle, checks))), found)


async def transformed_by(name: str, answer: Answer, case: SuiteCase, code: SuiteCode | None) -> Any:
    """Return the output that a transform in a file makes of an answer's output.

    Raises NotFoundError where it may not run, SettingError where it fails or gives nothing back.
    """
    place = f"{code.name if code else name}, transform"
    if code is None:
        raise SettingError("A transform in a file is not run without --trust", next_step="Write it inline.")
    given = [answer.output, _context(None, answer, case)]
    returned = await code.run_script(name, ("get_transform",), given, place)
    value = _thrown(returned, place)
    if value is None:
        raise SettingError("A transform gave nothing back", detail=name, next_step="Let it return a value.")
    return value


async def scored_by(name: str, result: CaseOutcome, case: SuiteCase, code: SuiteCode | None) -> CaseOutcome:
    """Return the result of a case as its scoring function has it, given its named scores and its checks.

    What the function throws, or a value that is no {pass, score, reason}, fails the case.
    Raises NotFoundError where it may not run, SettingError where it does not end.
    """
    if code is None:
        raise SettingError(
            "assertScoringFunction is code, which is not run without --trust",
            next_step="Give a threshold and weights.",
        )
    if not isinstance(result.outcome, Score):
        return result
    components = [
        {
            "pass": check.passed,
            "score": check.score,
            "reason": check.reason,
            "assertion": {"type": check.type, "metric": check.metric, "weight": check.weight},
        }
        for check in result.checks
    ]
    told: dict[str, Any] = {"componentResults": components, "tokensUsed": {}, **_threshold(case)}
    given = [dict(result.named_scores), told]
    place = f"{code.name}, assertScoringFunction"
    returned = await code.run_script(name, ("get_score", "func", "main"), given, place)
    returned = _as_javascript(returned)
    if not returned.error and not isinstance(returned.value, dict):
        return result.turned("fail", 0.0, "The scoring function gave no pass, score and reason")
    check = script_result(Check(type="javascript"), returned)
    return result.turned("pass" if check.passed else "fail", check.score, check.reason or result.reason)


async def _transformed(check: Check, answer: Answer, case: SuiteCase, code: SuiteCode) -> Check:
    for option in _TRANSFORMS:
        transform = check.options.get(option)
        if _is_script(transform):
            output = await transformed_by(str(transform), answer, case, code)
            check = replace(check, options={**check.options, option: Transformed(output)})
    return check


async def _decided(
    check: Check, answer: Answer, case: SuiteCase, code: SuiteCode, rules: SuiteRules
) -> Finding:
    if not isinstance(check.value, str):
        raise SettingError(f"{check.type} needs a script", next_step="Give it a text as its value.")
    answer = prepared(check, answer)
    context = _context(check, answer, case)
    place = f"{code.name}, {check.type}"
    if _is_script(check.value):
        given = [answer.output, context]
        try:
            returned = await code.run_script(check.value, ("get_assert",), given, place)
        except FormatError as error:
            if rules.as_the_tool and check.type == "python":
                return failed(error.detail)
            raise
        if returned.error and _stops(check, returned, rules):
            what = "could not be loaded" if returned.is_lost else "failed"
            raise SettingError(
                f"The script of {check.type} {what}", detail=returned.error, next_step="Mend the script."
            )
    else:
        names = {"output": answer.output, "context": context}
        returned = await code.run_python(check.value, names, place)
    returned = _as_javascript(returned)
    result = script_result(check, returned)
    below = (
        check.threshold is not None and isinstance(returned.value, dict) and result.score < check.threshold
    )
    if below and result.passed and not check.negate:
        reason = result.reason or f"The script gave {result.score:g}, below the threshold"
        return replace(result, passed=False, reason=reason)
    return result


def _stops(check: Check, returned: Returned, rules: SuiteRules) -> bool:
    """Whether a script that failed has found nothing; with promptfoo that is so for JavaScript alone."""
    return check.type == "javascript" if rules.as_the_tool else returned.is_lost


def _context(check: Check | None, answer: Answer, case: SuiteCase) -> dict[str, Any]:
    context = context_of(answer, check.config if check else None)
    target = {"id": case.target.id, "label": case.target.label} if case.target else {}
    test = {
        "description": case.description,
        "vars": dict(case.vars),
        "metadata": dict(case.metadata),
        "options": dict(case.options),
        **_threshold(case),
    }
    return {**context, "test": test, "provider": target, "logProbs": list(answer.log_probabilities)}


def _threshold(case: SuiteCase) -> dict[str, float]:
    # Python would read None where JavaScript sees nothing at all.
    return {} if case.threshold is None else {"threshold": case.threshold}


def _as_javascript(returned: Returned) -> Returned:
    """Return a value of Python as JavaScript would have it: true as a word is true, names are joined."""
    value = returned.value
    if isinstance(value, str) and value.strip().lower() in ("true", "false"):
        value = value.strip().lower() == "true"
    elif isinstance(value, str) and value.lstrip().startswith("{"):
        try:
            value = decode_json(value)
        except ValueError:
            return returned
    elif isinstance(value, float) and math.isnan(value):
        value = None
    if isinstance(value, dict):
        value = {_IN_PYTHON.get(name, name): item for name, item in value.items()}
    return replace(returned, value=value)


def _thrown(returned: Returned, place: str) -> Any:
    if returned.error:
        raise SettingError(
            "Code of the suite failed", detail=f"{place}: {returned.error}", next_step="Mend the script."
        )
    return returned.value


def _with_scheme(check: Check) -> Check:
    """Return a check with the mark of a file before its script's name, which cells of a table lose."""
    if check.children:
        return replace(check, children=tuple(map(_with_scheme, check.children)))
    if check.type not in _SCRIPTS or not isinstance(check.value, str) or not _NAME.match(check.value):
        return check
    return replace(check, value=f"{SCHEME}{check.value}")


def _is_script(value: Any) -> bool:
    return isinstance(value, str) and value.startswith(SCHEME) and is_code(value)
