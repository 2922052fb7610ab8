"""Tables, in CSV and Parquet: a row is a turn or a whole conversation."""

from turnwise.conversations.formats.tables.rows import csv_columns, csv_rows
from turnwise.conversations.formats.tables.table import FORMAT as TABLE

__all__ = [
    "TABLE",
    "csv_columns",
    "csv_rows",
]
