"""Replies: from the text a judge wrote to a JSON object that satisfies the schema it was asked for.

A reply is taken whole or not at all: what was cut off, or lacks a required key, or holds a number out of
its range is malformed. Thinking, code fences and chatter around the object are passed over.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from turnwise.conversations.errors import MalformedReplyError
from turnwise.conversations.numbers import is_finite

_THINK_OPENS = re.compile(r"<(think|thinking|thought|reasoning)>", re.IGNORECASE)
_THINK_CLOSES = re.compile(r"</(think|thinking|thought|reasoning)>", re.IGNORECASE)
# What follows the opening brace of an object, as opposed to a brace in a sentence.
_OBJECT_OPENS = re.compile(r"\{\s*[\"'}“]")
# A brace that closes an object follows a value; one inside a text that was cut off need not.
_MENDABLE_END = re.compile(r"([\"'”\]},\d]|true|false|null)\s*}\Z", re.IGNORECASE)
_DECODER = json.JSONDecoder()
_LONGEST_SHOWN = 200


def parse_reply(text: str, schema: Mapping[str, Any], finish_reason: str | None = None) -> dict[str, Any]:
    """Return the object in a reply, with the schema's keys alone and its values put in order.

    finish_reason: why the judge stopped; `length` means it was cut off. Raises MalformedReplyError whose
    detail names the place, what was expected, what was given, and the start of the reply.
    """
    if not text.strip():
        raise _malformed(text, "the reply is empty", finish_reason)
    refusal: Mismatch | None = None
    found: dict[str, Any] | None = None
    for start, end in object_spans(text):
        # A later object overrules an earlier one: the format may be quoted before the answer is given.
        value = _decode(text, start, end)
        if value is None:
            found, refusal = None, Mismatch("$", "a whole JSON object", "one that is broken or cut off")
            continue
        try:
            found, refusal = conform(value, schema), None
        except Mismatch as mismatch:
            refusal = refusal if found is not None else mismatch
    if found is not None:
        return found
    raise _malformed(text, str(refusal or Mismatch("$", "a JSON object", "none")), finish_reason)


def object_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each outermost object in a reply; the end is -1 where it never closes.

    Positions count the characters of `text`, which may also be bytes read as Latin-1.
    """
    position = _answer_start(text)
    while opening := _OBJECT_OPENS.search(text, position):
        start = opening.start()
        end = _object_end(text, start)
        yield start, end
        if end < 0:
            return
        position = end


def _answer_start(text: str) -> int:
    """Return where the answer begins, past any thinking; the text's length where it is all thinking."""
    position = 0
    while True:
        brace = _OBJECT_OPENS.search(text, position)
        limit = brace.start() if brace else len(text)
        opens = _THINK_OPENS.search(text, position)
        closes = _THINK_CLOSES.search(text, position)
        if opens and opens.start() < limit:
            closes = _THINK_CLOSES.search(text, opens.end())
            if closes is None:
                return len(text)
        elif closes is None or _looks_like_answer(text, position):
            # Some chat templates open the thinking in the prompt, so that a reply only closes it; but a
            # reply that begins with its object may speak of the mark inside a string.
            return position
        position = closes.end()


def _looks_like_answer(text: str, position: int) -> bool:
    return text[position : position + 400].lstrip().startswith(("{", "[", "```"))


def _object_end(text: str, start: int) -> int:
    """Return the position after the object that opens at `start`, or -1 where it never closes."""
    try:
        return _DECODER.raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        pass
    # Text that is no JSON as it stands, and may be mended: it counts as whole where its brackets close.
    depth, inside, escaped = 0, False, False
    for position in range(start, len(text)):
        char = text[position]
        if escaped:
            escaped = False
        elif char == "\\" and inside:
            escaped = True
        elif char == '"':
            inside = not inside
        elif not inside and char in "{[":
            depth += 1
        elif not inside and char in "}]":
            depth -= 1
            if depth == 0:
                return position + 1
    return -1


def _decode(text: str, start: int, end: int) -> dict[str, Any] | None:
    """Return the object between two positions, slightly broken JSON mended; None where it is no object."""
    if end < 0:
        return None
    piece = text[start:end]
    try:
        value = json.loads(piece)
    except (ValueError, RecursionError):
        value = _repaired(piece) if _MENDABLE_END.search(piece) else None
    return value if isinstance(value, dict) else None


def _repaired(piece: str) -> Any:
    import json_repair  # 20 ms, and most replies need no repair

    try:
        return json_repair.loads(piece, skip_json_loads=True)
    except (ValueError, RecursionError):
        return None


def _malformed(text: str, what: str, finish_reason: str | None) -> MalformedReplyError:
    cut = finish_reason == "length"
    # repr keeps control characters of the reply from reaching a terminal.
    detail = f"{what}\nreply: {text[:_LONGEST_SHOWN]!r}"
    return MalformedReplyError(
        "The judge's reply was cut off" if cut else "The judge's reply is not what was asked for",
        detail=detail,
        next_step="Allow the judge longer replies." if cut else "Try again, or use another judge.",
    )


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
    if isinstance(value, bool) or not isinstance(value, int | float) or not is_finite(value):
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
