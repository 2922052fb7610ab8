"""Questions: what is asked of a judge in one call, the messages that carry it, and the answer in a reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from turnwise.conversations.errors import JudgeRefusedError, MalformedReplyError
from turnwise.engine.judge.calls import JudgeCall
from turnwise.engine.judge.probabilities import weighted_score
from turnwise.engine.judge.replies import parse_reply
from turnwise.engine.models.settings import ModelSettings

if TYPE_CHECKING:
    from turnwise.engine.judge.pictures import Picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One question to a judge.

    rules: the system text; the same for all questions of a kind.
    transcript: what is judged, already fenced as data; may be empty.
    ask: the question itself.
    schema: JSON schema of the reply: an object with its required keys and additionalProperties false.
    name: what the schema is called, of letters, digits, `_` and `-`.
    token_probabilities: whether the reply's key `score` is to be weighted by token probability.
    max_tokens: the most tokens the reply may have; None leaves it to the judge's settings.
    lasting: the kept answer serves even where everything is asked anew, as the steps of a criterion do.
    examples: worked examples, each the text of a question and of its answer, shown before the question.
    accept: a looser schema that a reply may satisfy instead, where whoever asks can use a part of the answer.
    usable: says whether an accepted reply is of any use; one that is not is malformed, and never reused.
    pictures: images that are shown between the transcript and the question.
    """

    rules: str
    transcript: str
    ask: str
    schema: Mapping[str, Any]
    name: str
    token_probabilities: bool = False
    max_tokens: int | None = None
    accept: Mapping[str, Any] | None = None
    usable: Callable[[Mapping[str, Any]], bool] | None = None
    examples: tuple[tuple[str, str], ...] = ()
    lasting: bool = False
    pictures: tuple[Picture, ...] = ()

    @property
    def accepted(self) -> Mapping[str, Any]:
        """The schema that a reply is checked against."""
        return self.schema if self.accept is None else self.accept


def messages(question: Question) -> list[dict[str, Any]]:
    """Return the chat messages of a question, the parts that change least first.

    Rules and transcript stand before the question, so that all questions about one
    conversation share the longest prefix and a provider's prompt cache holds.
    """
    parts = (question.transcript, question.ask)
    shown = [
        {"role": role, "content": text}
        for example in question.examples
        for role, text in zip(("user", "assistant"), example, strict=True)
    ]
    return [
        {"role": "system", "content": question.rules},
        *shown,
        {"role": "user", "content": _with_pictures(question)}
        if question.pictures
        else {"role": "user", "content": "\n\n".join(part for part in parts if part)},
    ]


def opening_of(question: Question) -> str:
    """Return what all questions of a kind begin with: the rules and the worked examples."""
    return "\n".join([question.rules, *(text for example in question.examples for text in example)])


def _with_pictures(question: Question) -> list[dict[str, Any]]:
    before = [{"type": "text", "text": question.transcript}] if question.transcript else []
    shown = [part for picture in question.pictures for part in picture.parts()]
    return [*before, *shown, {"type": "text", "text": question.ask}]


CORRECTION = (
    "An earlier answer to this was not the JSON object asked for. Answer with that one object alone, "
    "complete and closed, with every required key and only values the schema allows."
)
CORRECTION_OF_LENGTH = (
    "An earlier answer to this was cut off because it was too long. Answer with the JSON object alone and "
    "keep every text in it to one short sentence."
)


NO_PROBABILITIES = "the judge gives no token probabilities, so the score is the number it wrote"
NO_WEIGHTS = "the token probabilities give no weights for this score, so it is the number the judge wrote"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAnswer:
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
        """What was spent now for this answer, in US dollars; None where no price is known.

        A kept reply costs nothing, but of a judge whose price is not known it is no price either: a sum of
        such zeros and of costs that nobody knows would read as if all of it had been free.
        """
        calls = (*self.rejected, self.call)
        known = [0.0 if call.cached else call.cost for call in calls if call.cost is not None]
        return sum(known) if known else None


def answer_in(question: Question, call: JudgeCall, rejected: tuple[JudgeCall, ...] = ()) -> JudgeAnswer:
    """Return the answer in a call. Raises MalformedReplyError where there is none, or none of any use."""
    value = parse_reply(call.reply, question.accepted, call.finish_reason)
    if question.usable is not None and not question.usable(value):
        raise MalformedReplyError(
            "The judge's reply is not what was asked for",
            detail=f"nothing in it answers the question\nreply: {call.reply[:200]!r}",
            next_step="Try again, or use another judge.",
        )
    weighted, note = _weighted(question, call) if question.token_probabilities else (None, "")
    return JudgeAnswer(value=value, call=call, weighted=weighted, note=note, rejected=rejected)


def _weighted(question: Question, call: JudgeCall) -> tuple[float | None, str]:
    if not call.tokens:
        return None, NO_PROBABILITIES
    schema = question.schema.get("properties", {}).get("score", {})
    low, high = int(schema.get("minimum", 0)), int(schema.get("maximum", 10))
    score = weighted_score(call.tokens, call.reply, low=low, high=high)
    return score, "" if score is not None else NO_WEIGHTS


def odd_answer(odd: Sequence[str], settings: ModelSettings) -> MalformedReplyError:
    """Return the error for an answer that holds what the judge's API does not have, in these words."""
    return MalformedReplyError(
        "The judge's reply is not what was asked for",
        detail=f"{settings.model}: {'; '.join(odd)}",
        next_step="Try again, or use another judge.",
    )


def refusal(words: str, settings: ModelSettings) -> JudgeRefusedError:
    """Return the error for a judge that declines in these words."""
    return JudgeRefusedError(
        "The judge declines to judge this conversation",
        detail=f"{settings.model}: {words[:200]!r}",
        next_step="Use another judge for it.",
    )


CHARACTERS_A_TOKEN = 4.0
"""English text in the tokenizers in use has 4 to 4.5 characters a token."""
TOKENS_OF_RULES = 350
TOKENS_A_TURN = 12
"""How many tokens the heading of a turn takes in the prompt."""
TOKENS_OF_A_VERDICT = 35


def estimated_tokens(text: str) -> int:
    """Return about how many tokens a text has."""
    return round(len(text) / CHARACTERS_A_TOKEN)
