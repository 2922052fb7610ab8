"""Plain values as JavaScript writes, splits and compares them, for checks that were written for it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from turnwise.conversations.texts import SPACES, trimmed

_SPACE_RUN = re.compile(f"[{SPACES}]+")
_LARGEST_EXACT = 2**53


def words(text: str) -> list[str]:
    """Return the words of a text: what stands between white space."""
    inner = trimmed(text)
    return _SPACE_RUN.split(inner) if inner else []


def number_text(number: float) -> str:
    """Return a number as JavaScript prints it: 1.0 is 1, 1e-07 is 1e-7, and 2**64 has fewer digits."""
    if isinstance(number, int) and abs(number) <= _LARGEST_EXACT:
        return str(number)
    return item_text(number)


def item_text(value: Any) -> str:
    """Return a value as JavaScript makes a text of it: null, lists by commas, [object Object]."""
    # The rules come with the engine of templates, which takes a while to import.
    from turnwise.conversations.templates.javascript_values import string_of

    return string_of(value)


def as_text(value: Any) -> str:
    """Return a value as a check compares it: a text as it is, data as compact JSON, None as undefined."""
    match value:
        case str():
            return value
        case None:
            return "undefined"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return number_text(value)
        case _:
            return as_json(value)


def as_json(value: Any) -> str:
    """Return plain data as the compact JSON that JavaScript writes."""
    match value:
        case None | bool():
            return json.dumps(value)
        case float() if value != value or value in (float("inf"), float("-inf")):
            return "null"
        case int() | float():
            return number_text(value)
        case Mapping():
            pairs = (
                f"{json.dumps(str(key), ensure_ascii=False)}:{as_json(item)}" for key, item in value.items()
            )
            return "{" + ",".join(pairs) + "}"
        case str():
            return json.dumps(value, ensure_ascii=False)
        case Sequence():
            return "[" + ",".join(as_json(item) for item in value) + "]"
        case _:
            return json.dumps(str(value), ensure_ascii=False)


def strict_json(text: str) -> Any:
    """Return the data that a JSON text holds. Raises ValueError where it is no JSON by the standard."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _no_constant(name: str) -> Any:
    # Python reads NaN and Infinity, which JSON does not have.
    raise ValueError(f"{name} is no JSON")


def same(left: Any, right: Any) -> bool:
    """Say whether two values are the same data; 1 and 1.0 are, 1 and true are not."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        return left == right or _as_held(left) == _as_held(right)
    return bool(left == right)


def _as_held(number: float) -> float:
    """Return a number as JavaScript holds it, which has no whole numbers beyond 2**53."""
    try:
        return float(number)
    except OverflowError:
        return float("inf") if number > 0 else float("-inf")
