"""Replies of judges: taken in the form that was asked for, or as AgentV reads them; nothing is converted."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from turnwise.conversations.suites import Check
from turnwise.conversations.templates import strict_json
from turnwise.conversations.texts import trimmed
from turnwise.engine.checks.findings import Finding

_FENCE = re.compile(r"```json\n?|```")
_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
HIGHEST = 10

Reader = Callable[[str], Mapping[str, Any] | None]


def json_in(text: str) -> Any:
    """Return the data in a text: from its first brace to its last, else the whole. Raises ValueError."""
    plain = trimmed(_FENCE.sub("", text))
    found = _OBJECT.search(plain)
    return strict_json(found[0] if found else plain)


def read_freeform(text: str) -> Mapping[str, Any] | None:
    """Return a reply with a score from 0 to 1, and hits, misses, reasoning, assertions where it has them."""
    value = _object(text)
    if value is None or not _is_number(value.get("score"), 0, 1):
        return None
    fits = _texts_if_there(value, "hits") and _texts_if_there(value, "misses")
    return value if fits and _text_if_there(value, "reasoning") and _assertions_if_there(value) else None


def read_checklist(text: str) -> Mapping[str, Any] | None:
    """Return a reply with checks, each of id, satisfied and reasoning, and with an overall reasoning."""
    value = _object(text)
    if value is None or not isinstance(value.get("overall_reasoning"), str):
        return None
    return value if _all_checks(value, _is_checklist_entry) else None


def read_ranges(text: str) -> Mapping[str, Any] | None:
    """Return a reply with checks, each of id and a whole score from 0 to 10."""
    value = _object(text)
    if value is None or not _text_if_there(value, "overall_reasoning"):
        return None
    return value if _all_checks(value, _is_ranges_entry) else None


def _object(text: str) -> Mapping[str, Any] | None:
    try:
        value = json_in(text)
    except ValueError:
        return None
    return value if isinstance(value, Mapping) else None


def _all_checks(value: Mapping[str, Any], fits: Callable[[Mapping[str, Any]], bool]) -> bool:
    checks = value.get("checks")
    return isinstance(checks, list) and all(isinstance(one, Mapping) and fits(one) for one in checks)


def _is_checklist_entry(one: Mapping[str, Any]) -> bool:
    texts = isinstance(one.get("id"), str) and isinstance(one.get("reasoning"), str)
    return texts and isinstance(one.get("satisfied"), bool)


def _is_ranges_entry(one: Mapping[str, Any]) -> bool:
    score: Any = one.get("score")
    whole = _is_number(score, 0, HIGHEST) and score == int(score)
    return isinstance(one.get("id"), str) and whole and _text_if_there(one, "reasoning")


def _is_number(value: Any, low: float, high: float) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and low <= value <= high


def _text_if_there(value: Mapping[str, Any], key: str) -> bool:
    return key not in value or isinstance(value[key], str)


def _texts_if_there(value: Mapping[str, Any], key: str) -> bool:
    listed = value.get(key, [])
    return isinstance(listed, list) and all(isinstance(item, str) for item in listed)


def _assertions_if_there(value: Mapping[str, Any]) -> bool:
    listed = value.get("assertions", [])
    return isinstance(listed, list) and all(
        isinstance(one, Mapping) and isinstance(one.get("text"), str) and isinstance(one.get("passed"), bool)
        for one in listed
    )


_LATER_NAMES = ("llm-grader", "llm_grader", "llm-rubric", "rubrics")


def unreadable(check: Check, reason: str) -> Finding:
    """Return what AgentV makes of a judge that it cannot read: 0, or nothing with its later types."""
    counts = check.type not in _LATER_NAMES
    return Finding(score=0.0, passed=None if counts else False, reason=reason, counts=counts)
