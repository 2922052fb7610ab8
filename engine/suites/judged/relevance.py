"""conversation-relevance: how many of a conversation's replies fit what was said before them."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.judged.asker import TEXT, Asker, object_of
from turnwise.engine.suites.results import CheckResult
from turnwise.engine.suites.values import as_text

_WINDOW = 5
_THRESHOLD = 0.5

_ASK = """\
{material}

Does the last reply of the assistant fit the conversation up to there?

Answer with this JSON and nothing else: {{"reason": "...", "verdict": "yes" or "no"}}"""

_VERDICT = object_of(reason=TEXT, verdict={"enum": ["yes", "no"]})


async def conversation_relevance(check: Check, answer: Answer, asker: Asker) -> CheckResult:
    """The share of replies that fit, each asked about with the turns before it. Threshold 0.5.

    config.windowSize: how many turns the judge sees (5). The turns are those of `_conversation` among the
    variables, else the prompt and the answer.
    """
    size = check.config.get("windowSize") or _WINDOW
    if not isinstance(size, int) or isinstance(size, bool) or size < 1:
        raise SettingError("windowSize must be a whole number from 1", next_step="Leave it out for 5.")
    turns = _turns(answer)
    windows = [turns[max(0, end - size) : end] for end in range(1, len(turns) + 1)]
    found = await asyncio.gather(*(_fits(window, asker) for window in windows))
    if any(fits is None for fits, _ in found):
        return CheckResult(passed=False, score=0.0, reason="The judge's reply says neither yes nor no")
    good = sum(1 for fits, _ in found if fits)
    score = good / len(found)
    threshold = _THRESHOLD if check.threshold is None else check.threshold
    faults = [reason for fits, reason in found if not fits and reason]
    return CheckResult(
        passed=(score >= threshold - sys.float_info.epsilon) != check.negate,
        score=1 - score if check.negate else score,
        reason="; ".join([f"{good} of {len(found)} replies fit", *faults]),
    )


def _turns(answer: Answer) -> Sequence[tuple[str, str]]:
    held = answer.vars.get("_conversation")
    turns = [
        (as_text(turn.get("input", turn.get("prompt", ""))), as_text(turn.get("output", "")))
        for turn in (held if isinstance(held, (list, tuple)) else ())
        if isinstance(turn, Mapping)
    ]
    return turns or [(answer.prompt, answer.text)]


async def _fits(window: Sequence[tuple[str, str]], asker: Asker) -> tuple[bool | None, str]:
    lines = [f"user: {said}\nassistant: {replied}" for said, replied in window]
    ask = _ASK.format(material=asker.fenced("the conversation", "\n".join(lines)))
    reply = await asker.ask(ask, _VERDICT, name="relevance")
    found: Mapping[str, Any] = (reply.first_object() if asker.compat else reply.value) or {}
    verdict = str(found.get("verdict") or "")
    if not asker.compat:
        verdict = verdict.strip().lower()
    return {"yes": True, "no": False}.get(verdict), str(found.get("reason") or "")
