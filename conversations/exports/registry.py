"""The formats that conversations go out in, and the one way out: `export_sessions`.

A format is one module with a function that writes it, and one line here.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TextIO, cast

from turnwise.conversations.errors import DamageError, SettingError
from turnwise.conversations.exports.export import ROWS, Export, ExportOptions, RowsWord, SessionSelection
from turnwise.conversations.files import whole_file
from turnwise.conversations.words import did_you_mean

if TYPE_CHECKING:
    from turnwise.conversations.exports.pages import LabelledQueue
    from turnwise.conversations.store import Store

EXPORTS: dict[str, Export] = {
    export.name: export
    for export in (
        Export("jsonl", ".jsonl", "everything, to keep or to import elsewhere", "own_jsonl:write"),
        Export("html", ".html", "one page to read, print and pass on", "html_page:write"),
        Export(
            "replay",
            ".replay.html",
            "one page that plays them in a browser",
            "pages:write",
            holds_prompts=True,
        ),
        Export("markdown", ".md", "transcripts with scores", "markdown:write"),
        Export(
            "csv",
            ".csv",
            "a row per turn, with what failed in it; labels are in jsonl",
            "tables:write_csv",
            takes_rows=True,
        ),
        Export("deepeval", ".json", "a deepeval dataset", "deepeval:write"),
        Export("openai", ".openai.jsonl", "OpenAI's chat messages", "openai_chat:write"),
        Export("otlp", ".otlp.jsonl", "spans of OpenTelemetry", "otlp_spans:write"),
        Export("inspect", ".eval", "a log of Inspect", "inspect_log:write", is_text=False),
        Export("langfuse", ".langfuse.jsonl", "events for Langfuse's interface", "langfuse_events:write"),
        Export("langsmith", ".langsmith.jsonl", "examples of LangSmith", "langsmith_examples:write"),
        Export("promptfoo", ".yaml", "promptfoo tests, one per exchange", "promptfoo:write"),
        Export(
            "parquet",
            ".parquet",
            "as csv, with typed columns",
            "tables:write_parquet",
            is_text=False,
            takes_rows=True,
            needs=("pyarrow", "parquet"),
        ),
    )
}
"""All formats by their names, in the order in which they are offered; each is loaded when it is needed."""


def export_sessions(
    store: Store,
    sessions: Sequence[int],
    *,
    to: str,
    output: Path | str | BinaryIO,
    rows: RowsWord | None = None,
    prompts: bool = True,
    head: tuple[str, str] = ("", ""),
    force: bool = False,
    on_progress: Callable[[int], None] | None = None,
    on_damage: Callable[[DamageError], None] | None = None,
    on_note: Callable[[str], None] | None = None,
) -> int:
    """Write sessions, one at a time in constant memory, and return how many there were.

    sessions: ids in the order wanted; one that is not there any more is left out. to: a format's name.
    output: a path, or a stream of bytes; text is UTF-8. rows: what a row of a table is, turns by
    default. prompts: False leaves out what judges were asked and answered. head: what a page of several
    sessions begins with, as HTML, and the style that it needs.
    force: write over a file that is there. on_progress: called with the number of sessions so far;
    what it raises ends the export, and a file stays as it was. on_damage: called with a session that cannot
    be read, which is then left out; without it, the export ends there. on_note: called with what a person
    should know of what was written.

    Raises SettingError for a format or option that means nothing, InputError where the file is there already
    or cannot be begun, TurnwiseError where it cannot be finished, and StoreError.
    """
    chosen = _named(to, rows)
    if not prompts and not chosen.holds_prompts:
        raise SettingError(
            f"The format {to} has no such prompts to leave out", next_step="Leave out --without-prompts."
        )
    options = ExportOptions(rows or ROWS[0], *head, prompts=prompts)
    selection = SessionSelection(store, sessions, on_progress, on_damage, on_note)
    if isinstance(output, str | Path):
        with whole_file(Path(output), force=force) as out:
            chosen.write_to(out, selection, options)
    else:
        chosen.write_to(output, selection, options)
    return selection.done


def export_queue(
    store: Store,
    sessions: Sequence[int],
    queue: LabelledQueue,
    *,
    output: Path,
    force: bool = False,
    on_progress: Callable[[int], None] | None = None,
    on_damage: Callable[[DamageError], None] | None = None,
) -> int:
    """Write a page on which somebody labels sessions blind, and return how many are on it.

    What they say comes back as a file. For the parameters and what is raised see `export_sessions`.
    """
    from turnwise.conversations.exports.pages import write_queue

    selection = SessionSelection(store, sessions, on_progress, on_damage)
    with whole_file(output, force=force) as out:
        write_queue(selection, cast("TextIO", codecs.getwriter("utf-8")(out)), queue)
    return selection.done


def _named(name: str, rows: str | None) -> Export:
    if name not in EXPORTS:
        raise SettingError(
            f"There is no format {name} to export to",
            detail=f"Formats: {', '.join(EXPORTS)}.",
            next_step=did_you_mean(name, EXPORTS) or "Give one of these names.",
        )
    chosen = EXPORTS[name]
    if rows is not None and not chosen.takes_rows:
        raise SettingError(
            f"The format {name} has no rows to choose", next_step="Leave out --rows, or export to csv."
        )
    if rows is not None and rows not in ROWS:
        raise SettingError(
            f"There are no rows of {rows}", detail=f"Rows: {', '.join(ROWS)}.", next_step="Give one of these."
        )
    return chosen
