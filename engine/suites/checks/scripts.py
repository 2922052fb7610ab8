"""Checks that are scripts: JavaScript in an engine without any access. What takes trust is run in code/."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.javascript import Returned, run_check_script
from turnwise.engine.suites.results import CheckResult

_KINDS: dict[str, object] = {"namedScores": {}, "componentResults": [], "assertion": {}, "comment": ""}
"""What else a script may say, and the kind of value that it must be."""


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
        case float() as score if not math.isfinite(score):
            passed = (score > (check.threshold or 0)) != check.negate
            return CheckResult(passed=passed, score=0.0, reason=f"The script gave {score:g}, no score")
        case int() | float() as score:
            reached = score > 0 if check.threshold is None else score >= check.threshold
            passed = reached != check.negate
            return CheckResult(
                passed=passed, score=score, reason="" if passed else f"The script gave {score:g}"
            )
        case {"pass": bool() as holds, "score": int() | float() as score, "reason": str() as told} if (
            _is_verdict(returned.value)
        ):
            named, parts = returned.value.get("namedScores"), returned.value.get("componentResults")
            return CheckResult(
                passed=holds != check.negate,
                score=score,
                reason=f"The script said {'true' if holds else 'false'}" if check.negate else told,
                named_scores=_numbers(named or {}),
                parts=tuple(_parts(check, parts or [])),
            )
        case _:
            reason = "The script gave neither true or false, nor a number, nor pass, score and reason"
            return CheckResult(passed=False, score=0.0, reason=reason)


def _is_verdict(rest: Mapping[str, object]) -> bool:
    return all(isinstance(rest.get(name), (type(empty), type(None))) for name, empty in _KINDS.items())


def _parts(check: Check, parts: list[object]) -> Iterator[CheckResult]:
    """Yield what a script says of parts of its own; the type is the check's, if it names none."""
    own = f"not-{check.type}" if check.negate else check.type
    for part in parts:
        if isinstance(part, Mapping):
            about, score = part.get("assertion"), part.get("score")
            kind = about.get("type") if isinstance(about, Mapping) else own
            yield CheckResult(
                passed=part.get("pass") is True,
                score=float(score) if isinstance(score, (int, float)) else 0.0,
                reason=str(part.get("reason") or ""),
                type=str(kind),
            )


def _numbers(named: Mapping[str, object]) -> dict[str, float]:
    return {key: float(value) for key, value in named.items() if isinstance(value, (int, float))}
