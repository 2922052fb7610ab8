"""Tests from the rows of a table: which column is a variable, an assertion or a setting."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from turnwise.conversations.formats.promptfoo.assertion_lines import parse_assertion
from turnwise.conversations.formats.promptfoo.folders import problem
from turnwise.conversations.formats.promptfoo.javascript_values import string_of
from turnwise.conversations.white_space import trimmed

_SINGLE_UNDERSCORE = tuple(
    f"_{name}"
    for name in ["expected", "prefix", "suffix", "description", "providerOutput", "metric", "threshold"]
)
_CONFIG = re.compile(r"__config:([^:]*):([^:]*)\Z")
_EXPECTED = re.compile(r"__expected([0-9]*)\Z")
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_COMMA = re.compile(r"(?<!\\),")


@dataclass(slots=True)
class _Parts:
    variables: dict[str, Any] = field(default_factory=dict)
    asserted: list[dict[str, Any]] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    metadata: dict[str, Any] = field(default_factory=dict)
    settings: list[tuple[str, str, str]] = field(default_factory=list)
    others: dict[str, Any] = field(default_factory=dict)
    metric: str | None = None
    compat: bool = False


def test_of_row(
    row: Mapping[str, Any], number: int, place: str, *, compat: bool, warnings: list[str]
) -> dict[str, Any]:
    """Return the test that a row describes, in the shape of a configuration's tests.

    number: of the row, from 1. compat: keep that a column `__config:...:threshold` is written into the
    metadata as well and may not be blank, and that only one row passes over a column `__metadata`.
    Raises FormatError for a cell that cannot be read.
    """
    parts = _Parts(compat=compat)
    for column, value in row.items():
        _take(parts, column, value, f"{place}, {column}", warnings)
    for expected, name, text in parts.settings:
        _configure(parts, expected, name, text, place, compat=compat)
    if parts.metric is not None:
        for assertion in parts.asserted:
            assertion["metric"] = parts.metric
    test: dict[str, Any] = {"description": f"Row #{number}", **parts.others}
    test |= {"vars": parts.variables, "assert": parts.asserted}
    test |= {"options": parts.options} if parts.options else {}
    return test | ({"metadata": parts.metadata} if parts.metadata else {})


def _take(parts: _Parts, column: str, value: Any, place: str, warnings: list[str]) -> None:
    if not column.startswith("__"):
        if column.startswith(_SINGLE_UNDERSCORE):
            _warn(warnings, f"{place}: the column is a variable; was _{column} meant?")
        parts.variables[column] = value
        return
    text = string_of(value) if value is not None else ""
    if column.startswith("__expected"):
        if text.strip():
            try:
                parts.asserted.append(parse_assertion(text))
            except ValueError as error:
                raise problem(place, str(error), "Correct the quotes of the cell.") from None
    elif column in ("__prefix", "__suffix"):
        parts.options[column[2:]] = text
    elif column == "__metric":
        parts.metric = text
    elif column == "__threshold":
        number = _number(text)
        if number is not None:
            parts.others["threshold"] = number
        elif text.strip():
            _warn(warnings, f"{place}: expected a number; the cell is passed over")
    elif column in ("__description", "__providerOutput"):
        if text:
            parts.others[column[2:]] = text
    elif column.startswith("__metadata"):
        _take_metadata(parts, column, text, place, warnings)
    elif found := _CONFIG.match(column):
        if text.strip() or parts.compat:
            parts.settings.append((found[1], found[2], text))
    elif column.startswith("__config:"):
        _warn(warnings, f"{place}: expected __config:__expected:threshold; the column is passed over")
    else:
        parts.variables[column] = value


def _take_metadata(parts: _Parts, column: str, text: str, place: str, warnings: list[str]) -> None:
    key = column.removeprefix("__metadata").removeprefix(":")
    if column == "__metadata" and parts.compat and _is_warned(warnings, column):
        # promptfoo passes the column over in the first row that it warns of, and no other.
        parts.variables[column] = text
    elif not key or not column.startswith("__metadata:"):
        _warn(warnings, f"{place}: the column needs a key, as in __metadata:topic; it is passed over")
    elif key.endswith("[]"):
        if text.strip():
            items = [item.strip().replace("\\,", ",") for item in _COMMA.split(text)]
            parts.metadata[key[:-2]] = items
    elif text.strip():
        parts.metadata[key] = text


def _configure(parts: _Parts, expected: str, name: str, text: str, place: str, *, compat: bool) -> None:
    found = _EXPECTED.match(expected)
    if found is None or found[1].strip("0") == "" != found[1]:
        raise problem(place, f"expected __expected and a number from 1; got {expected}", "Correct its name.")
    if name != "threshold":
        raise problem(place, f"expected the setting threshold; got {name}", "Correct the column's name.")
    number = _number(text)
    if number is None:
        raise problem(place, f"expected a number as threshold; got {text}", "Correct the cell.")
    index = int(found[1][:9] or 1) - 1
    if index < len(parts.asserted):
        parts.asserted[index]["threshold"] = number
        if compat:
            parts.metadata["threshold"] = number


def _number(text: str) -> int | float | None:
    """Return the finite number that a whole cell is, else None."""
    words = trimmed(text)
    number = float(words) if _NUMBER.fullmatch(words) else math.nan
    if not math.isfinite(number):
        return None
    return int(number) if number.is_integer() else number


def _is_warned(warnings: list[str], column: str) -> bool:
    return any(f", {column}: the column needs a key" in warning for warning in warnings)


def _warn(warnings: list[str], text: str) -> None:
    # The same column would be told once a row.
    column = text.partition(": ")[0].rsplit(", ", 1)[-1]
    rest = text.partition(": ")[2]
    if not any(warning.endswith(f", {column}: {rest}") for warning in warnings):
        warnings.append(text)
