"""Checks that send the answer to an address that the file names: webhook and classifier."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from turnwise.conversations.errors import InputError, NotFoundError, SettingError
from turnwise.conversations.files import Fetcher
from turnwise.conversations.suites import Check
from turnwise.conversations.templates import as_text
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.asker import Asker
from turnwise.engine.checks.findings import Finding, measured


async def webhook(check: Check, answer: Answer, asker: Asker) -> Finding:
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
    return Finding(
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


async def classifier(check: Check, answer: Answer, asker: Asker) -> Finding:
    """Whether the score of the label in the value reaches the threshold (1); of the surest without a value.

    The address is config.apiEndpoint of the check's provider, and speaks as Hugging Face's text
    classification does. A label that it does not give has the score 0.
    """
    provider = check.options.get("provider")
    config = provider.get("config") if isinstance(provider, Mapping) else None
    url = config.get("apiEndpoint") if isinstance(config, Mapping) else None
    if not isinstance(url, str) or not url.strip():
        raise NotFoundError(
            "It needs a model that sorts texts, and the file gives no address of one",
            next_step="Give its provider config.apiEndpoint, or ask it as an llm-rubric.",
        )
    scores = _scores(await posted(allowed(asker, url), url.strip(), {"inputs": answer.text}))
    if not scores:
        raise SettingError(
            f"The answer of {shown(url)} holds no labels with scores",
            next_step="Give the address of a text classification.",
        )
    label = as_text(check.value) if check.value else max(scores, key=lambda name: scores[name])
    threshold = 1.0 if check.threshold is None else check.threshold
    return measured(check, scores.get(label, 0.0), threshold=threshold, name=label)


def _scores(reply: Any) -> dict[str, float]:
    """Return the score of every label; an answer to one text may be wrapped in a list of its own."""
    entries = reply[0] if isinstance(reply, list) and reply and isinstance(reply[0], list) else reply
    return {
        entry["label"]: float(entry["score"])
        for entry in (entries if isinstance(entries, list) else ())
        if isinstance(entry, Mapping)
        and isinstance(entry.get("label"), str)
        and isinstance(entry.get("score"), (int, float))
    }
