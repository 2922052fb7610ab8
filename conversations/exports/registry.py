"""The formats that conversations go out in, and the one way out: `export_sessions`.

A format is one module with an `EXPORT`, and one line here.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from turnwise.conversations.errors import SettingError
from turnwise.conversations.exports import (
    csv_tables,
    deepeval,
    html_page,
    markdown,
    openai_chat,
    own_jsonl,
    parquet_tables,
    promptfoo,
)
from turnwise.conversations.exports.export import ROWS, Export, ExportOptions, RowsWord
from turnwise.conversations.exports.stored import Selection
from turnwise.conversations.exports.writing import whole_file

if TYPE_CHECKING:
    from turnwise.conversations.store import Store

EXPORTS: tuple[Export, ...] = (
    own_jsonl.EXPORT,
    deepeval.EXPORT,
    openai_chat.EXPORT,
    promptfoo.EXPORT,
    markdown.EXPORT,
    html_page.EXPORT,
    csv_tables.EXPORT,
    parquet_tables.EXPORT,
)


def export_sessions(
    store: Store,
    sessions: Sequence[int],
    *,
    to: str,
    output: Path | str | BinaryIO,
    rows: RowsWord | None = None,
    force: bool = False,
    on_progress: Callable[[int], None] | None = None,
) -> int:
    """Write sessions, one at a time in constant memory, and return how many there were.

    sessions: ids in the order wanted; one that is not there any more is left out. to: a format's name.
    output: a path, or a stream of bytes; text is UTF-8. rows: what a row of a table is, turns by
    default. force: write over a file that is there. on_progress: called with the number of sessions so far;
    what it raises ends the export, and a file stays as it was.

    Raises SettingError for a format or option that means nothing, InputError where the file is there already
    or cannot be begun, TurnwiseError where it cannot be finished, and StoreError.
    """
    chosen = _named(to, rows)
    options = ExportOptions(rows=rows or ROWS[0])
    selection = Selection(store, sessions, on_progress)
    if isinstance(output, str | Path):
        with whole_file(Path(output), force=force) as out:
            chosen.write_to(out, selection, options)
    else:
        chosen.write_to(output, selection, options)
    return selection.done


def _named(name: str, rows: str | None) -> Export:
    names = [known.name for known in EXPORTS]
    if name not in names:
        near = difflib.get_close_matches(name, names, n=1)
        raise SettingError(
            f"There is no format {name} to export to",
            detail=f"Formats: {', '.join(names)}.",
            next_step=f"Did you mean {near[0]}?" if near else "Give one of these names.",
        )
    chosen = EXPORTS[names.index(name)]
    if rows is not None and not chosen.takes_rows:
        raise SettingError(
            f"The format {name} has no rows to choose", next_step="Leave out --rows, or export to csv."
        )
    if rows is not None and rows not in ROWS:
        raise SettingError(
            f"There are no rows of {rows}", detail=f"Rows: {', '.join(ROWS)}.", next_step="Give one of these."
        )
    return chosen
