"""Sheets: the rows of a page of a spreadsheet, as texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from turnwise.conversations.errors import FormatError
from turnwise.conversations.files.folders import problem
from turnwise.conversations.files.sheet_limits import check_unpacked, limited_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

_AS_CSV = "save it as CSV"


class Sheet(NamedTuple):
    """One page of a spreadsheet. others: the names of the other pages. lines: its rows, each cell as a text.

    uncomputed: the cells with a formula of which no program has kept the value, so that they are empty.
    """

    name: str
    others: tuple[str, ...]
    lines: list[list[str]]
    uncomputed: tuple[str, ...] = ()


def read_sheet(
    file: BinaryIO, sheet: str = "", *, name: str, place: str, look_for_formulas: bool = False
) -> Sheet:
    """Return a page of a spreadsheet, with values in the place of formulas.

    sheet: its name or its number from 1; empty for the first. name: of the file. place: where problems are.
    look_for_formulas: also find those without a value, which takes a second reading. Raises FormatError where
    there is no such page, it is too large, or the program that reads it is not installed.
    """
    try:
        # Spreadsheets are rare, and their reader is an extra.
        import openpyxl
    except ImportError:
        next_step = f"pip install 'turnwise[xlsx]', or {_AS_CSV}."
        raise problem(place, "reading a spreadsheet needs openpyxl", next_step) from None
    check_unpacked(file, name, place)
    names: list[str] = []
    try:
        book = openpyxl.load_workbook(_from_start(file), read_only=True, data_only=True)
        names = list(book.sheetnames)
        found = names[int(sheet) - 1] if sheet.isdecimal() and 0 < int(sheet) <= len(names) else sheet
        page = book[found] if sheet else book[names[0]]
        lines = [[_cell(value) for value in line] for line in limited_rows(page, name, place)]
        title = str(page.title)
        book.close()
        uncomputed = tuple(_uncomputed(file, title, lines)) if look_for_formulas else ()
    except FormatError:
        raise
    except KeyError:
        raise problem(place, f"expected one of the sheets {', '.join(names)}; got {sheet}", "") from None
    except Exception as error:
        # The reader has no error of its own: a damaged file ends in whatever its parts stumble over.
        raise problem(place, f"expected a spreadsheet; {error}", "Save it again.") from None
    return Sheet(title, tuple(name for name in names if name != title), lines, uncomputed)


def _uncomputed(file: BinaryIO, title: str, lines: list[list[str]]) -> Iterator[str]:
    """Yield the cells that hold a formula and are empty where values are read."""
    import openpyxl

    book = openpyxl.load_workbook(_from_start(file), read_only=True)
    for cells, line in zip(book[title].iter_rows(), lines, strict=False):
        for cell, text in zip(cells, line, strict=False):
            if not text and cell.data_type == "f":
                yield str(cell.coordinate)
    book.close()


def _from_start(file: BinaryIO) -> BinaryIO:
    file.seek(0)
    return file


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value.isoformat()) if hasattr(value, "isoformat") else str(value)
