"""turnwise import: conversations from files."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from turnwise.tui.cli.options import json_option, open_store
from turnwise.tui.cli.output import Progress, emit, narrate

if TYPE_CHECKING:
    from turnwise.conversations.importing import ImportReport

_EPILOG = """\b
Examples:
  turnwise import cases.json
  turnwise import chats.jsonl --role "A clinic's booking assistant"
  turnwise import logs.json --messages traj --role-from system
  cat chats.jsonl | turnwise import -
"""

_MOST_TOLD = 20


@click.command("import", epilog=_EPILOG)
@click.argument("files", nargs=-1, required=True)
@click.option(
    "--format",
    "format_name",
    metavar="NAME",
    help="deepeval or openai-chat; told from the content by default.",
)
@click.option(
    "--messages", "messages_key", metavar="KEY", help="The name under which each record holds its messages."
)
@click.option("--role", help="What the chatbot is supposed to be, in plain words.")
@click.option(
    "--role-from", type=click.Choice(["system"]), help="Take the chatbot's role from the system prompt."
)
@json_option
@click.pass_context
def command(
    context: click.Context,
    files: tuple[str, ...],
    format_name: str | None,
    messages_key: str | None,
    role: str | None,
    role_from: str | None,
    as_json: bool,
) -> None:
    """Bring conversations in from FILES; - is standard input.

    A conversation that is there already is not added again. A record that cannot be read is told on
    standard error, and the rest of its file still comes in.
    """
    from turnwise.conversations.errors import InputError
    from turnwise.conversations.importing import ImportReport, import_file
    from turnwise.tui.cli.main import tell_error

    store = open_store(context)
    total, broken, at = ImportReport(), 0, time.time()
    progress = Progress()
    for name in files:
        try:
            report = import_file(
                store,
                name,
                format=format_name,
                messages_key=messages_key,
                role=role,
                role_from_system=role_from == "system",
                at=at,
                on_progress=lambda so_far, name=name: progress.show(  # type: ignore[misc]
                    f"{name}: {len(so_far.sessions):,} conversations"
                ),
            )
        except InputError as error:
            progress.clear()
            tell_error(error)
            broken += 1
            continue
        progress.clear()
        for rejection in report.rejected[:_MOST_TOLD]:
            tell_error(rejection)
        if report.failed > _MOST_TOLD:
            narrate(f"... and {report.failed - _MOST_TOLD:,} more records of {name} that could not be read.")
        total.join(report)
    if as_json:
        emit(
            {
                "imported": total.imported,
                "unchanged": total.unchanged,
                "updated": total.updated,
                "failed": total.failed + broken,
                "sessions": total.sessions,
            }
        )
    narrate(_summary(total, broken))
    context.exit(2 if broken or (total.failed and not total.sessions) else 1 if total.failed else 0)


def _summary(total: ImportReport, broken: int) -> str:
    parts = [f"{total.imported:,} imported"]
    if total.unchanged:
        parts.append(f"{total.unchanged:,} there already")
    if total.updated:
        parts.append(f"{total.updated:,} given their role")
    if total.failed:
        parts.append(f"{total.failed:,} not readable")
    if broken:
        parts.append(f"{broken} {'file' if broken == 1 else 'files'} not readable")
    return ", ".join(parts) + "."
