"""Checks of whether replies fit: those of a conversation what was said, an answer its question."""

from __future__ import annotations

import asyncio
import math
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check
from turnwise.conversations.templates import as_text
from turnwise.engine.checks.answer import Answer
from turnwise.engine.checks.asker import TEXT, Ask, Asker, JudgeReply, object_of
from turnwise.engine.checks.findings import Finding, failed
from turnwise.engine.checks.json_checks import first_object
from turnwise.engine.checks.similarity import TOLERANCE, cosine, embedding_model, nothing_said, relation_of

SpokenTurns = Sequence[tuple[str, str]]
"""What a user said and what was replied, turn by turn."""
Fits = Callable[[SpokenTurns, Asker], Awaitable[tuple[bool | None, str]]]
"""Asks whether the last reply of a window fits; None where the judge says neither yes nor no."""
ReplyReader = Callable[[JudgeReply], Mapping[str, Any] | None]

_YES_OR_NO = {"yes": True, "no": False}
_QUESTIONS = 3
_WINDOW = 5
_THRESHOLD = 0.5

_ASK = """\
{material}

Does the last reply of the assistant fit the conversation up to there?

Answer with this JSON and nothing else: {{"reason": "...", "verdict": "yes" or "no"}}"""

_VERDICT = object_of(reason=TEXT, verdict={"enum": ["yes", "no"]})


_QUESTIONS_ASK = """\
{material}

Write three questions, each different in its words, to which this would be a full and fitting answer.

Answer with this JSON and nothing else: {{"questions": ["...", "...", "..."]}}"""

_LISTED = object_of(questions={"type": "array", "items": TEXT, "minItems": 1, "maxItems": _QUESTIONS})


async def conversation_relevance(check: Check, answer: Answer, asker: Asker) -> Finding:
    """The share of replies that fit, each asked about with the turns before it. Threshold 0.5.

    config.windowSize: how many turns the judge sees (5). The turns are those of `_conversation` among the
    variables, else the prompt and the answer.
    """
    return await _conversation_relevance(check, answer, asker, _fits)


async def conversation_relevance_read_loosely(check: Check, answer: Answer, asker: Asker) -> Finding:
    """The share of replies that fit, with the judge's replies read as promptfoo does."""
    return await _conversation_relevance(check, answer, asker, _fits_read_loosely)


async def _conversation_relevance(check: Check, answer: Answer, asker: Asker, fits: Fits) -> Finding:
    size = check.config.get("windowSize") or _WINDOW
    if not isinstance(size, int) or isinstance(size, bool) or size < 1:
        raise SettingError("windowSize must be a whole number from 1", next_step="Leave it out for 5.")
    turns = _turns(answer)
    windows = [turns[max(0, end - size) : end] for end in range(1, len(turns) + 1)]
    found = await asyncio.gather(*(fits(window, asker) for window in windows))
    if any(one is None for one, _ in found):
        return failed("The judge's reply says neither yes nor no")
    good = sum(1 for one, _ in found if one)
    score = good / len(found)
    threshold = _THRESHOLD if check.threshold is None else check.threshold
    faults = [reason for one, reason in found if not one and reason]
    return Finding(
        passed=(score >= threshold - sys.float_info.epsilon) != check.negate,
        score=1 - score if check.negate else score,
        reason="; ".join([f"{good} of {len(found)} replies fit", *faults]),
    )


def _turns(answer: Answer) -> SpokenTurns:
    held = answer.vars.get("_conversation")
    turns = [
        (as_text(turn.get("input", turn.get("prompt", ""))), as_text(turn.get("output", "")))
        for turn in (held if isinstance(held, (list, tuple)) else ())
        if isinstance(turn, Mapping)
    ]
    return turns or [(answer.prompt, answer.text)]


def _question(window: SpokenTurns, asker: Asker) -> str:
    lines = [f"user: {said}\nassistant: {replied}" for said, replied in window]
    return _ASK.format(material=asker.shown("the conversation", "\n".join(lines)))


async def _fits(window: SpokenTurns, asker: Asker) -> tuple[bool | None, str]:
    found = (await asker.ask(_question(window, asker), _VERDICT, name="relevance")).value or {}
    return _YES_OR_NO.get(str(found.get("verdict") or "").strip().lower()), str(found.get("reason") or "")


async def _fits_read_loosely(window: SpokenTurns, asker: Asker) -> tuple[bool | None, str]:
    reply = await asker.ask_for_text(_question(window, asker), _VERDICT, name="relevance")
    found = first_object(reply) or {}
    return _YES_OR_NO.get(str(found.get("verdict") or "")), str(found.get("reason") or "")


async def answer_relevance(check: Check, answer: Answer, asker: Asker) -> Finding:
    """The mean cosine of the question with questions that the answer would answer, written by the judge."""
    return await _answer_relevance(check, answer, asker, asker.ask, lambda reply: reply.value)


async def answer_relevance_read_loosely(check: Check, answer: Answer, asker: Asker) -> Finding:
    """The mean cosine of the question with questions, with the judge's reply read as promptfoo does."""
    return await _answer_relevance(check, answer, asker, asker.ask_for_text, first_object)


async def _answer_relevance(
    check: Check, answer: Answer, asker: Asker, ask: Ask, read: ReplyReader
) -> Finding:
    if not answer.text.strip():
        return nothing_said(check)
    query = answer.vars.get("query")
    question = query if isinstance(query, str) else answer.prompt
    reply = await ask(
        _QUESTIONS_ASK.format(material=asker.shown("the answer", answer.text, prompt=answer.prompt)),
        _LISTED,
        name="questions",
    )
    found: Mapping[str, Any] = read(reply) or {}
    listed = found.get("questions")
    questions = [as_text(one) for one in listed if one] if isinstance(listed, list) else []
    if not questions:
        return failed("The judge's reply holds no question")
    own, *others = await asker.embed([question, *questions], model=embedding_model(check, asker))
    score = math.fsum(cosine(own, other) for other in others) / len(others)
    threshold = check.threshold or 0
    holds = score >= threshold - TOLERANCE
    told = "; ".join(questions)
    return Finding(
        passed=holds != check.negate,
        score=1 - score if check.negate else score,
        reason=f"Relevance {score:.4f} {relation_of(holds)} the threshold {threshold:g}; it answers: {told}",
    )
