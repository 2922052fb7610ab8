"""The rows of CSV and of spreadsheets, as cells by column name."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from turnwise.conversations.formats.promptfoo.folders import problem, read_text
from turnwise.conversations.formats.promptfoo.relaxed_tables import relaxed_lines

_LONGEST_CELL = 256_000_000


def csv_rows(path: Path, place: str) -> Iterator[tuple[int, dict[str, str] | str]]:
    """Yield every row under the header with its number from 1; as a text where it is not like the header.

    Raises FormatError where it cannot be read, there is no header, or a quote stays open.
    """
    yield from rows_of_text(read_text(path, place), place)


def rows_of_text(text: str, place: str) -> Iterator[tuple[int, dict[str, str] | str]]:
    """Yield every row of a CSV text as csv_rows does.

    Quotes must be as the format wants them; where they are not, they are taken as they stand.
    Raises FormatError where there is no header, or a quote stays open.
    """
    # The module has one limit for the whole process, and its default refuses long transcripts.
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_CELL))
    try:
        lines = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    except csv.Error as error:
        if "unexpected end" in str(error):
            raise problem(place, "expected a closing quote; got the end of the file", "") from None
        lines = relaxed_lines(text)
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
    try:
        # Spreadsheets are rare, and their reader is an extra.
        import openpyxl
    except ImportError:
        raise problem(
            place, "reading a spreadsheet needs openpyxl", "Install turnwise[xlsx], or save it as CSV."
        ) from None
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        names = list(book.sheetnames)
        name = names[int(sheet) - 1] if sheet.isdecimal() and 0 < int(sheet) <= len(names) else sheet
        page = book[name] if sheet else book[names[0]]
        lines = [[_cell(value) for value in line] for line in page.iter_rows(values_only=True)]
        book.close()
    except KeyError:
        raise problem(place, f"expected one of the sheets {', '.join(names)}; got {sheet}", "") from None
    except Exception as error:
        # The reader has no error of its own: a damaged file ends in whatever its parts stumble over.
        raise problem(place, f"expected a spreadsheet; {error}", "Save it again.") from None
    if not lines:
        raise problem(place, "expected a row of column names first", "")
    names = [cell.strip() for cell in lines[0]]
    for number, cells in enumerate((line for line in lines[1:] if any(line)), start=1):
        yield number, {name: cell for name, cell in zip(names, cells, strict=False) if name}


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value.isoformat()) if hasattr(value, "isoformat") else str(value)
