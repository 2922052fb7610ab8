"""Pages of spreadsheets, cell by cell."""

from __future__ import annotations

import builtins
import io
from datetime import date, datetime
from typing import Any

import pytest

from turnwise.conversations.errors import FormatError
from turnwise.conversations.files import Sheet, read_sheet

openpyxl = pytest.importorskip("openpyxl")


def book(**pages: list[list[Any]]) -> io.BytesIO:
    """Return a workbook of pages by name."""
    made = openpyxl.Workbook()
    made.remove(made.active)
    for name, rows in pages.items():
        page = made.create_sheet(name)
        for row in rows:
            page.append(row)
    written = io.BytesIO()
    made.save(written)
    return written


def read(file: io.BytesIO, sheet: str = "", *, look_for_formulas: bool = False) -> Sheet:
    return read_sheet(file, sheet, name="a.xlsx", place="a.xlsx", look_for_formulas=look_for_formulas)


def test_cells_are_texts_as_people_write_them() -> None:
    row = ["words", 5, 4.5, 5.0, True, datetime(2026, 1, 5, 10), date(2026, 1, 6), None]
    assert read(book(One=[row])).lines == [
        ["words", "5", "4.5", "5", "true", "2026-01-05T10:00:00", "2026-01-06T00:00:00", ""]
    ]


def test_a_page_is_the_first_or_has_a_name_or_a_number() -> None:
    file = book(One=[["a"]], Two=[["b"]])
    assert (read(file).name, read(file).others) == ("One", ("Two",))
    assert read(file, "Two").lines == read(file, "2").lines == [["b"]]
    with pytest.raises(FormatError, match="one of the sheets One, Two; got Three"):
        read(file, "Three")


def test_a_formula_without_a_value_is_empty_and_named() -> None:
    file = book(One=[["a", "b"], ["=1+1", 7]])
    assert read(file, look_for_formulas=True).uncomputed == ("A2",)
    assert read(file).lines[1] == ["", "7"]


def test_without_its_reader_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    file, imported = book(One=[["a"]]), builtins.__import__

    def lacking(name: str, *rest: Any, **more: Any) -> Any:
        if name == "openpyxl":
            raise ImportError(name)
        return imported(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", lacking)
    with pytest.raises(FormatError) as caught:
        read(file)
    assert "pip install 'turnwise[xlsx]'" in caught.value.next_step
