"""How much a spreadsheet may hold once it is unpacked: a small file may stand for any amount."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from typing import Any, BinaryIO

from turnwise.conversations.files.folders import problem

_MOST_UNPACKED = 256_000_000
"""Bytes of all parts of a spreadsheet."""
_MOST_TEXTS = 64_000_000
"""Bytes of the part that holds the texts of all cells, each once, which is held as a whole."""
_LONGEST_CELL = 1 << 20
"""Bytes between two tags; Excel's own limit is 32,767 characters."""
_MOST_ROWS = 250_000


def check_unpacked(file: BinaryIO, name: str, place: str) -> None:
    """Raise FormatError where the parts of a spreadsheet, or a cell of it, are too large to hold."""
    try:
        with zipfile.ZipFile(file) as book:
            parts = [part for part in book.infolist() if part.filename.endswith(".xml")]
            if sum(part.file_size for part in book.infolist()) > _MOST_UNPACKED:
                text = f"{name} is over {_MOST_UNPACKED:,} bytes large when it is unpacked"
                raise problem(place, text, "Split it, or save it as CSV.")
            for part in parts:
                if part.filename.endswith("sharedStrings.xml") and part.file_size > _MOST_TEXTS:
                    text = f"the texts of {name} are over {_MOST_TEXTS:,} bytes"
                    raise problem(place, text, "Split it, or save it as CSV.")
                if part.file_size > _LONGEST_CELL and _has_long_cell(book, part):
                    text = f"a cell of {name} ({part.filename}) is over {_LONGEST_CELL:,} bytes"
                    raise problem(place, text, "Shorten it, or save the sheet as CSV.")
    except (zipfile.BadZipFile, OSError, NotImplementedError, RuntimeError, EOFError):
        # What is no such file at all is told by the program that reads it.
        return


def limited_rows(page: Any, name: str, place: str) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a sheet. Raises FormatError where they are more than a table that people made has."""
    for number, line in enumerate(page.iter_rows(values_only=True)):
        if number > _MOST_ROWS:
            raise problem(place, f"{name} has more than {_MOST_ROWS:,} rows", "Split it, or save it as CSV.")
        yield line


def _has_long_cell(book: zipfile.ZipFile, part: zipfile.ZipInfo) -> bool:
    """Whether so many bytes of a part stand between two tags, read piece by piece."""
    length = 0
    with book.open(part) as file:
        while piece := file.read(_LONGEST_CELL):
            first = piece.find(b"<")
            length += len(piece) if first < 0 else first
            # Within a piece, which is no longer, there is no longer stretch.
            if length > _LONGEST_CELL:
                return True
            if first >= 0:
                length = len(piece) - piece.rfind(b"<")
    return False
