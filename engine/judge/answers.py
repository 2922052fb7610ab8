"""Answer: what a judge's call says, checked against the question that it was to answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from turnwise.conversations.errors import JudgeRefusedError, MalformedReplyError
from turnwise.engine.judge.calls import JudgeCall
from turnwise.engine.judge.probabilities import weighted_score
from turnwise.engine.judge.questions import Question
from turnwise.engine.judge.replies import parse_reply
from turnwise.engine.judge.settings import JudgeSettings

NO_PROBABILITIES = "the judge gives no token probabilities, so the score is the number it wrote"
NO_WEIGHTS = "the token probabilities give no weights for this score, so it is the number the judge wrote"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A checked answer.

    value: the object asked for. call: the call it came in; `call.cached` says whether it was made now.
    weighted: the key `score` weighted by token probability, in the schema's range; None where the question
    does not ask for it or the judge gives no probabilities, and then `note` says so.
    rejected: the calls before it whose replies were malformed.
    """

    value: dict[str, Any]
    call: JudgeCall
    weighted: float | None = None
    note: str = ""
    rejected: tuple[JudgeCall, ...] = ()

    @property
    def cost(self) -> float | None:
        """What was spent now for this answer, in US dollars; None where no price is known."""
        costs = [call.cost for call in (*self.rejected, self.call) if not call.cached]
        known = [cost for cost in costs if cost is not None]
        return sum(known) if known or not costs else None


def answer_in(question: Question, call: JudgeCall, rejected: tuple[JudgeCall, ...] = ()) -> Answer:
    """Return the answer in a call. Raises MalformedReplyError where there is none, or none of any use."""
    value = parse_reply(call.reply, question.accepted, call.finish_reason)
    if question.usable is not None and not question.usable(value):
        raise MalformedReplyError(
            "The judge's reply is not what was asked for",
            detail=f"nothing in it answers the question\nreply: {call.reply[:200]!r}",
            next_step="Try again, or use another judge.",
        )
    weighted, note = _weighted(question, call) if question.token_probabilities else (None, "")
    return Answer(value=value, call=call, weighted=weighted, note=note, rejected=rejected)


def _weighted(question: Question, call: JudgeCall) -> tuple[float | None, str]:
    if not call.tokens:
        return None, NO_PROBABILITIES
    schema = question.schema.get("properties", {}).get("score", {})
    low, high = int(schema.get("minimum", 0)), int(schema.get("maximum", 10))
    score = weighted_score(call.tokens, call.reply, low=low, high=high)
    return score, "" if score is not None else NO_WEIGHTS


def refusal(words: str, settings: JudgeSettings) -> JudgeRefusedError:
    """Return the error for a judge that declines in these words."""
    return JudgeRefusedError(
        "The judge declines to judge this conversation",
        detail=f"{settings.model}: {words[:200]!r}",
        next_step="Use another judge for it.",
    )
