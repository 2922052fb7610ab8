"""Tables, in CSV and Parquet: a row is a turn or a whole conversation."""

from turnwise.conversations.formats.tables.columns import USUAL, columns_of, snake_case
from turnwise.conversations.formats.tables.gaps import Gaps, keys_of_unread
from turnwise.conversations.formats.tables.rows import (
    TableRow,
    csv_columns,
    csv_rows,
    is_parquet,
    parquet_columns,
    parquet_rows,
)
from turnwise.conversations.formats.tables.table import FORMAT as TABLE

__all__ = [
    "TABLE",
    "USUAL",
    "Gaps",
    "TableRow",
    "columns_of",
    "csv_columns",
    "csv_rows",
    "is_parquet",
    "keys_of_unread",
    "parquet_columns",
    "parquet_rows",
    "snake_case",
]
