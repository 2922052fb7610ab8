"""How an evaluator asks the judge: our own form strictly; in compat, replies read as AgentV reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.errors import MalformedReplyError, NotFoundError
from turnwise.engine.judge.judge import Judge
from turnwise.engine.judge.questions import Question
from turnwise.engine.suites.agentv.replies import Reader
from turnwise.engine.suites.judged.asker import RULES, Asker

_TRIES = 3
_AGAIN = "Answer with the JSON object alone."


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a reply. schema: what is asked for. accept: what can be used. read: as AgentV reads it."""

    name: str
    schema: Mapping[str, Any]
    accept: Mapping[str, Any]
    read: Reader


async def reply_to(asker: Asker, ask: str, form: Form, *, rules: str = RULES) -> Mapping[str, Any] | None:
    """Return the judge's reply to a question. Raises JudgeError, and NotFoundError without a judge.

    A reply that cannot be read raises MalformedReplyError. In compat the first of three replies that AgentV
    could read counts; None where it could read none.
    """
    if not asker.compat:
        return await _strictly(asker, ask, form, rules)
    replies: list[str] = []
    while len(replies) < _TRIES:
        # Other words each time, lest the judge's memory give the same reply again.
        words = "\n\n".join([ask, *[_AGAIN] * len(replies)])
        new = await _replies(asker, words, form, rules)
        for reply in (replies + new)[len(replies) : _TRIES]:
            if (value := form.read(reply)) is not None:
                return value
        replies += new or [""]
    return None


async def _strictly(asker: Asker, ask: str, form: Form, rules: str) -> Mapping[str, Any]:
    try:
        answer = await _judge(asker).ask(_question(ask, form, rules))
    except MalformedReplyError as error:
        asker.calls += error.calls
        raise
    asker.calls += [call.key for call in (*answer.rejected, answer.call)]
    return answer.value


async def _replies(asker: Asker, ask: str, form: Form, rules: str) -> list[str]:
    """Return what the judge wrote, each try in order."""
    try:
        answer = await _judge(asker).ask(_question(ask, form, rules))
    except MalformedReplyError as error:
        asker.calls += error.calls
        return list(error.replies)
    calls = (*answer.rejected, answer.call)
    asker.calls += [call.key for call in calls]
    return [call.reply for call in calls]


def _judge(asker: Asker) -> Judge:
    if asker.judge is None:
        raise NotFoundError("It needs a judge", next_step="Name one with --judge.")
    return asker.judge


def _question(ask: str, form: Form, rules: str) -> Question:
    return Question(
        rules=rules, transcript="", ask=ask, schema=form.schema, name=form.name, accept=form.accept
    )
