"""The small language in which a table's cell says what an output must satisfy: `contains: Paris`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from turnwise.conversations.check_types import CHECK_TYPES
from turnwise.conversations.texts import SPACES, trimmed

_JAVASCRIPT = ("javascript:", "fn:", "eval:")
_RUBRIC = ("llm-rubric:", "grade:")
_JAVASCRIPT_SUFFIXES = (".js", ".cjs", ".mjs", ".ts", ".cts", ".mts")
_LISTS = frozenset(("contains-all", "contains-any", "icontains-all", "icontains-any"))
_AS_WRITTEN = frozenset(("contains-json", "is-json"))
_SEPARATORS = f",{SPACES}"
_WITH_THRESHOLD = frozenset(
    (
        "answer-relevance",
        "classifier",
        "context-faithfulness",
        "context-recall",
        "context-relevance",
        "cost",
        "latency",
        "levenshtein",
        "perplexity",
        "perplexity-score",
        "rouge-n",
        "similar",
        "starts-with",
    )
)


def parse_assertion(cell: str) -> dict[str, Any]:
    """Return the assertion that a cell means, under the names that a configuration has for its parts.

    Raises ValueError for a list whose quotes do not match.
    """
    line = trimmed(cell)
    for prefix in _JAVASCRIPT:
        if line.startswith(prefix):
            return {"type": "javascript", "value": trimmed(line.removeprefix(prefix))}
    if line.startswith("file://") and _names_code(line, _JAVASCRIPT_SUFFIXES):
        return {"type": "javascript", "value": line}
    for prefix in _RUBRIC:
        if line.startswith(prefix):
            return {"type": "llm-rubric", "value": line.removeprefix(prefix)}
    if line.startswith("python:"):
        return {"type": "python", "value": trimmed(line.removeprefix("python:"))}
    if line.startswith("file://") and _names_code(line, (".py",)):
        return {"type": "python", "value": line.removeprefix("file://")}
    found = _line(tuple(name for name, kind in CHECK_TYPES.items() if kind.in_cells)).match(line)
    if not found:
        return {"type": "equals", "value": line}
    negation, kind, number, value = found.groups()
    assertion: dict[str, Any] = {"type": f"{negation or ''}{kind}"}
    if value is not None:
        as_written = kind in _AS_WRITTEN
        words = value if as_written else trimmed(value)
        assertion["value"] = comma_list(words) if kind in _LISTS and words else words
    if kind in _WITH_THRESHOLD:
        default = 0.8 if kind == "similar" else 0.75
        assertion["threshold"] = default if number is None else float(number)
    return assertion


def comma_list(text: str) -> list[str]:
    r"""Return the items of a list parted by commas.

    An item in quotes may hold commas, a quote as "" or \" and a backslash as \\. Blank items are left out,
    but not those in quotes. Raises ValueError where a quote stays open or is followed by more text.
    """
    items: list[str] = []
    position = _after(text, 0, _SEPARATORS)
    while position < len(text):
        if text[position] == '"':
            item, position = _quoted(text, position + 1)
            items.append(item)
        else:
            end = text.find(",", position)
            end = len(text) if end == -1 else end
            items.append(trimmed(text[position:end]))
            position = end
        position = _after(text, position, _SEPARATORS)
    return items


@lru_cache(maxsize=8)
def _line(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return the expression of a cell that asks for a check of one of these types."""
    known = "|".join(map(re.escape, names))
    return re.compile(rf"(not-)?({known})(?:\(([0-9]+(?:\.[0-9]+)?)\))?(?::(.*))?\Z", re.DOTALL)


def _after(text: str, position: int, passed: str) -> int:
    """Return the first place from a position on that holds none of the characters passed over."""
    while position < len(text) and text[position] in passed:
        position += 1
    return position


def _quoted(text: str, position: int) -> tuple[str, int]:
    """Return the item that begins after a quote, and where the comma after it stands."""
    characters: list[str] = []
    while position < len(text):
        pair = text[position : position + 2]
        if pair in ('""', '\\"', "\\\\"):
            characters.append(pair[1])
            position += 2
        elif text[position] == '"':
            end = _after(text, position + 1, SPACES)
            if text[end : end + 1] not in ("", ","):
                raise ValueError("expected a comma after the closing quote of a list's item")
            return "".join(characters), end
        else:
            characters.append(text[position])
            position += 1
    raise ValueError("expected a closing quote in a list; got the end of the cell")


def _names_code(line: str, suffixes: tuple[str, ...]) -> bool:
    return any(line.endswith(suffix) or f"{suffix}:" in line for suffix in suffixes)
