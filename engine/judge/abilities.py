"""Abilities: what a judge's server takes, found out by what it refuses, and the request that fits it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from turnwise.engine.judge.faults import Fault
from turnwise.engine.judge.probabilities import MOST_ALTERNATIVES
from turnwise.engine.judge.questions import Question, messages, schema_in_words
from turnwise.engine.judge.settings import JudgeSettings, Style

_WEAKER: Mapping[Style, Style | None] = {"schema": "object", "object": "text", "text": None}
# Some servers admit only a few alternatives a token; few are better than none.
_FEWER = {MOST_ALTERNATIVES: 5, 5: 0}
_STYLE_BLAMED = re.compile(
    r"response[_ ]?format|json[_ ]?(schema|object|mode)|structured[_ ]output|grammar|guided", re.IGNORECASE
)
_REFUSING = frozenset({400, 404, 405, 415, 422, 501})


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """What is asked of a server: as much as it is not known to refuse.

    alternatives: how many a token may be asked for; 0 is no log probabilities at all.
    length_name: what the server calls the most tokens of a reply.
    """

    style: Style = "schema"
    alternatives: int = MOST_ALTERNATIVES
    temperature: bool = True
    seed: bool = True
    length_name: str = "max_tokens"


def first_abilities(settings: JudgeSettings) -> Abilities:
    """Return what to try first with a judge."""
    return Abilities(style="schema" if settings.style == "auto" else settings.style)


def conceded(
    abilities: Abilities, fault: Fault, body: Mapping[str, Any], *, fixed_style: bool
) -> Abilities | None:
    """Return what to try after a refusal; None where the refusal blames nothing that can be left out.

    body: the request that was refused. fixed_style: whether the way of asking for JSON was set by hand.
    """
    if fault.status not in _REFUSING:
        return None
    # The message names the culprit; an address that does not exist names none of these.
    blamed = f"{fault.parameter} {fault.code} {fault.message}".lower()
    if "logprobs" in body and ("logprobs" in blamed or "log prob" in blamed):
        return replace(abilities, alternatives=_FEWER[abilities.alternatives])
    if "response_format" in body and not fixed_style and _STYLE_BLAMED.search(blamed):
        weaker = _WEAKER[abilities.style]
        return replace(abilities, style=weaker) if weaker else None
    if "max_tokens" in body and "max_completion_tokens" in blamed:
        return replace(abilities, length_name="max_completion_tokens")
    if "temperature" in body and "temperature" in blamed:
        return replace(abilities, temperature=False)
    if "seed" in body and re.search(r"\bseed\b", blamed):
        return replace(abilities, seed=False)
    return None


def request_body(
    settings: JudgeSettings, question: Question, abilities: Abilities, addendum: str = "", longer: int = 1
) -> dict[str, Any]:
    """Return the body of a chat completion request.

    addendum: stands after the question. longer: the factor on the most tokens of the reply.
    """
    in_words = schema_in_words(question.schema) if abilities.style != "schema" else ""
    body: dict[str, Any] = {
        "model": settings.model,
        "messages": messages(question, in_words, addendum),
    }
    if abilities.temperature:
        body["temperature"] = settings.temperature
    if abilities.seed and settings.seed is not None:
        body["seed"] = settings.seed
    most = question.max_tokens or settings.max_tokens
    if most is not None:
        body[abilities.length_name] = most * longer
    if abilities.style == "schema":
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": question.name, "schema": question.schema, "strict": True},
        }
    elif abilities.style == "object":
        body["response_format"] = {"type": "json_object"}
    if question.token_probabilities and abilities.alternatives:
        body["logprobs"] = True
        body["top_logprobs"] = abilities.alternatives
    body.update(settings.extra_body)
    return body
