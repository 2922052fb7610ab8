"""Named fields: what of a case a judge is told to read beside what was said, as fenced text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from turnwise.conversations.cases import LLMTestCaseParams
from turnwise.conversations.models import shorten
from turnwise.conversations.turns import passage_text
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.transcripts import fence

_SAID = frozenset({"input", "actual_output"})


def fields_shown(parameters: Sequence[LLMTestCaseParams], subject: Subject, mark: str) -> str:
    """Write the fields, fenced like the transcript; empty where the transcript holds all of them."""
    parts = []
    for parameter in parameters:
        if parameter.value in _SAID:
            continue
        noun = parameter.value.replace("_", " ")
        parts.append(fence(mark, noun, dict(enumerate(_texts(parameter.value, subject), start=1))))
    return "\n".join(["", *parts]) if parts else ""


def fields_missing(parameters: Sequence[LLMTestCaseParams], subject: Subject) -> str:
    """Say which of the fields a case has not; empty where it has all."""
    told = [parameter.value for parameter in parameters if parameter.value not in _SAID]
    missing = [name for name in told if subject.value(name) in (None, "", [])]
    return f"the case has no {' and no '.join(missing)}" if missing else ""


def _texts(name: str, subject: Subject) -> list[str]:
    """Return the items of a field as texts; those that turns of a conversation came with name their turn."""
    value = subject.value(name)
    if subject.exchange is None and getattr(subject.case, name, None) is None:
        return [
            f"(turn {turn}) {_as_text(item)}" if turn else _as_text(item)
            for turn, item in subject.came_with(name)
        ]
    return [_as_text(item) for item in (value if isinstance(value, list) else [value])]


def _as_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if hasattr(value, "context"):
        return passage_text(value)
    if hasattr(value, "name"):
        return f"{value.name}({shorten(value.input_parameters or {}, 400)}) gave {shorten(value.output, 400)}"
    return shorten(value, 2000)
