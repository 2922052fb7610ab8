"""field_accuracy: the fields of an answer that is data, held against those of the expected one."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.suites import Check
from turnwise.engine.suites.agentv.dates import read_date
from turnwise.engine.suites.agentv.grade import Grade, clamped, graded
from turnwise.engine.suites.agentv.replies import json_in
from turnwise.engine.suites.agentv.submission import Submission
from turnwise.engine.suites.values import as_text, same

_ABSENT = object()
_PARTS = re.compile(r"[^.\[\]]+")
_LEADING_NUMBER = re.compile(r"\s*([+-]?(?:Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?))")
_SHOWN = 4


def field_accuracy(check: Check, submission: Submission, *, compat: bool) -> Grade:
    """The weighted share of config.fields that agree; with aggregation all_or_nothing, 1 if all do, else 0.

    A field: path (as in items[0].price), match (exact; numeric_tolerance with tolerance and relative; date
    with formats), weight (1), required (true). One that the expected answer lacks agrees; one that is not
    required and that the answer lacks does not count. Raises SettingError where no data are expected.
    """
    fields = check.config.get("fields")
    if not isinstance(fields, (list, tuple)) or not all(isinstance(one, Mapping) for one in fields):
        raise SettingError(f"{check.type} needs fields", next_step="List each as {path: ..., match: exact}.")
    try:
        given = json_in(submission.text)
    except ValueError:
        return graded(0.0, misses=("The answer is no JSON",))
    expected = _expected(submission)
    if expected is None:
        raise SettingError(
            f"{check.type} needs an expected output that is data", next_step="Write it as an object."
        )
    found = [_compared(field, given, expected, compat=compat) for field in fields]
    return _total(found, check.config.get("aggregation"))


@dataclass(frozen=True, slots=True)
class _Field:
    """What one field came to."""

    holds: bool
    weight: float
    told: str


def _expected(submission: Submission) -> Any:
    """Return the data of the last expected message of the assistant that holds some; None without any."""
    for message in reversed(submission.expected):
        content = message.get("content")
        if message.get("role") != "assistant":
            continue
        if isinstance(content, (Mapping, list, tuple)):
            return content
        if not isinstance(content, str) or not content:
            continue
        try:
            found = json_in(content)
        except ValueError:
            continue
        # Neither null nor a bare 0 or false is anything to compare with.
        return found if found or isinstance(found, (Mapping, list)) else None
    return None


def _compared(field: Mapping[str, Any], given: Any, expected: Any, *, compat: bool) -> _Field:
    path, weight = as_text(field.get("path")), field.get("weight", 1.0)
    wanted, found = at(expected, path), at(given, path)
    if wanted is _ABSENT:
        return _Field(True, weight, f"{path}: nothing expected")
    if found is _ABSENT:
        if field.get("required", True):
            return _Field(False, weight, f"{path}: missing")
        return _Field(True, 0.0, f"{path}: missing, and may be")
    match field.get("match"):
        case "exact":
            return _Field(
                same(found, wanted), weight, path if same(found, wanted) else f"{path}: another value"
            )
        case "numeric_tolerance":
            return _near(path, found, wanted, field, weight)
        case "date":
            formats = field.get("formats") or ()
            days = [read_date(as_text(value), formats, compat=compat) for value in (found, wanted)]
            told = f"{path}: {days[0] or 'no date'}, {days[1] or 'no date'} expected"
            return _Field(days[0] is not None and days[0] == days[1], weight, told)
        case other:
            return _Field(False, weight, f"{path}: there is no match {other}")


def _near(path: str, found: Any, wanted: Any, field: Mapping[str, Any], weight: float) -> _Field:
    left, right = _number(found), _number(wanted)
    if left is None or right is None or not (math.isfinite(left) and math.isfinite(right)):
        return _Field(False, weight, f"{path}: no number")
    apart = abs(left - right)
    measured = apart / abs(right) if field.get("relative") and right else apart
    tolerance = field.get("tolerance") or 0
    return _Field(measured <= tolerance, weight, f"{path}: {apart:.2f} apart, tolerance {tolerance:g}")


def at(data: Any, path: str) -> Any:
    """Return what stands at a path in data, or a mark of absence."""
    parts = _PARTS.findall(path)
    if not parts:
        return _ABSENT
    for part in parts:
        if isinstance(data, list) and part.isdecimal() and int(part) < len(data):
            data = data[int(part)]
        elif isinstance(data, list) and part == "length":
            data = len(data)
        elif isinstance(data, Mapping) and part in data:
            data = data[part]
        else:
            return _ABSENT
    return data


def _number(value: Any) -> float | None:
    """Return a number, or the one that a text begins with."""
    if isinstance(value, str):
        leading = _LEADING_NUMBER.match(value)
        return float(leading[1]) if leading else None
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _total(found: list[_Field], aggregation: Any) -> Grade:
    hits = [field.told for field in found if field.holds]
    misses = [field.told for field in found if not field.holds]
    weight = sum(field.weight for field in found)
    if aggregation == "all_or_nothing":
        score = float(not misses)
    elif not weight:
        score = float(not found)
    else:
        score = sum(field.weight for field in found if field.holds) / weight
    return graded(clamped(score), hits[:_SHOWN], misses[:_SHOWN], f"{len(hits)} of {len(found)} fields agree")
