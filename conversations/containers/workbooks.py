"""Workbooks: a page of a spreadsheet is a table of text, as if it had been saved as CSV."""

from __future__ import annotations

import csv
import io
import zipfile
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

from turnwise.conversations.files import read_sheet
from turnwise.conversations.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from turnwise.conversations.files import Sheet

_MARK = "xl/workbook.xml"
_BEGINNINGS = (b"[Content_Types].xml", b"_rels/", b"docProps/", b"xl/", b"mimetype", b"customXml/")
"""With one of these the first file in a workbook begins; other zips need not be opened to tell."""
_LOCAL_HEADER = 30
_MOST_NAMED = 5


class WorkbookPage(NamedTuple):
    """A page of a workbook as CSV. remarks: what a person should know of how it was read."""

    table: BinaryIO
    remarks: tuple[str, ...]


def may_be_workbook(head: bytes) -> bool:
    """Return whether a zip that begins so may be a workbook."""
    return head[_LOCAL_HEADER:].startswith(_BEGINNINGS)


def is_workbook(file: BinaryIO) -> bool:
    """Return whether a file is a spreadsheet of the form .xlsx."""
    try:
        with zipfile.ZipFile(file) as book:
            return _MARK in book.namelist()
    except (zipfile.BadZipFile, OSError, NotImplementedError, ValueError, EOFError):
        return False


def page_of(file: BinaryIO, sheet: str, *, name: str, place: str) -> WorkbookPage:
    """Return a page of a workbook, by its name or number; else the first. Raises FormatError."""
    found = read_sheet(file, sheet, name=name, place=place, look_for_formulas=True)
    return WorkbookPage(_csv_of(found), tuple(_remarks(found)))


def _csv_of(sheet: Sheet) -> BinaryIO:
    """Return the rows from the first on that holds something, each as wide as that one at least."""
    lines = list(_from_the_head_on(sheet.lines))
    width = len(_without_end(lines[0])) if lines else 0
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    for line in lines:
        cells = _without_end(line)
        writer.writerow([*cells, *[""] * (width - len(cells))] if cells else [])
    return cast("BinaryIO", io.BytesIO(text.getvalue().encode("utf-8", "replace")))


def _from_the_head_on(lines: list[list[str]]) -> Iterator[list[str]]:
    started = False
    for line in lines:
        started = started or any(line)
        if started:
            yield line


def _without_end(line: list[str]) -> list[str]:
    """Return a row without the empty cells at its end."""
    length = len(line)
    while length and not line[length - 1]:
        length -= 1
    return line[:length]


def _remarks(sheet: Sheet) -> Iterator[str]:
    if sheet.others:
        yield f"sheet: {sheet.name} was read; FILE#SHEET names another one: {_first_of(sheet.others)}"
    if sheet.uncomputed:
        cells = counted(len(sheet.uncomputed), "cell")
        told = f"{cells} with a formula and no value kept, empty here: {_first_of(sheet.uncomputed)}"
        yield f"sheet: {told}; a spreadsheet program that saves the file keeps them"


def _first_of(names: Sequence[str]) -> str:
    return ", ".join(names[:_MOST_NAMED]) + (", …" if len(names) > _MOST_NAMED else "")
