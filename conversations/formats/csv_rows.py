"""The rows of a table in CSV, streamed, each with its number."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any, NamedTuple

from turnwise.conversations.formats.records import Place
from turnwise.conversations.formats.sources import Source

_LONGEST_CELL = 256_000_000


class Row(NamedTuple):
    """One row: its filled cells by column name, texts in CSV, or the problem that makes it unreadable."""

    place: Place
    cells: dict[str, Any]
    problem: str = ""


def columns(head: str) -> tuple[list[str], str]:
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


def rows(source: Source) -> Iterator[Row]:
    """Yield every row under the header that has a filled cell. Raises FormatError for a bad header."""
    names, mark = columns(source.head)
    twice = sorted({name for name in names if name and names.count(name) > 1})
    if twice:
        raise source.broken(f"expected every column once; got {twice[0]} more than once")
    # The module has one limit for the whole process, and its default refuses long transcripts.
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST_CELL))
    with source.open() as file:
        # Bytes that are not UTF-8 spoil their own row only, not the ones that are read with it.
        text = io.TextIOWrapper(file, encoding="utf-8", errors="surrogateescape", newline="")
        reader = csv.reader(text, delimiter=mark, strict=True)
        number = line = 0
        while True:
            place = Place(source.name, line + 1, number, unit="row")
            try:
                cells = next(reader, None)
            except csv.Error as error:
                yield Row(place, {}, f"expected a row of CSV; {error}")
                cells = [""]
            if cells is None:
                return
            if number and any(cells):
                yield _row(place, names, cells)
            number += 1
            line = reader.line_num


def _row(place: Place, names: list[str], cells: list[str]) -> Row:
    if len(cells) != len(names):
        return Row(place, {}, f"expected {len(names)} cells, as in the header; got {len(cells)}")
    for name, cell in zip(names, cells, strict=True):
        try:
            cell.encode()
        except UnicodeEncodeError:
            return Row(place, {}, f"{name}: expected text in UTF-8; got other bytes")
    return Row(place, {name: cell for name, cell in zip(names, cells, strict=True) if name and cell})
