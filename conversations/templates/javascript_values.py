"""What JavaScript makes of a value: its text, truth value, number, JSON and members.

Templates are written for a renderer in JavaScript; these rules are what makes ours agree with it. A value
that is not there is one of type jinja2.Undefined, and everything else is plain JSON data.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from jinja2 import Undefined

from turnwise.conversations.templates.budget import (
    LONGEST_TEXT,
    check_length,
    made,
    spend_bytes,
    spend_reading,
    spend_values,
)

_LARGEST_PLAIN = 1e21
_LARGEST_EXACT = 2**53
_SMALLEST_PLAIN = 1e-6
_WIDEST = 10_000


def string_of(value: Any) -> str:
    """Return String(value)."""
    if isinstance(value, str):
        return str(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) <= _LARGEST_EXACT else _float_text(float_of(value))
    if isinstance(value, float):
        return _float_text(value)
    if isinstance(value, Undefined):
        return "undefined"
    if isinstance(value, list | tuple):
        return list_text(value, ",")
    return "[object Object]"


def list_text(items: Any, mark: str) -> str:
    """Return the texts of a list's items with a mark between them."""
    texts, length = [], 0
    for item in items:
        spend_values()
        texts.append(output_of(item))
        length += len(texts[-1]) + len(mark)
        check_length(length)
    return made(mark.join(texts))


def output_of(value: Any) -> str:
    """Return the text that a value leaves in a template's output: nothing for null and undefined."""
    return "" if value is None or isinstance(value, Undefined) else string_of(value)


def is_true(value: Any) -> bool:
    """Return Boolean(value): lists and objects are true even where they are empty."""
    if isinstance(value, Undefined):
        return False
    return isinstance(value, list | tuple | dict) or (bool(value) and value == value)


def float_of(value: int) -> float:
    """Return a whole number as JavaScript holds it; infinite where it is too large."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def number_of(value: Any) -> int | float:
    """Return Number(value); NaN where it is none."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int | float):
        return value
    if value is None:
        return 0
    if isinstance(value, Undefined | dict):
        return math.nan
    text = string_of(value).strip()
    if not text:
        return 0
    try:
        return int(text) if text.lstrip("+-").isdecimal() and len(text) < 400 else float(text)
    except ValueError:
        return math.nan


def plus(left: Any, right: Any) -> Any:
    """Return left + right: a sum of what is numeric, else the texts one after the other."""
    if any(isinstance(side, str | list | tuple | dict) for side in (left, right)):
        return joined([left, right])
    return as_held(number_of(left) + number_of(right))


def as_held(number: int | float) -> int | float:
    """Return a number as JavaScript holds it: a whole one beyond 2**53 has fewer digits."""
    return float_of(number) if isinstance(number, int) and abs(number) > _LARGEST_EXACT else number


def joined(values: list[Any]) -> str:
    """Return the texts of the values one after the other. Raises ValueError where that grows too long."""
    texts = [string_of(value) for value in values]
    check_length(sum(map(len, texts)))
    return made("".join(texts))


def are_equal(left: Any, right: Any) -> bool:
    """Return left == right, which converts: '1' equals 1, and null equals undefined."""
    nothing = (left is None or isinstance(left, Undefined), right is None or isinstance(right, Undefined))
    if any(nothing):
        return all(nothing)
    if isinstance(left, dict) or isinstance(right, dict):
        return left is right
    if isinstance(left, list) and isinstance(right, list):
        return left is right
    if isinstance(left, str | list) and isinstance(right, str | list):
        return string_of(left) == string_of(right)
    return number_of(left) == number_of(right)


def are_identical(left: Any, right: Any) -> bool:
    """Return left === right, which converts nothing: '1' is not 1, and null is not undefined."""
    if isinstance(left, Undefined) or isinstance(right, Undefined):
        return isinstance(left, Undefined) and isinstance(right, Undefined)
    if isinstance(left, bool) or isinstance(right, bool) or left is None or right is None:
        return left is right
    if isinstance(left, int | float) and isinstance(right, int | float):
        return left == right
    return left == right if isinstance(left, str) and isinstance(right, str) else left is right


