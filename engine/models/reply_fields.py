"""Reply fields: what stands in an answer beside the reply itself, read so that no odd value gets any further.

A value of another kind than the API has is left out, and told: `odd` collects the words.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_MOST_TOKENS = 10**9
_LONGEST_SHOWN = 60


def text_field(value: Any, name: str, odd: list[str]) -> str:
    """Return a text; empty where there is none."""
    if value is None or isinstance(value, str):
        return value or ""
    odd.append(f"{name} is no text: {_shown(value)}")
    return ""


def mapping_field(value: Any, name: str, odd: list[str]) -> Mapping[str, Any]:
    """Return an object's entries; none where there is no object."""
    if value is None or isinstance(value, Mapping):
        return value or {}
    odd.append(f"{name} is no object: {_shown(value)}")
    return {}


def token_counts(counts: Mapping[str, Any], odd: list[str]) -> dict[str, int]:
    """Return those numbers of tokens that were counted."""
    found = {}
    for name, count in counts.items():
        if count is None:
            continue
        if _is_number(count) and 0 <= count <= _MOST_TOKENS:
            found[name] = int(count)
        else:
            odd.append(f"{name} is no number of tokens: {_shown(count)}")
    return found


def _is_number(count: Any) -> bool:
    return isinstance(count, int | float) and not isinstance(count, bool)


def _shown(value: Any) -> str:
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        # A number of thousands of digits, or lists within lists without end.
        text = type(value).__name__
    return text if len(text) <= _LONGEST_SHOWN else f"{text[: _LONGEST_SHOWN - 1]}…"
