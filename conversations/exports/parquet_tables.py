"""Parquet: the same tables as CSV, with typed columns, a few thousand rows at a time."""

from __future__ import annotations

import importlib
from itertools import islice
from typing import Any, BinaryIO

from turnwise.conversations.errors import SettingError
from turnwise.conversations.exports.export import Export, ExportOptions
from turnwise.conversations.exports.stored import Selection
from turnwise.conversations.exports.tables import TABLES
from turnwise.conversations.texts import mend_text

_ROWS_AT_ONCE = 2_000


def _write(sessions: Selection, out: BinaryIO, options: ExportOptions) -> None:
    lib, parquet = _loaded()
    table = TABLES[options.rows](sessions)
    types = {int: lib.int64(), float: lib.float64(), bool: lib.bool_(), str: lib.string()}
    kinds = list(table.columns.values())
    schema = lib.schema([(mend_text(name), types[kind]) for name, kind in table.columns.items()])
    with parquet.ParquetWriter(out, schema, compression="zstd") as writer:
        while batch := list(islice(table.rows, _ROWS_AT_ONCE)):
            cells = [
                [_cell(value, kind) for value in column]
                for column, kind in zip(zip(*batch, strict=True), kinds, strict=True)
            ]
            writer.write_table(lib.table(cells, schema=schema))


def _cell(value: Any, kind: type) -> Any:
    """Return a value as its column takes it; a word in a column of numbers is no number, so nothing."""
    if isinstance(value, str):
        return mend_text(value) if kind is str else None
    return value


def _loaded() -> tuple[Any, Any]:
    try:
        # Loaded here: only Parquet needs it, and it comes with an extra.
        return importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise SettingError(
            "Parquet needs a package that is not installed",
            detail="pyarrow writes it.",
            next_step="pip install 'turnwise[parquet]', or export to csv.",
        ) from None


EXPORT = Export(
    "parquet",
    "the same tables with typed columns (Parquet, with the extra turnwise[parquet])",
    write_bytes=_write,
    takes_rows=True,
)
