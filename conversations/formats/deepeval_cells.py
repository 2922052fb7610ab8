"""deepeval's table cells: lists joined by `|`, turns, tools and objects as JSON text."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from turnwise.conversations.formats.json_text import decode
from turnwise.conversations.models import shorten

_JOINED = {"context", "retrieval_context", "tags"}
_TOOLS = {"tools_called", "expected_tools"}
_OBJECTS = {"metadata", "additional_metadata", "custom_column_key_values", "expectations"}
_JSON_LISTS = {"mcp_servers", "mcp_tools_called", "mcp_resources_called", "mcp_prompts_called"}
SEPARATED = {"actual_output", "actualOutput", "expected_output", "expectedOutput", *_JOINED, *_TOOLS}
"""Columns that, beside `input`, tell deepeval's table from another's."""


def values_of(cells: dict[str, str]) -> dict[str, Any]:
    """Return a row's cells as the values of a record. Raises ValueError where one is not what it must be."""
    if "input" not in cells and "turns" not in cells and "scenario" not in cells:
        raise ValueError("input: expected a string; got an empty cell")
    return {name: _value(name, cell) for name, cell in cells.items()}


def _value(name: str, cell: str) -> Any:
    field = _snake(name)
    if field in _JOINED:
        return _listed(cell)
    if field in _TOOLS:
        return _tools(name, cell)
    if field in _OBJECTS or field in _JSON_LISTS:
        return _json(name, cell, dict if field in _OBJECTS else list)
    return cell


def _listed(cell: str) -> list[Any]:
    if cell.lstrip().startswith("["):
        with suppress(ValueError):
            value = decode(cell)
            if isinstance(value, list):
                return value
    return [part.strip() for part in cell.split("|") if part.strip()]


def _tools(name: str, cell: str) -> list[Any]:
    if not cell.lstrip().startswith(("[", "{")):
        mark = ";" if ";" in cell else "|"
        return [part.strip() for part in cell.split(mark) if part.strip()]
    if cell.lstrip().startswith("{"):
        return [_json(name, cell, dict)]
    value = _json(name, cell, list)
    return list(value)


def _json(name: str, cell: str, kind: type[dict[str, Any]] | type[list[Any]]) -> Any:
    expected = "a JSON object" if kind is dict else "a JSON list"
    try:
        value = decode(cell)
    except ValueError as error:
        raise ValueError(f"{name}: expected {expected}; {error}") from None
    if not isinstance(value, kind):
        raise ValueError(f"{name}: expected {expected}; got {shorten(value)}")
    return value


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)
