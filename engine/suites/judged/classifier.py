"""classifier: how sure a model that sorts texts is of a label, asked at an address that the file gives."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.checks.findings import measured
from turnwise.engine.suites.judged.asker import Asker
from turnwise.engine.suites.judged.webhook import allowed, posted, shown
from turnwise.engine.suites.results import CheckResult
from turnwise.engine.suites.values import as_text


async def classifier(check: Check, answer: Answer, asker: Asker) -> CheckResult:
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
