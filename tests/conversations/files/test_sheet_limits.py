"""Spreadsheets that are small as files and large once they are unpacked are told, not read."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from turnwise.conversations.errors import FormatError
from turnwise.conversations.files import read_sheet, sheet_limits

openpyxl = pytest.importorskip("openpyxl")


def written(path: Path, rows: int, text: str) -> Path:
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("one")
    sheet.append(["q"])
    for number in range(rows):
        sheet.append([f"{number} {text}"])
    book.save(path)
    return path


def lines(path: Path) -> list[list[str]]:
    with path.open("rb") as file:
        return read_sheet(file, name=path.name, place="a").lines


def with_part(path: Path, name: str, content: bytes) -> Path:
    """The same spreadsheet with one part replaced, as no program would save it."""
    other = path.with_name("other.xlsx")
    with zipfile.ZipFile(path) as book, zipfile.ZipFile(other, "w", zipfile.ZIP_DEFLATED) as made:
        for part in book.namelist():
            made.writestr(part, content if part == name else book.read(part))
    return other


def test_a_sheet_of_many_rows_and_long_texts_is_read(tmp_path: Path) -> None:
    assert len(lines(written(tmp_path / "a.xlsx", 3000, "x" * 1000))) == 3001


def test_a_cell_of_many_megabytes_is_told_with_file_and_part(tmp_path: Path) -> None:
    cell = b"x" * 30_000_000
    sheet = (
        b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1">'
        b'<c r="A1" t="inlineStr"><is><t>' + cell + b"</t></is></c></row></sheetData></worksheet>"
    )
    path = with_part(written(tmp_path / "a.xlsx", 1, ""), "xl/worksheets/sheet1.xml", sheet)
    assert path.stat().st_size < 100_000
    with pytest.raises(FormatError, match=r"a cell of other.xlsx \(xl/worksheets/sheet1.xml\) is over"):
        lines(path)


def test_parts_that_are_too_large_together_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheet_limits, "_MOST_UNPACKED", 100_000)
    with pytest.raises(FormatError, match="100,000 bytes large when it is unpacked"):
        lines(written(tmp_path / "a.xlsx", 3000, "x" * 100))


def test_more_rows_than_a_table_that_people_made_has_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheet_limits, "_MOST_ROWS", 100)
    with pytest.raises(FormatError, match="more than 100 rows"):
        lines(written(tmp_path / "a.xlsx", 101, ""))
    assert len(lines(written(tmp_path / "b.xlsx", 100, ""))) == 101


def test_what_is_no_spreadsheet_is_still_told_as_that(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    path.write_bytes(b"no zip")
    with pytest.raises(FormatError, match="expected a spreadsheet"):
        lines(path)
