"""Schemas: checking a value against the part of JSON Schema that questions use.

type (one or a list), properties, required, enum, const, minimum, maximum, items, minItems. Keys that an
object's properties do not name are left out; numbers may come as text; enum words in any case, with words
after them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

_NUMBER = re.compile(r"[+-]?\d{1,30}(\.\d{1,30})?([eE][+-]?\d{1,3})?")
_LEADING_WORD = re.compile(r"[^\W_]+(?:[-_'][^\W_]+)*")
_UNCERTAIN = "idk"


class Mismatch(ValueError):  # noqa: N818 - never leaves this package; parse_reply words it for people
    """A value is not what its schema asks for: where, what was expected, what was given."""

    def __init__(self, path: str, expected: str, given: str) -> None:
        super().__init__(f"{path}: expected {expected}, got {given}")


def conform(value: Any, schema: Mapping[str, Any], path: str = "$") -> Any:
    """Return the value as its schema wants it. Raises Mismatch."""
    if "enum" in schema:
        return _choice(value, schema["enum"], path)
    if "const" in schema:
        return _choice(value, [schema["const"]], path)
    kinds = schema.get("type", "object" if "properties" in schema else ())
    kinds = (kinds,) if isinstance(kinds, str) else tuple(kinds)
    if not kinds or (value is None and "null" in kinds):
        return value
    refusal: Mismatch | None = None
    for kind in kinds:
        try:
            return _CHECKS[kind](value, schema, path)
        except Mismatch as mismatch:
            refusal = refusal or mismatch
    raise refusal or Mismatch(path, " or ".join(kinds), _shown(value))


def _object(value: Any, schema: Mapping[str, Any], path: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Mismatch(path, "an object", _shown(value))
    required = schema.get("required", ())
    for key in required:
        if key not in value:
            raise Mismatch(_under(path, key), "a value", "nothing")
    if "properties" not in schema:
        return value
    result = {}
    for key, inner in schema["properties"].items():
        # null for a key that may be absent says the same as leaving it out.
        if key in value and (value[key] is not None or key in required):
            result[key] = conform(value[key], inner, _under(path, key))
    return result


def _array(value: Any, schema: Mapping[str, Any], path: str) -> list[Any]:
    if not isinstance(value, list):
        raise Mismatch(path, "a list", _shown(value))
    least = schema.get("minItems", 0)
    if len(value) < least:
        raise Mismatch(path, f"at least {least} items", str(len(value)))
    inner = schema.get("items", {})
    return [conform(item, inner, f"{path}[{number}]") for number, item in enumerate(value)]


def _string(value: Any, schema: Mapping[str, Any], path: str) -> str:
    if not isinstance(value, str):
        raise Mismatch(path, "text", _shown(value))
    return value


def _boolean(value: Any, schema: Mapping[str, Any], path: str) -> bool:
    if isinstance(value, bool):
        return value
    word = value.strip().casefold() if isinstance(value, str) else ""
    if word not in ("true", "false"):
        raise Mismatch(path, "true or false", _shown(value))
    return word == "true"


def _number(value: Any, schema: Mapping[str, Any], path: str) -> float | int:
    number = _as_number(value)
    if number is None:
        raise Mismatch(path, "a number", _shown(value))
    return _in_range(number, schema, path)


def _integer(value: Any, schema: Mapping[str, Any], path: str) -> int:
    number = _as_number(value)
    if number is None or number != int(number):
        raise Mismatch(path, "a whole number", _shown(value))
    return int(_in_range(int(number), schema, path))


def _null(value: Any, schema: Mapping[str, Any], path: str) -> None:
    if value is not None:
        raise Mismatch(path, "null", _shown(value))


_CHECKS = {
    "object": _object,
    "array": _array,
    "string": _string,
    "boolean": _boolean,
    "number": _number,
    "integer": _integer,
    "null": _null,
}


def _as_number(value: Any) -> float | int | None:
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        value = float(value) if set(value) & set(".eE") else int(value)
    # bool is a kind of int in Python, but true is no score.
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return value


def _in_range(number: float | int, schema: Mapping[str, Any], path: str) -> float | int:
    low, high = schema.get("minimum", -math.inf), schema.get("maximum", math.inf)
    if not low <= number <= high:
        raise Mismatch(path, f"a number from {low} to {high}", _shown(number))
    return number


def _choice(value: Any, choices: Sequence[Any], path: str) -> Any:
    for choice in choices:
        if value == choice and isinstance(value, bool) == isinstance(choice, bool):
            return choice
    words = {_plain(choice): choice for choice in choices if isinstance(choice, str)}
    if isinstance(value, str):
        given = _plain(value)
        leading = _LEADING_WORD.match(given)
        for word in (given, leading.group() if leading else ""):
            if word == _UNCERTAIN and word not in words:
                word = "borderline"
            if word in words:
                return words[word]
        number = _as_number(value)
        for choice in choices:
            if number is not None and number == choice and not isinstance(choice, bool):
                return choice
    raise Mismatch(path, "one of " + ", ".join(map(str, choices)), _shown(value))


def _plain(word: str) -> str:
    return word.strip(" \t\r\n.,:;!*'\"`").casefold()


def _under(path: str, key: str) -> str:
    return key if path == "$" else f"{path}.{key}"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
