"""The rows of a table in Parquet, streamed, each with its number."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from math import isfinite
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.formats.csv_rows import Row
from turnwise.conversations.formats.records import Place
from turnwise.conversations.formats.sources import Source

_MAGIC = "PAR1"
_ROWS_AT_ONCE = 500


def is_parquet(source: Source) -> bool:
    """Whether the bytes begin as Parquet does."""
    return source.head.startswith(_MAGIC)


def parquet_columns(source: Source) -> list[str]:
    """Return the names of the columns. Raises FormatError and SettingError as `parquet_rows` does."""
    with source.open() as file:
        return list(_opened(file, source).schema_arrow.names)


def parquet_rows(source: Source, columns: list[str] | None = None) -> Iterator[Row]:
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
                        yield Row(place, filled)
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
