"""turnwise export: conversations into files of our own and of other tools."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import BinaryIO, cast

import click

from turnwise.conversations.errors import DamageError, SettingError
from turnwise.conversations.exports import EXPORTS, ROWS, RowsWord, export_sessions
from turnwise.conversations.safe_text import make_safe
from turnwise.conversations.store import Store
from turnwise.tui.cli.options import chosen_sessions, json_option, open_store
from turnwise.tui.cli.output import Progress, emit, narrate, tell_damage

_WIDEST = max(map(len, EXPORTS))
_FORMATS = "\n".join(f"  {export.name:<{_WIDEST}}  {export.told}" for export in EXPORTS.values())
_EPILOG = f"""\b
Examples:
  turnwise export 12 --to html --output refund.html
  turnwise export --all --to jsonl --output everything.jsonl
  turnwise export 'role_adherence<0.5' --to openai | gzip > bad.jsonl.gz
  turnwise export tag:billing --to csv --rows scores -o scores.csv

\b
Formats:
{_FORMATS}
"""


@click.command("export", epilog=_EPILOG)
@click.argument("query", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="All sessions.")
@click.option("--to", "to", metavar="FORMAT", required=True, help="One of the formats below.")
@click.option(
    "--output",
    "-o",
    metavar="FILE",
    default="-",
    show_default=True,
    help="Where to; - is standard output. A file appears when it is whole.",
)
@click.option(
    "--rows",
    type=click.Choice(list(ROWS)),
    help="What a row of a table is; turns by default.",
)
@click.option(
    "--without-prompts",
    is_flag=True,
    help="Leave what judges were asked and answered out of a page of the format replay.",
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@json_option
@click.pass_context
def command(
    context: click.Context,
    query: tuple[str, ...],
    everything: bool,
    to: str,
    output: str,
    rows: str | None,
    without_prompts: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Write conversations to a file: those that match QUERY, those whose numbers are given, or --all."""
    if as_json and output == "-":
        raise SettingError(
            "--json and the export cannot both go to standard output", next_step="Add --output FILE."
        )
    store = open_store(context)
    chosen = chosen_sessions(store, query, everything=everything)
    progress = Progress()
    damaged: list[DamageError] = []
    notes: list[str] = []
    try:
        count = export_sessions(
            store,
            chosen,
            to=to,
            output=_standard_output(to) if output == "-" else Path(output),
            rows=cast("RowsWord | None", rows),
            prompts=not without_prompts,
            head=_head(store, query) if to == "html" and len(chosen) > 1 else ("", ""),
            force=force,
            on_progress=lambda done: progress.show(f"{done:,} of {len(chosen):,} sessions"),
            on_damage=damaged.append,
            on_note=notes.append,
        )
    finally:
        progress.clear()
    if as_json:
        left_out = {"damaged": [error.session for error in damaged]} if damaged else {}
        emit({"exported": count, "file": output, **left_out})
    sessions = f"{count:,} {'session' if count == 1 else 'sessions'}"
    narrate(f"{sessions} exported." if output == "-" else f"{sessions} exported to {output}.")
    for note in notes:
        narrate(note)
    if damaged:
        tell_damage(damaged, "left out")
        context.exit(1)


def _head(store: Store, query: tuple[str, ...]) -> tuple[str, str]:
    """Return the overview that a page begins with, and its style; none for sessions that are named."""
    if query and all(word[:1].isdigit() for word in query):
        return "", ""
    from turnwise.engine.overview import overview
    from turnwise.tui.overview.overview_page import STYLE, overview_pieces

    words = " ".join(query)
    return "".join(overview_pieces(overview(store, words), words)), STYLE


class _SafeTerminal:
    """Standard output where it is a terminal: what others wrote is shown there, not obeyed."""

    def write(self, data: bytes) -> int:
        """Show bytes as safe text; those that are no text as replacement characters."""
        sys.stdout.write(make_safe(data.decode("utf-8", "replace")))
        return len(data)


def _standard_output(to: str) -> BinaryIO:
    """Return standard output; a pipe or a file gets the very bytes that a named file would."""
    if not sys.stdout.isatty():
        sys.stdout.flush()
        return sys.stdout.buffer
    if to in EXPORTS and not EXPORTS[to].is_text:
        raise SettingError(
            f"{to.capitalize()} is no text to show", next_step="Add --output FILE, or pipe it on."
        )
    return cast("BinaryIO", _SafeTerminal())
