"""moderation: whether the moderation service beside the judge flags an answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from turnwise.conversations.errors import JudgeError, MalformedReplyError, NotFoundError, SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.judge.lookups import LookUp
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.judged.asker import Asker
from turnwise.engine.suites.results import CheckResult
from turnwise.engine.suites.values import as_text

_NEXT = "Name a judge of a server that has one, such as openai:MODEL, or ask it as an llm-rubric."
_OWN = "openai:moderation"


async def moderation(check: Check, answer: Answer, asker: Asker) -> CheckResult:
    """Whether nothing in the answer is flagged. value: the categories that count, all of them by default.

    Strictly, a category that the service does not know is an error: it would let everything pass. With compat
    it is passed over, and a service that does not answer makes the check fail, as with promptfoo.
    """
    try:
        categories = await _asked(check, answer, asker)
    except (JudgeError, NotFoundError) as error:
        if not asker.compat or (isinstance(error, JudgeError) and error.stops_run):
            raise
        return CheckResult(passed=False, score=0.0, reason=error.title)
    value = check.value if isinstance(check.value, (list, tuple)) else [check.value]
    wanted = [as_text(name) for name in value if name]
    unknown = sorted(set(wanted) - set(categories))
    if unknown and not asker.compat:
        raise SettingError(
            f"The moderation service knows no category {unknown[0]}",
            next_step=f"Known: {', '.join(sorted(categories))}.",
        )
    flagged = [name for name, is_flagged in categories.items() if is_flagged]
    counted = [name for name in flagged if name in wanted] if wanted else flagged
    passed = bool(counted) == check.negate
    return CheckResult(
        passed=passed,
        score=float(passed),
        reason=f"Flagged: {', '.join(counted)}" if counted else "Nothing is flagged",
    )


async def _asked(check: Check, answer: Answer, asker: Asker) -> dict[str, bool]:
    body: dict[str, Any] = {"input": answer.text}
    if model := _model(check):
        body["model"] = model
    reply = await asker.look_up(
        LookUp(path="/moderations", body=body, noun="moderation", next_step=_NEXT, check=_categories)
    )
    return _categories(reply)


def _model(check: Check) -> str:
    """Return the model that the file names. Raises NotFoundError for one of another service."""
    provider = check.options.get("provider")
    if isinstance(provider, Mapping):
        provider = provider.get("moderation") or provider.get("id")
    if isinstance(provider, Mapping):
        provider = provider.get("id")
    if not isinstance(provider, str) or not provider:
        return ""
    if provider != _OWN and not provider.startswith(f"{_OWN}:"):
        raise NotFoundError(
            f"The file wants the moderation of {provider.split(':')[0]}, which turnwise does not call",
            next_step="Leave out its provider to ask the judge's server.",
        )
    return provider.removeprefix(_OWN).removeprefix(":")


def _categories(reply: str) -> dict[str, bool]:
    """Return for every category of an answer whether it is flagged. Raises MalformedReplyError."""
    try:
        found = json.loads(reply)["results"][0]["categories"]
        return {str(name): bool(is_flagged) for name, is_flagged in found.items()}
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        raise MalformedReplyError(
            "The answer of the judge's server is no moderation", detail=reply[:200], next_step=_NEXT
        ) from None
