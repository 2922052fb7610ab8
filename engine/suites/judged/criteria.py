"""g-eval: a criterion becomes steps, the steps a score from 0 to 10.

Source: Liu and others 2023, "G-Eval: NLG Evaluation using GPT-4 with Better Human Alignment".
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.judged.asker import TEXT, Asker, Reply, object_of
from turnwise.engine.suites.results import CheckResult
from turnwise.engine.suites.values import as_text, strict_json

_HIGHEST = 10
_THRESHOLD = 0.7

_DRAFT = """\
A reviewer wants to judge an answer to a prompt by this criterion:
{criterion}

Write three or four short steps by which somebody else would come to the same judgement.

Answer with this JSON and nothing else: {{"steps": ["...", "..."]}}"""

_SCORE = """\
{prompt}
{material}

Judge the answer by this criterion:
{criterion}

Go by these steps:
{steps}

Answer with this JSON and nothing else: {{"reason": "...", "score": ...}}
score: a whole number from 0, not met at all, to 10, met fully."""

_DRAFTED, _RATED = re.compile(r'\{"steps".+\}'), re.compile(r"\{.+\}")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_STEPS = object_of(steps={"type": "array", "items": TEXT, "minItems": 1})
_SCORED = object_of(reason=TEXT, score={"type": "number", "minimum": 0, "maximum": _HIGHEST})


async def g_eval(check: Check, answer: Answer, asker: Asker) -> CheckResult:
    """The mean over the criteria of a score from 0 to 10, divided by 10. Threshold 0.7."""
    value = check.value if isinstance(check.value, (list, tuple)) else [check.value]
    if asker.compat and value and not all(isinstance(criterion, str) for criterion in value):
        raise SettingError("g-eval needs texts as criteria", next_step="Write its value as texts.")
    if asker.compat and not value:
        return CheckResult(passed=False, score=0.0, reason="There is no criterion to go by")
    criteria = [as_text(criterion) for criterion in value if criterion]
    if not criteria:
        raise SettingError("g-eval needs a criterion", next_step="Give it a value.")
    found = await asyncio.gather(*(_scored(criterion, answer, asker) for criterion in criteria))
    scores = [score for score, _ in found if score is not None]
    if len(scores) < len(found):
        return CheckResult(passed=False, score=0.0, reason="The judge's reply holds no steps or no score")
    score = sum(scores) / len(scores) / _HIGHEST
    threshold = _THRESHOLD if check.threshold is None else check.threshold
    passed = (score >= threshold) != check.negate
    reason = "\n".join(reason for _, reason in found)
    return CheckResult(passed=passed, score=1 - score if check.negate else score, reason=reason)


async def _scored(criterion: str, answer: Answer, asker: Asker) -> tuple[float | None, str]:
    drafted = _read(
        await asker.ask(_DRAFT.format(criterion=criterion), _STEPS, name="steps"), asker, _DRAFTED
    )
    steps = drafted.get("steps")
    if not isinstance(steps, list) or not steps:
        return None, ""
    if asker.compat and not all(isinstance(step, str) and step.strip() for step in steps):
        return None, ""
    ask = _SCORE.format(
        prompt=asker.fenced("the prompt", answer.prompt),
        material=asker.fenced("the answer", answer.text),
        criterion=criterion,
        steps="\n".join(f"{number}. {as_text(step)}" for number, step in enumerate(steps, start=1)),
    )
    scored = _read(await asker.ask(ask, _SCORED, name="score"), asker, _RATED)
    score, reason = scored.get("score"), scored.get("reason")
    if isinstance(score, str) and asker.compat and _NUMBER.fullmatch(score.strip()):
        score = float(score)
    if isinstance(score, bool) or not isinstance(score, (int, float)):
        return None, ""
    if asker.compat and not (0 <= score <= _HIGHEST and isinstance(reason, str) and reason.strip()):
        return None, ""
    return score, str(reason or "")


def _read(reply: Reply, asker: Asker, line: re.Pattern[str]) -> Mapping[str, Any]:
    """Return the object of a reply; with compat, one that stands in a line of its own."""
    if not asker.compat:
        return reply.value or {}
    found = line.search(reply.text)
    try:
        value = strict_json(found[0]) if found else None
    except ValueError:
        value = None
    return value if isinstance(value, dict) else {}
