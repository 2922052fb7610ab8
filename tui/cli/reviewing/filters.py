"""turnwise filters: queries under a name."""

from __future__ import annotations

import click

from turnwise.tui.cli.options import CommandGroup, json_option, open_store
from turnwise.tui.cli.output import columns, emit, narrate, say

_EPILOG = """\b
Examples:
  turnwise filters
  turnwise filters add 'bad flights' 'role:airline role_adherence<0.5 label:none'
  turnwise filters remove 'bad flights'
"""


@click.group("filters", cls=CommandGroup, invoke_without_command=True, epilog=_EPILOG)
@json_option
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """List the saved filters; the app's library offers them too."""
    if context.invoked_subcommand is not None:
        return
    saved = open_store(context, to_read=True).filters.all()
    if as_json:
        for one in saved:
            emit({"name": one.name, "query": one.query, "created_at": one.created_at})
        return
    if not saved:
        narrate("There are no saved filters yet: turnwise filters add NAME QUERY")
        return
    for line in columns([["name", "filter"], *([one.name, one.query] for one in saved)], most=80):
        say(line)


@command.command("add")
@click.argument("name")
@click.argument("query", nargs=-1, required=True)
@json_option
@click.pass_context
def add(context: click.Context, name: str, query: tuple[str, ...], as_json: bool) -> None:
    """Keep QUERY under NAME; one that was there under it is replaced."""
    store = open_store(context)
    words = " ".join(query)
    # Asked once, so that a filter that means nothing is told of now.
    count = store.sessions.count(words)
    new = store.filters.add(name, words)
    if as_json:
        emit({"name": name, "query": words, "new": new, "sessions": count})
    else:
        narrate(f"{'Saved' if new else 'Replaced'}: {name}. It finds {count:,} of your sessions now.")


@command.command("remove")
@click.argument("name")
@json_option
@click.pass_context
def remove(context: click.Context, name: str, as_json: bool) -> None:
    """Forget the filter NAME."""
    open_store(context, to_read=True).filters.remove(name)
    if as_json:
        emit({"name": name, "removed": True})
    else:
        narrate(f"Removed: {name}.")
