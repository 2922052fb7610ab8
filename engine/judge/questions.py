"""Questions: what is asked of a judge in one call, and the messages that carry it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

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


def messages(question: Question, *addenda: str) -> list[dict[str, Any]]:
    """Return the chat messages of a question, the parts that change least first.

    Rules and transcript stand before the question and the addenda, so that all questions about one
    conversation share the longest prefix and a provider's prompt cache holds.
    """
    parts = (question.transcript, question.ask, *addenda)
    shown = [
        {"role": role, "content": text}
        for example in question.examples
        for role, text in zip(("user", "assistant"), example, strict=True)
    ]
    return [
        {"role": "system", "content": question.rules},
        *shown,
        {"role": "user", "content": _with_pictures(question, addenda)}
        if question.pictures
        else {"role": "user", "content": "\n\n".join(part for part in parts if part)},
    ]


def opening_of(question: Question) -> str:
    """Return what all questions of a kind begin with: the rules and the worked examples."""
    return "\n".join([question.rules, *(text for example in question.examples for text in example)])


def _with_pictures(question: Question, addenda: tuple[str, ...]) -> list[dict[str, Any]]:
    before = [{"type": "text", "text": question.transcript}] if question.transcript else []
    shown = [part for picture in question.pictures for part in picture.parts()]
    after = "\n\n".join(part for part in (question.ask, *addenda) if part)
    return [*before, *shown, {"type": "text", "text": after}]


def schema_in_words(schema: Mapping[str, Any]) -> str:
    """Return the addendum that asks for the schema, for a server that cannot enforce it."""
    return "Answer with one JSON object and nothing else. It satisfies this JSON schema:\n" + json.dumps(
        schema, ensure_ascii=False
    )


CORRECTION = (
    "An earlier answer to this was not the JSON object asked for. Answer with that one object alone, "
    "complete and closed, with every required key and only values the schema allows."
)
CORRECTION_OF_LENGTH = (
    "An earlier answer to this was cut off because it was too long. Answer with the JSON object alone and "
    "keep every text in it to one short sentence."
)
