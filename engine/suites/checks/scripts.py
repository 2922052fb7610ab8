"""Checks that are scripts: JavaScript in an engine without any access. What takes trust is run in code/."""

from __future__ import annotations

from collections.abc import Mapping

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.javascript import Returned, run_check_script
from turnwise.engine.suites.results import CheckResult


def javascript(check: Check, answer: Answer) -> CheckResult:
    """What a script says of the output: true or false, a number (its score), or {pass, score, reason}."""
    if not isinstance(check.value, str):
        raise SettingError("javascript needs a script", next_step="Give it a text as its value.")
    if check.value.startswith("file://"):
        raise NotFoundError(
            "A script in a file is not run without --trust",
            next_step="Read it first; --trust then runs it. Or write it into the check as javascript.",
        )
    return script_result(check, run_check_script(check.value, answer, check.config))


def script_result(check: Check, returned: Returned) -> CheckResult:
    """Return what a script's value means: true or false, a number, or {pass, score, reason, namedScores}.

    What it throws, and any other value, is a fail.
    """
    if returned.error:
        return CheckResult(passed=False, score=0.0, reason=f"The script threw an error: {returned.error}")
    match returned.value:
        case bool() as holds:
            passed = holds != check.negate
            reason = "" if passed else f"The script said {'true' if holds else 'false'}"
            return CheckResult(passed=passed, score=float(passed), reason=reason)
        case int() | float() as score:
            reached = score > 0 if check.threshold is None else score >= check.threshold
            passed = reached != check.negate
            return CheckResult(
                passed=passed, score=score, reason="" if passed else f"The script gave {score:g}"
            )
        case {"pass": bool() as holds, "score": int() | float() as score, "reason": str() as reason, **rest}:
            named = rest.get("namedScores")
            return CheckResult(
                passed=holds != check.negate,
                score=score,
                reason=reason,
                named_scores=_numbers(named) if isinstance(named, Mapping) else {},
            )
        case _:
            reason = "The script gave neither true or false, nor a number, nor pass, score and reason"
            return CheckResult(passed=False, score=0.0, reason=reason)


def _numbers(named: Mapping[str, object]) -> dict[str, float]:
    return {key: float(value) for key, value in named.items() if isinstance(value, (int, float))}
