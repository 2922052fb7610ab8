"""The rows of CSV and Parquet files: cells by column name, each row with its place."""

from __future__ import annotations

import csv
import importlib
import io
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from math import isfinite
from typing import Any, NamedTuple, TextIO

from turnwise.conversations.errors import SettingError
from turnwise.conversations.formats import sources
from turnwise.conversations.formats.format import Place
from turnwise.conversations.formats.sources import Source
from turnwise.conversations.texts import has_halves

_LONGEST_CELL = 32_000_000
_MAGIC = "PAR1"
_ROWS_AT_ONCE = 500
# How the module of CSV words a quote without an end, and a cell over its limit.
_UNENDING = "unexpected end of data"
_TOO_LARGE = "field larger than field limit"


class TableRow(NamedTuple):
    """One row: its filled cells by column name, texts in CSV, or the problem that makes it unreadable.

    readings: what the cells of an unreadable row may be, the likeliest first. They are to tell of which
    conversation it is, and nothing of them comes in. is_whole: it lacks no cell, so that the first is likely.
    """

    place: Place
    cells: dict[str, Any]
    problem: str = ""
    readings: tuple[dict[str, str], ...] = ()
    is_whole: bool = False


def csv_columns(head: str) -> tuple[list[str], str]:
    """Return the column names in a table's first text and the mark that parts them: , or ; or a tab."""
    readings: list[tuple[int, list[str], str]] = []
    for mark in (",", ";", "\t"):
        try:
            names = next(csv.reader(io.StringIO(head, newline=""), delimiter=mark), [])
        except csv.Error:
            continue
        readings.append((len(names), [name.strip() for name in names], mark))
    if not readings:
        return [], ","
    _, names, mark = max(readings, key=lambda reading: reading[0])
    return names, mark


def csv_rows(source: Source) -> Iterator[TableRow]:
    """Yield every row under the header that has a filled cell. Raises FormatError for a bad header."""
    names, mark = csv_columns(source.head)
    twice = sorted({name for name in names if name and names.count(name) > 1})
    if twice:
        raise source.broken(f"expected every column once; got {twice[0]} more than once")
    # The module has one limit for the whole process, and its default refuses long transcripts.
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_CELL))
    with source.open() as file:
        # Bytes that are not UTF-8 spoil their own row only, not the ones that are read with it.
        lines = _Lines(io.TextIOWrapper(file, encoding="utf-8", errors="surrogateescape", newline=""), source)
        reader = csv.reader(lines, delimiter=mark, strict=True)
        number = 0
        while True:
            place = Place(source.name, lines.begin_row(), number, unit="row")
            try:
                cells = next(reader, None)
            except csv.Error as error:
                row = _broken_row(place, names, mark, lines, error)
                source.hear(lines.row, place.line)
                yield row
                cells = [""]
            if cells is None:
                return
            if number and any(cells):
                row = _row(place, names, cells)
                source.hear(row.cells or cells, place.line)
                yield row
            number += 1


class _Lines:
    """The lines of a table, of which those after a row's first can be read again.

    number: of the line that was read last.
    """

    def __init__(self, text: TextIO, source: Source) -> None:
        self.number = 0
        self._text = text
        self._source = source
        self._row: list[str] = []
        self._again: list[str] = []

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        """Return the next line. Raises FormatError for one that is longer than any line of a table."""
        longest = sources.LONGEST_LINE
        line = self._again.pop() if self._again else self._text.readline(longest)
        if not line:
            raise StopIteration
        self.number += 1
        if len(line) == longest and not line.endswith(("\n", "\r")):
            raise self._source.broken(f"line {self.number:,} is longer than {longest:,} characters")
        self._row.append(line)
        return line

    def begin_row(self) -> int:
        """Return the number of the line with which the next row begins."""
        self._row.clear()
        return self.number + 1

    @property
    def row(self) -> list[str]:
        """The lines of this row so far."""
        return self._row

    def read_again(self) -> None:
        """Let the next row begin with the line after this row's first."""
        self._again += reversed(self._row[1:])
        self.number -= len(self._row) - 1
        del self._row[1:]