def json_text(value: Any, indent: int | str | None = None) -> str:
    """Return JSON.stringify(value, null, indent)."""
    step: int | str | None = min(indent, 10) if isinstance(indent, int) else indent and indent[:10]
    separators = (",", ": ") if step else (",", ":")
    encoder = json.JSONEncoder(ensure_ascii=False, indent=step or None, separators=separators)
    plain = _plain(value)
    if not step:
        return made(encoder.encode(plain))
    # The blanks before the lines may be far more than what stands in them.
    pieces, length = [], 0
    for piece in encoder.iterencode(plain):
        pieces.append(piece)
        length += len(piece)
        check_length(length)
    return made("".join(pieces))


def member(value: Any, name: Any) -> Any:
    """Return a member of a value, by key, index or name. Raises KeyError where there is none."""
    if isinstance(value, dict):
        if name == "hasOwnProperty" and name not in value:
            return _bound(lambda held, key: string_of(key) in held, value)
        return value[string_of(name)]
    if isinstance(value, list | tuple | str):
        if isinstance(name, int | float) and not isinstance(name, bool):
            if name != name or name < 0 or int(name) != name or name >= len(value):
                raise KeyError(name)
            return value[int(name)]
        if name == "length":
            return len(value)
        if isinstance(name, str) and name.isdecimal() and int(name) < len(value):
            return value[int(name)]
        methods = _TEXT_METHODS if isinstance(value, str) else _LIST_METHODS
        if name in methods:
            return _bound(methods[name], value)
    elif isinstance(value, int | float) and not isinstance(value, bool) and name in _NUMBER_METHODS:
        return _bound(_NUMBER_METHODS[name], value)
    raise KeyError(name)


def _plain(value: Any) -> Any:
    spend_values()
    if isinstance(value, Undefined):
        return None
    if isinstance(value, str):
        spend_bytes(len(value))
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return int(_float_text(value)) if value.is_integer() and abs(value) < _LARGEST_PLAIN else value
    if isinstance(value, dict):
        return {
            string_of(key): _plain(item) for key, item in value.items() if not isinstance(item, Undefined)
        }
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, bool | int) else string_of(value)


def _float_text(value: float) -> str:
    if value != value:
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value.is_integer() and abs(value) < _LARGEST_PLAIN:
        # The shortest digits that mean the number, then zeros: not all the digits that it has.
        return str(int(value)) if abs(value) <= _LARGEST_EXACT else str(int(Decimal(repr(value))))
    mantissa, mark, exponent = repr(value).partition("e")
    if not mark:
        return mantissa
    if _SMALLEST_PLAIN <= abs(value) < 1:
        return f"{value:.20f}".rstrip("0")[: len(mantissa) + 8]
    return f"{mantissa}e{'-' if exponent[0] == '-' else '+'}{exponent.lstrip('+-').lstrip('0')}"


def _bound(method: Callable[..., Any], value: Any) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        spend_values()
        spend_reading(value, *arguments)
        return counted(method(value, *arguments), value, *arguments)

    return call


def counted(result: Any, *given: Any) -> Any:
    """Return a result, and count what was made of what was given. Raises ValueError where it is too much."""
    if isinstance(result, str) and not any(result is one for one in given):
        return made(result)
    if isinstance(result, list) and not any(result is one for one in given):
        spend_values(len(result))
    return result


def _part(value: Any, start: Any = 0, end: Any = None) -> Any:
    return value[int(number_of(start)) : None if end is None else int(number_of(end))]


def _position(value: Any, sought: Any) -> int:
    if isinstance(value, str):
        return value.find(string_of(sought))
    spend_values(len(value))
    return next((index for index, item in enumerate(value) if are_identical(item, sought)), -1)


