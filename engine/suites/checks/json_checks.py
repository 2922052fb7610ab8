"""Checks on JSON: that an output is JSON, or holds some, and that it satisfies a schema."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.formats.yaml_text import load_yaml
from turnwise.conversations.suites import Check
from turnwise.engine.suites.answer import Answer
from turnwise.engine.suites.checks.findings import yes_or_no
from turnwise.engine.suites.checks.schemas import Schema, read_schema
from turnwise.engine.suites.results import CheckResult
from turnwise.engine.suites.values import strict_json

_LONGEST_OBJECT = 100_000
_MOST_TRIES = 500
"""How many opening braces are tried at the most, so that a text of braces ends."""
_BRACE = re.compile(r"[{}]")
_LINE_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|(?<![:\w])//')


def is_json(check: Check, answer: Answer) -> CheckResult:
    """Whether the output is JSON, and satisfies the schema where there is one."""
    try:
        data = strict_json(answer.text)
    except ValueError:
        return yes_or_no(check, False, expected="be valid JSON")
    schema = _schema(check)
    if schema is None:
        return yes_or_no(check, True, expected="be valid JSON")
    fault = schema.fault(data)
    return yes_or_no(check, not fault, expected=f"satisfy the schema{': ' + fault if fault else ''}")


def contains_json(check: Check, answer: Answer) -> CheckResult:
    """Whether the output holds a JSON object; with a schema, one that satisfies it."""
    found = list(json_objects(answer.text))
    schema = _schema(check) if found else None
    if schema is None:
        return yes_or_no(check, bool(found), expected="contain valid JSON")
    faults = [schema.fault(item) for item in found]
    expected = "contain JSON that satisfies the schema"
    return yes_or_no(
        check, not all(faults), expected=f"{expected}: {faults[-1]}" if all(faults) else expected
    )


def json_objects(text: str) -> Iterator[Any]:
    """Yield the objects in a text, read as loosely as YAML allows: bare keys, and an end cut off."""
    place, tries = text.find("{"), 0
    while place >= 0 and tries < _MOST_TRIES:
        end, missing = _object_end(text, place)
        # A brace that is the last of all opens nothing.
        value = _read(text[place:end] + "}" * missing) if place + 1 < len(text) else None
        tries += 1
        if value is None:
            place = text.find("{", place + 1)
        else:
            yield value
            place = text.find("{", end)


def _object_end(text: str, start: int) -> tuple[int, int]:
    limit = min(start + _LONGEST_OBJECT, len(text))
    depth = 0
    for match in _BRACE.finditer(text, start, limit):
        depth += 1 if match[0] == "{" else -1
        if depth == 0:
            return match.end(), 0
    return limit, depth


def _read(text: str) -> Any:
    try:
        value = strict_json(text)
    except ValueError:
        value = _read_loosely(text)
    return value if isinstance(value, (dict, list)) else None


def _read_loosely(text: str) -> Any:
    try:
        return load_yaml(_LINE_COMMENT.sub(lambda match: match[1] or "#", text))
    except ValueError:
        return None


def _schema(check: Check) -> Schema | None:
    if check.value is None or check.value is False or check.value in ("", 0):
        return None
    if isinstance(check.value, dict):
        return read_schema(check.value)
    if isinstance(check.value, str) and not check.value.startswith("file://"):
        found = _read_loosely(check.value)
        if isinstance(found, (dict, bool)):
            return read_schema(found)
    raise SettingError(f"{check.type} needs a JSON schema as its value", next_step="Give it an object.")