def _broken_row(place: Place, names: list[str], mark: str, lines: _Lines, error: csv.Error) -> TableRow:
    """Return the row that the module of CSV refuses. Of a quote that opens and does not end, only its line is
    lost: what it took in up to the next quote is read as the rows that it is.
    """
    is_large = _TOO_LARGE in str(error)
    # A cell of that size has lines that are no rows, unless its quote should have ended before them.
    is_open = len(_cells(lines.row[1:2], mark)) == len(names) if is_large else _UNENDING in str(error)
    problem = f"expected a row of CSV; {'a quote opens in it that never ends' if is_open else error}"
    if is_large and not is_open:
        problem += f", in lines {place.line:,} to {lines.number:,}"
    else:
        lines.read_again()
    cells = _cells(lines.row[:1], mark)
    return TableRow(place, {}, problem, _readings(names, cells), is_whole=len(cells) >= len(names))


def _cells(lines: list[str], mark: str) -> list[str]:
    """Return the cells of a line as far as they can be told."""
    with suppress(csv.Error):
        return next(csv.reader(lines, delimiter=mark), [])
    return []


def _row(place: Place, names: list[str], cells: list[str]) -> TableRow:
    is_whole = len(cells) >= len(names)
    if len(cells) != len(names):
        problem = f"expected {len(names)} cells, as in the header; got {len(cells)}"
        return TableRow(place, {}, problem, _readings(names, cells), is_whole)
    for name, cell in zip(names, cells, strict=True):
        if has_halves(cell):
            problem = f"{name}: expected text in UTF-8; got other bytes"
            return TableRow(place, {}, problem, _readings(names, cells), is_whole)
    return TableRow(place, {name: cell for name, cell in zip(names, cells, strict=True) if name and cell})


def _readings(names: list[str], cells: list[str]) -> tuple[dict[str, str], ...]:
    """Return what cells may be where they are too many or too few: counted from the first and the last."""
    ways = [zip(names, cells, strict=False), zip(reversed(names), reversed(cells), strict=False)]
    read = [{name: cell for name, cell in way if name and not has_halves(cell)} for way in ways]
    return tuple(read[:1] if len(cells) == len(names) else read)


def is_parquet(source: Source) -> bool:
    """Whether the bytes begin as Parquet does."""
    return source.head.startswith(_MAGIC)


def parquet_columns(source: Source) -> list[str]:
    """Return the names of the columns. Raises FormatError and SettingError as `parquet_rows` does."""
    with source.open() as file:
        return list(_opened(file, source).schema_arrow.names)


def parquet_rows(source: Source, columns: list[str] | None = None) -> Iterator[TableRow]:
    """Yield every row that has a filled cell, with values as JSON has them.

    columns: those to read; None for all. Raises FormatError where the file is damaged, and SettingError
    where the package that reads Parquet is not installed.
    """
    number = 0
    with source.open() as file:
        table = _opened(file, source)
        try:
            for batch in table.iter_batches(batch_size=_ROWS_AT_ONCE, columns=columns):
                for cells in batch.to_pylist():
                    number += 1
                    place = Place(source.name, None, number, unit="row")
                    filled = {name: _plain(value) for name, value in cells.items() if value is not None}
                    if filled:
                        source.hear(filled, number)
                        yield TableRow(place, filled)
        except _failures() as error:
            raise source.broken(f"after row {number}, expected Parquet; {_first_line(error)}") from None


def _opened(file: Any, source: Source) -> Any:
    try:
        # Loaded here: only Parquet needs it, and it comes with an extra.
        parquet = importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise SettingError(
            "Parquet needs a package that is not installed",
            detail=f"{source.name} is Parquet, which pyarrow reads.",
            next_step="pip install 'turnwise[parquet]'",
        ) from None
    try:
        return parquet.ParquetFile(file, page_checksum_verification=True)
    except _failures() as error:
        raise source.broken(f"expected Parquet; {_first_line(error)}") from None


def _failures() -> tuple[type[Exception], ...]:
    # pyarrow's errors derive from these; damaged files also end in errors of memory and of text.
    lib = importlib.import_module("pyarrow")
    return (lib.ArrowException, OSError, ValueError, MemoryError, OverflowError, NotImplementedError)


def _first_line(error: Exception) -> str:
    words = " ".join(str(error).split("\n")[0].split())
    return words[:200] or type(error).__name__


def _plain(value: Any) -> Any:
    """Return a value as JSON has it."""
    if isinstance(value, str | bool | int | None):
        return value
    if isinstance(value, float):
        return value if isfinite(value) else None if value != value else str(value)
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, Decimal | timedelta):
        return str(value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return str(value)
