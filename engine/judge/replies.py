"""Replies: from the text a judge wrote to a JSON object that satisfies the schema it was asked for.

A reply is taken whole or not at all: what was cut off, or lacks a required key, or holds a number out of
its range is malformed. Thinking, code fences and chatter around the object are passed over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from turnwise.conversations.errors import MalformedReplyError
from turnwise.engine.judge.schemas import Mismatch, conform

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
