"""webhook: what an address of the user's own says of an answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from turnwise.conversations.errors import InputError, NotFoundError, SettingError
from turnwise.conversations.fetching import Fetcher
from turnwise.conversations.suites import Check
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.judged.asker import Asker
from turnwise.engine.suites.results import CheckResult


async def webhook(check: Check, answer: Answer, asker: Asker) -> CheckResult:
    """Whether the address in the value answers pass: true to the output and what was asked, posted as JSON.

    It may give a score from 0 to 1 and a reason too. An answer without a clear pass is an error.
    """
    url = check.value
    if not isinstance(url, str) or not url.strip():
        raise SettingError("webhook needs an address", next_step="Give it a value.")
    context = {"prompt": answer.prompt, "vars": dict(answer.vars)}
    reply = await posted(allowed(asker, url), url.strip(), {"output": answer.output, "context": context})
    verdict = reply.get("pass") if isinstance(reply, Mapping) else None
    if not isinstance(verdict, bool) or not isinstance(reply, Mapping):
        raise SettingError(
            f"The answer of {shown(url)} says neither pass: true nor pass: false",
            next_step='Let it answer as in {"pass": true, "reason": "..."}.',
        )
    passed = verdict != check.negate
    score = reply.get("score")
    if score is None:
        score = float(verdict)
    elif isinstance(score, bool) or not isinstance(score, (int, float)) or not 0 <= score <= 1:
        raise SettingError(f"The score of {shown(url)} is no number from 0 to 1", next_step="Correct it.")
    told = reply.get("reason")
    return CheckResult(
        passed=passed,
        score=1 - score if check.negate else score,
        reason=str(told) if told else f"The webhook says {'pass' if verdict else 'fail'}",
    )


def allowed(asker: Asker, url: str) -> Fetcher:
    """Return the user's yes to sending something to an address. Raises NotFoundError where there is none."""
    if asker.reach.fetcher is None:
        raise NotFoundError(
            f"It would send the answer to {shown(url)}",
            next_step="Read the file; --trust then sends it.",
        )
    return asker.reach.fetcher


async def posted(fetcher: Fetcher, url: str, body: Any) -> Any:
    """Return the data that an address answers to a JSON body. Raises InputError."""
    content = await asyncio.to_thread(fetcher.post, url, body)
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        raise InputError(
            f"The answer of {shown(url)} is no JSON", next_step="Let it answer with JSON."
        ) from None


def shown(url: str) -> str:
    """Return an address without what may be a key."""
    return url.strip().partition("?")[0]
