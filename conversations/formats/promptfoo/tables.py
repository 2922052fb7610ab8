"""Tests from tables: the rows of CSV and of spreadsheets, and what each of their columns means.

A column is a variable, an assertion or a setting. CSV whose quotes are not as the format wants them is read
too: what stands in the cells is then taken as it stands.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from turnwise.conversations.files import problem, read_sheet, read_text
from turnwise.conversations.formats.promptfoo.assertion_lines import parse_assertion
from turnwise.conversations.templates import string_of
from turnwise.conversations.texts import trimmed
from turnwise.conversations.words import A_SLIP, nearest, one_slip_apart

DELIMITER = "PROMPTFOO_CSV_DELIMITER"
_LONGEST_CELL = 32_000_000
COLUMNS = (
    "__expected",
    "__prefix",
    "__suffix",
    "__description",
    "__providerOutput",
    "__metric",
    "__threshold",
    "__metadata",
    "__config",
)
"""What the name of a column begins with that is no variable, up to a colon."""
_CONFIG = re.compile(r"__config:([^:]*):([^:]*)\Z")
_EXPECTED = re.compile(r"__expected([0-9]*)\Z")
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_COMMA = re.compile(r"(?<!\\),")


def delimiter_of(environment: Mapping[str, str]) -> str:
    """Return what stands between the cells of tables, by promptfoo's variable of the environment.

    Raises FormatError where that is not one character.
    """
    given = environment.get(DELIMITER) or ","
    if len(given) != 1:
        raise problem(DELIMITER, f'expected one character; got "{given[:20]}"', "Set it to one, as in ;.")
    return given


def relaxed_lines(text: str, delimiter: str = ",") -> list[list[str]]:
    """Return the cells of every line of a CSV text.

    A quote inside a cell is a character of it. A cell that begins with a quote, and goes on behind the one
    that seems to close it, keeps both.
    """
    lines: list[list[str]] = []
    cells: list[str] = []
    stop = re.compile(rf'"|{re.escape(delimiter)}|\r\n|\r|\n')
    place = 0
    while place < len(text):
        is_quoted = text[place] == '"'
        cell, place = _quoted(text, place, stop) if is_quoted else _bare(text, place, "", stop)
        cells.append(cell)
        if text[place : place + 1] == delimiter:
            place += 1
            if place < len(text):
                continue
            cells.append("")
        lines.append(cells)
        cells = []
        place += 2 if text.startswith("\r\n", place) else 1
    return [[] if line == [""] else line for line in lines]


def _quoted(text: str, start: int, stop: re.Pattern[str]) -> tuple[str, int]:
    """Return the cell that begins with a quote, and where it ends."""
    parts: list[str] = []
    place = start + 1
    while (end := text.find('"', place)) >= 0:
        parts.append(text[place:end])
        if text[end + 1 : end + 2] == '"':
            parts.append('"')
            place = end + 2
        elif end + 1 == len(text) or stop.match(text, end + 1):
            return "".join(parts), end + 1
        else:
            return _bare(text, end + 1, f'"{"".join(parts)}"', stop)
    return "".join([*parts, text[place:]]), len(text)


def _bare(text: str, start: int, before: str, stop: re.Pattern[str]) -> tuple[str, int]:
    """Return the cell whose rest stands without quotes, and where it ends."""
    place = start
    while (found := stop.search(text, place)) and found[0] == '"':
        place = found.end()
    end = found.start() if found else len(text)
    return before + text[start:end], end


def csv_rows(path: Path, place: str, delimiter: str) -> Iterator[tuple[int, dict[str, str] | str]]:
    """Yield every row under the header with its number from 1; as a text where it is not like the header.

    Raises FormatError where it cannot be read, there is no header, or a quote stays open.
    """
    yield from rows_of_text(read_text(path, place), place, delimiter)


def rows_of_text(text: str, place: str, delimiter: str = ",") -> Iterator[tuple[int, dict[str, str] | str]]:
    """Yield every row of a CSV text as csv_rows does.

    Quotes must be as the format wants them; where they are not, they are taken as they stand.
    Raises FormatError where there is no header, or a quote stays open.
    """
    # The module has one limit for the whole process, and its default refuses long transcripts.
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_CELL))
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        if "unexpected end" in str(error):
            raise problem(place, "expected a closing quote; got the end of the file", "") from None
        lines = relaxed_lines(text, delimiter)
    if not lines or not any(lines[0]):
        raise problem(place, "expected a row of column names first", "")
    names = [name.strip() for name in lines[0]]
    for number, cells in enumerate(lines[1:], start=1):
        if len(cells) == len(names):
            yield number, dict(zip(names, cells, strict=True))
        elif not cells and len(names) == 1:
            yield number, {names[0]: ""}
        else:
            yield number, f"expected {len(names)} cells, as in the header; got {len(cells)}"


def sheet_rows(path: Path, sheet: str, place: str) -> Iterator[tuple[int, dict[str, str] | str]]:
    """Yield every row of a spreadsheet. sheet: its name or its number from 1; empty for the first.

    Raises FormatError where there is no such sheet, or the program that reads it is not installed.
    """
    if path.suffix.lower() == ".xls":
        raise problem(place, "expected a spreadsheet of the form .xlsx; got .xls", "Save it as .xlsx or CSV.")
    with path.open("rb") as file:
        lines = read_sheet(file, sheet, name=path.name, place=place).lines
    if not lines:
        raise problem(place, "expected a row of column names first", "")
    names = [cell.strip() for cell in lines[0]]
    for number, cells in enumerate((line for line in lines[1:] if any(line)), start=1):
        yield number, {name: cell for name, cell in zip(names, cells, strict=False) if name}


def check_columns(names: Iterable[str], place: str, *, compat: bool, warnings: list[str]) -> None:
    """Raise FormatError for a column that was meant to be a check or a setting, and would be a variable.

    compat: such a column is a variable, with a warning.
    """
    for column in names:
        head = column.partition(":")[0]
        if column.startswith("__expected") or head in COLUMNS:
            continue
        near = next((name for name in COLUMNS if one_slip_apart(head, name)), None)
        if near is None and column.startswith("_"):
            near = nearest(head, COLUMNS, alike=A_SLIP)
        if near is None and "__expected" not in column:
            continue
        told = "the column is a variable, and nothing more" if near else "it holds __expected inside its name"
        error = problem(
            f"{place}, column {column}",
            told,
            f"Did you mean {near}?" if near else "Part the columns by commas, each with a name of its own.",
        )
        if not compat:
            raise error
        _warn(warnings, f"{place}, {column}: {told}. {error.next_step}")


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
        told = "expected __config:__expected:threshold"
        if not parts.compat:
            raise problem(place, told, "Correct the column's name.")
        _warn(warnings, f"{place}: {told}; the column is passed over")
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
