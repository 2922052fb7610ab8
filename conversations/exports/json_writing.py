"""JSON as exports write it: readable, valid everywhere, and harmless where a terminal shows it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, TextIO

from turnwise.conversations.numbers import is_finite
from turnwise.conversations.safe_text import make_safe_json


def json_text(value: Any) -> str:
    """Return a JSON-ready value as JSON on one line; infinite numbers and NaN become null."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:
        text = json.dumps(_with_finite_numbers(value), ensure_ascii=False, allow_nan=False)
    return make_safe_json(text)


def write_lines(values: Iterable[Any], out: TextIO) -> None:
    """Write JSON Lines."""
    for value in values:
        out.write(json_text(value) + "\n")


def write_list(values: Iterable[Any], out: TextIO) -> None:
    """Write one JSON list, an item a line, as the items come."""
    mark = "[\n"
    for value in values:
        out.write(mark + json_text(value))
        mark = ",\n"
    out.write("[]\n" if mark == "[\n" else "\n]\n")


def _with_finite_numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _with_finite_numbers(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_with_finite_numbers(item) for item in value]
    return None if isinstance(value, float) and not is_finite(value) else value
