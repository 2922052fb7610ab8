"""A page of a workbook is a table, wherever the workbook lies."""

from __future__ import annotations

import gzip
import io
import zipfile
from pathlib import Path
from typing import Any

import pytest

from turnwise.conversations.errors import FormatError
from turnwise.conversations.formats import Loaded, load
from turnwise.conversations.gathering import Gathering
from turnwise.conversations.importing import import_file
from turnwise.conversations.store import Store

openpyxl = pytest.importorskip("openpyxl")

ROWS = [
    [],
    ["Question", "Answer", "Rating"],
    ["Where is it?", "In Oslo.", 5],
    [],
    ["Bye,\nthen", 'Bye "you"', None],
]
MORE = [["chat_id", "role", "text"], [1, "user", "hi"], [1, "assistant", "ho"]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = openpyxl.Workbook()
    for row in ROWS:
        made.active.append(row)
    made.active.title = "Asked"
    for row in MORE:
        (made["More"] if "More" in made.sheetnames else made.create_sheet("More")).append(row)
    made.save(tmp_path / "book.xlsx")
    return tmp_path / "book.xlsx"


def said(source: Any) -> list[list[str]]:
    records = list(load(source))
    assert all(isinstance(record, Loaded) for record in records), records
    return [[turn.content for turn in record.case.turns] for record in records]  # type: ignore[union-attr]


ASKED = [["Where is it?", "In Oslo."], ["Bye,\nthen", 'Bye "you"']]


def test_the_first_page_is_a_table(path: Path) -> None:
    assert said(path) == said(io.BytesIO(path.read_bytes())) == ASKED
    first, second = load(path)
    assert isinstance(first, Loaded)
    assert isinstance(second, Loaded)
    assert (first.case.metadata or {})["Rating"] == "5"
    assert first.remarks == ("sheet: Asked was read; FILE#SHEET names another one: More",)
    assert not second.remarks


@pytest.mark.parametrize("sheet", ["More", "2"])
def test_another_page_is_named_behind_the_file(path: Path, sheet: str) -> None:
    assert said(path.with_name(f"book.xlsx#{sheet}")) == [["hi", "ho"]]
    with pytest.raises(FormatError, match="one of the sheets"):
        said(path.with_name("book.xlsx#Nothing"))


def test_it_may_be_packed_or_lie_in_a_folder(store: Store, path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "packed.xlsx.gz").write_bytes(gzip.compress(path.read_bytes()))
    with zipfile.ZipFile(folder / "all.zip", "w") as archive:
        archive.write(path, "deep/book.xlsx")
    report = Gathering([folder]).run(lambda content, tell: import_file(store, content))
    assert (report.total.imported, report.total.unchanged, report.failed_files) == (2, 2, 0)
    assert report.formats["table"].files == 2


def test_a_zip_with_a_workbook_in_it_is_no_workbook(path: Path, tmp_path: Path, store: Store) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("docProps/readme.txt", "words")
        archive.write(path, "book.xlsx")
    report = Gathering([tmp_path / "all.zip"]).run(lambda content, tell: import_file(store, content))
    assert report.total.imported == 2


def test_a_damaged_workbook_is_told(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FormatError):
        list(load(path))


def test_formulas_without_a_value_are_told(tmp_path: Path) -> None:
    made = openpyxl.Workbook()
    made.active.append(["Question", "Answer"])
    made.active.append(["Where?", "=A1"])
    made.save(tmp_path / "a.xlsx")
    [record] = load(tmp_path / "a.xlsx")
    assert isinstance(record, Loaded)
    assert "1 cell with a formula and no value kept, empty here: B2" in record.remarks[0]
