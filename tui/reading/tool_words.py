"""Tool words: a call of a tool and what came out of it, each on one line."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.words import counted

if TYPE_CHECKING:
    from turnwise.conversations.store import ToolCallRow, TurnRow

MOST_JSON = 1_000_000
"""Characters up to which a text is read as JSON: as long as a key may take."""
MOST_SUMMED_UP = 200_000
"""The same for a call of which one line is shown."""
MOST_WORDS = 400
"""Characters of one line."""
_ERROR_KEYS = ("error", "errors", "exception", "isError", "is_error")
_ERROR_TEXT = re.compile(r"\W*(error|exception|traceback|failed|failure)\b", re.IGNORECASE)


def is_call_alone(row: TurnRow) -> bool:
    """Return whether all that a turn does is to call tools."""
    said = row.content.strip() or row.reasoning or row.files or row.passages or row.remark or row.told
    return row.role == "assistant" and bool(row.tools_called) and not said


def short_arguments(arguments: str) -> str:
    """Return a tool's arguments on one line: one value alone, several with their names."""
    value = parsed_json(arguments, MOST_SUMMED_UP)
    if isinstance(value, dict):
        return make_safe_line(_pairs(value) if len(value) != 1 else _word(next(iter(value.values()))))
    return make_safe_line(arguments[:MOST_WORDS])


def short_output(output: str) -> str:
    """Return what came out of a tool on one line: how many items, the fields, or the first line."""
    value = parsed_json(output, MOST_SUMMED_UP)
    if isinstance(value, list):
        return counted(len(value), "item") if value else "no items"
    if isinstance(value, dict):
        return make_safe_line(_pairs(value)) or "no fields"
    text = value if isinstance(value, str) else output
    lines = [line for line in text[: 10 * MOST_WORDS].splitlines() if line.strip()]
    if not lines:
        return "empty"
    count = text.count("\n") + 1
    more = f" … {count:,} lines" if len(lines) > 1 else ""
    return make_safe_line(lines[0][:MOST_WORDS].strip()) + more


def short_value(value: dict[str, Any] | list[Any]) -> str:
    """Return what a record or a list begins with, on one line."""
    if isinstance(value, dict):
        return make_safe_line(_pairs(value))
    if value and isinstance(value[0], dict):
        # How many fields each has says nothing of them.
        return make_safe_line(_pairs(value[0]))
    return make_safe_line(", ".join(_word(item) for item in value[:3]))


def is_error(call: ToolCallRow) -> bool:
    """Return whether what came out of a tool says that it did not work."""
    value = parsed_json(call.output or "", MOST_SUMMED_UP)
    if isinstance(value, dict):
        told = any(value.get(key) for key in _ERROR_KEYS) or value.get("success") is False
        return told or str(value.get("status", "")).lower() in ("error", "failed", "failure")
    text = value if isinstance(value, str) else call.output or ""
    return isinstance(text, str) and _ERROR_TEXT.match(text[:MOST_WORDS]) is not None


def parsed_json(text: str, most: int = MOST_JSON) -> Any:
    """Return what a JSON text holds, also one that was written as a JSON string; None for any other text."""
    value = _parsed(text, most)
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        inner = _parsed(value, most)
        return value if inner is None else inner
    return value


def readable_json(text: str) -> str:
    """Return JSON text laid out for reading, a JSON string as its text, and any other text as it is."""
    value = parsed_json(text)
    if isinstance(value, str):
        return value
    if not isinstance(value, dict | list):
        return text
    try:
        return json.dumps(value, ensure_ascii=False, indent=2)
    except RecursionError:
        return text


def _parsed(text: str, most: int) -> Any:
    if len(text) > most:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _pairs(value: dict[str, Any]) -> str:
    """Return the first fields of a record, as many as one line may have."""
    parts, length = [], 0
    for name, item in value.items():
        parts.append(f"{name}: {_word(item)}")
        length += len(parts[-1])
        if length > MOST_WORDS:
            break
    return ", ".join(parts)


def _word(value: Any) -> str:
    """Return a value in few characters: what is long is counted."""
    if isinstance(value, str):
        return value[:MOST_WORDS]
    if isinstance(value, dict | list) and len(value) > 3:
        return counted(len(value), "field" if isinstance(value, dict) else "item")
    try:
        return json.dumps(value, ensure_ascii=False)[:MOST_WORDS]
    except RecursionError:
        return "…"
