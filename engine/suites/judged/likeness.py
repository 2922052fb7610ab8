"""Checks by embeddings: how near an answer comes to an expected one, or to the question it was asked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.judged.asker import TEXT, Asker, object_of
from turnwise.engine.suites.results import CheckResult
from turnwise.engine.suites.values import as_text

_NEAR = 0.75
_TOLERANCE = 1e-9
"""What rounding may take from a likeness that reaches its threshold exactly."""
_QUESTIONS = 3
_KINDS = ("embedding", "embeddings")

_ASK = """\
{material}

Write three questions, each different in its words, to which this would be a full and fitting answer.

Answer with this JSON and nothing else: {{"questions": ["...", "...", "..."]}}"""

_SCHEMA = object_of(questions={"type": "array", "items": TEXT, "minItems": 1, "maxItems": _QUESTIONS})

Vector = Sequence[float]


async def similar(check: Check, answer: Answer, asker: Asker) -> CheckResult:
    """Whether the answer is near enough to the value, or to one of its texts, by the cosine. Threshold 0.75.

    similar:dot goes by the dot product, similar:euclidean by the distance, of which the threshold is then the
    most and the score 1 / (1 + distance). Negated, it must not be near to any; the score is 1 minus that.
    """
    value = check.value if isinstance(check.value, (list, tuple)) else [check.value]
    texts = [as_text(text) for text in value if text not in (None, "")]
    if not texts:
        raise SettingError(f"{check.type} needs a text to compare with", next_step="Give it a value.")
    if not answer.text.strip():
        return _empty(check)
    own, *others = await asker.embed([answer.text, *texts], model=embedding_model(check))
    threshold = _NEAR if check.threshold is None else check.threshold
    by_distance = check.type.endswith(":euclidean")
    if by_distance:
        nearest = min(math.dist(own, other) for other in others)
        holds, score, name = nearest <= threshold + _TOLERANCE, 1 / (1 + nearest), "Distance"
    else:
        measure = _dot if check.type.endswith(":dot") else _cosine
        nearest = max(measure(own, other) for other in others)
        holds, score, name = nearest >= threshold - _TOLERANCE, nearest, "Similarity"
    relation = ("is within" if holds else "is above") if by_distance else _relation(holds)
    return CheckResult(
        passed=holds != check.negate,
        score=1 - score if check.negate else score,
        reason=f"{name} {nearest:.4f} {relation} the threshold {threshold:g}",
    )


async def answer_relevance(check: Check, answer: Answer, asker: Asker) -> CheckResult:
    """The mean cosine of the question with questions that the answer would answer, written by the judge."""
    if not answer.text.strip():
        return _empty(check)
    query = answer.vars.get("query")
    question = query if isinstance(query, str) else answer.prompt
    reply = await asker.ask(
        _ASK.format(material=asker.fenced("the answer", answer.text)), _SCHEMA, name="questions"
    )
    found: Mapping[str, Any] = (reply.first_object() if asker.compat else reply.value) or {}
    listed = found.get("questions")
    questions = [as_text(one) for one in listed if one] if isinstance(listed, list) else []
    if not questions:
        return CheckResult(passed=False, score=0.0, reason="The judge's reply holds no question")
    own, *others = await asker.embed([question, *questions], model=embedding_model(check))
    score = math.fsum(_cosine(own, other) for other in others) / len(others)
    threshold = check.threshold or 0
    holds = score >= threshold - _TOLERANCE
    told = "; ".join(questions)
    return CheckResult(
        passed=holds != check.negate,
        score=1 - score if check.negate else score,
        reason=f"Relevance {score:.4f} {_relation(holds)} the threshold {threshold:g}; it answers: {told}",
    )


def embedding_model(check: Check) -> str:
    """Return the model that a file wants vectors from; empty where it names none.

    Raises NotFoundError where it names one that no OpenAI-compatible server has.
    """
    provider = check.options.get("provider")
    if isinstance(provider, Mapping) and "embedding" in provider:
        provider = provider["embedding"]
    elif isinstance(provider, Mapping) and "id" not in provider:
        return ""
    name = provider.get("id") if isinstance(provider, Mapping) else provider
    if not isinstance(name, str) or not name:
        return ""
    parts = name.split(":")
    if parts[0] == "openai" and len(parts) > 1:
        named = parts[2:] if parts[1] in _KINDS else parts[1:]
        # A chat model that is named for the questions gives no vectors.
        return ":".join(named) if parts[1] in _KINDS or "embedding" in parts[1] else ""
    raise NotFoundError(
        f"The file wants embeddings of {name}, which turnwise does not ask",
        next_step="Leave out its provider, and name a model with --embeddings.",
    )


def _empty(check: Check) -> CheckResult:
    # Servers refuse to make a vector of nothing.
    return CheckResult(passed=check.negate, score=float(check.negate), reason="The answer is empty")


def _relation(holds: bool) -> str:
    return "reaches" if holds else "is below"


def _dot(left: Vector, right: Vector) -> float:
    return math.fsum(a * b for a, b in zip(left, right, strict=True))


def _cosine(left: Vector, right: Vector) -> float:
    return _dot(left, right) / (math.hypot(*left) * math.hypot(*right))
