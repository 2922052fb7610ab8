"""CSV: a row a turn, a session or a score. No cell is a formula, whatever a conversation holds."""

from __future__ import annotations

import csv
import re
from typing import Any, TextIO

from turnwise.conversations.exports.export import Export, ExportOptions
from turnwise.conversations.exports.stored import Selection
from turnwise.conversations.exports.tables import TABLES
from turnwise.conversations.texts import mend_text

# Spreadsheets look past blanks, quotes and invisible marks, and read wide forms like the plain ones.
_FORMULA = re.compile(
    "[\\s\"'`\u2018\u2019\u201c\u201d\u200b-\u200f\u2060\ufeff\x00-\x1f]*[=+\\-@\t\r\uff1d\uff0b\uff0d\uff20]"
)


def defused(cell: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula: such a text gets an apostrophe before it."""
    if isinstance(cell, bool):
        return str(cell).lower()
    if not isinstance(cell, str):
        return cell
    text = mend_text(cell)
    return f"'{text}" if _FORMULA.match(text) else text


def _write(sessions: Selection, out: TextIO, options: ExportOptions) -> None:
    table = TABLES[options.rows](sessions)
    # Quoted, a cell stays one cell in programs that expect another mark between cells.
    writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(map(defused, table.columns))
    writer.writerows(map(defused, row) for row in table.rows)


EXPORT = Export("csv", "a table: a row a turn, a session or a score (CSV)", _write, takes_rows=True)