def _split(value: str, mark: Any = None) -> list[str]:
    if mark is None:
        return [value]
    parts = len(value) if mark == "" else value.count(string_of(mark)) + 1
    spend_values(parts)
    return list(value) if mark == "" else value.split(string_of(mark))


def replaced(value: str, old: Any, new: Any, most: int = -1) -> str:
    """Return a text with another in the place of one. Raises ValueError where that grows too long."""
    sought, put = string_of(old), string_of(new)
    times = value.count(sought) if most < 0 else min(most, value.count(sought))
    check_length(len(value) + times * (len(put) - len(sought)))
    return value.replace(sought, put, most)


def _together(value: Any, *others: Any) -> list[Any]:
    spend_values(len(value) + sum(len(other) if isinstance(other, list) else 1 for other in others))
    return [*value, *(item for other in others for item in (other if isinstance(other, list) else [other]))]


def _at(value: Any, index: Any = 0) -> Any:
    place = int(number_of(index))
    return value[place] if -len(value) <= place < len(value) else Undefined()


def _character(value: str, index: Any) -> str:
    place = int(number_of(index))
    return value[place] if 0 <= place < len(value) else ""


def _substring(value: str, start: Any = 0, end: Any = None) -> str:
    first, last = (
        min(max(int(number_of(bound)), 0), len(value))
        for bound in (start, len(value) if end is None else end)
    )
    return value[min(first, last) : max(first, last)]


def _padding(value: str, width: Any, fill: Any) -> str:
    lacking = min(int(number_of(width)), _WIDEST) - len(value)
    mark = string_of(fill)
    return (mark * lacking)[:lacking] if lacking > 0 and mark else ""


def _repeated(value: str, times: Any = 0) -> str:
    count = int(number_of(times))
    if count < 0 or count * len(value) > LONGEST_TEXT:
        raise ValueError("repeat: expected a smaller number of times")
    return value * count


def _fixed(value: float, digits: Any = 0) -> str:
    places = int(number_of(digits))
    if not 0 <= places <= 100:
        raise ValueError("toFixed: expected 0 to 100 digits")
    # The exact value decides, and a tie goes up in size.
    return str(Decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP))


_NUMBER_METHODS: dict[str, Callable[..., Any]] = {"toFixed": _fixed, "toString": string_of}
_TEXT_METHODS: dict[str, Callable[..., Any]] = {
    "toUpperCase": str.upper,
    "toLowerCase": str.lower,
    "toString": str,
    "trim": str.strip,
    "trimStart": str.lstrip,
    "trimEnd": str.rstrip,
    "split": _split,
    "slice": _part,
    "substring": _substring,
    "at": _at,
    "charAt": lambda value, index=0: _character(value, index),
    "charCodeAt": lambda value, index=0: ord(_character(value, index) or "\0") or math.nan,
    "indexOf": _position,
    "lastIndexOf": lambda value, sought: value.rfind(string_of(sought)),
    "padEnd": lambda value, width, fill=" ": value + _padding(value, width, fill),
    "padStart": lambda value, width, fill=" ": _padding(value, width, fill) + value,
    "repeat": _repeated,
    "includes": lambda value, sought: string_of(sought) in value,
    "startsWith": lambda value, sought: value.startswith(string_of(sought)),
    "endsWith": lambda value, sought: value.endswith(string_of(sought)),
    "concat": lambda value, *others: joined([value, *others]),
    "replace": lambda value, old, new: replaced(value, old, new, 1),
    "replaceAll": lambda value, old, new: replaced(value, old, new),
}
_LIST_METHODS: dict[str, Callable[..., Any]] = {
    "toString": string_of,
    "join": lambda value, mark=",": list_text(value, string_of(mark)),
    "slice": _part,
    "at": _at,
    "reverse": lambda value: value[::-1],
    "indexOf": _position,
    "includes": lambda value, sought: _position(value, sought) >= 0,
    "concat": _together,
}
