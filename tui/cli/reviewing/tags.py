"""turnwise tags: the words that sort sessions; in the app: t in the library."""

from __future__ import annotations

import click

from turnwise.conversations.errors import SettingError
from turnwise.tui.cli.options import CommandGroup, chosen_sessions, json_option, open_store
from turnwise.tui.cli.output import columns, emit, narrate, say

_EPILOG = """\b
Examples:
  turnwise tags
  turnwise tags give billing 12 15-20
  turnwise tags give billing 'invoice label:fail'
  turnwise tags take billing 12
  turnwise sessions tag:billing
"""


@click.group("tags", cls=CommandGroup, invoke_without_command=True, epilog=_EPILOG)
@json_option
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """List the tags and how many sessions have each; give or take them."""
    if context.invoked_subcommand is not None:
        return
    counts = open_store(context, to_read=True).tags.counts()
    if as_json:
        for tag, count in counts.items():
            emit({"tag": tag, "sessions": count})
        return
    if not counts:
        narrate("There are no tags yet: turnwise tags give TAG SESSIONS")
        return
    rows = [[tag, f"{count:,}"] for tag, count in counts.items()]
    for line in columns([["tag", "sessions"], *rows], right=frozenset({1})):
        say(line)


@command.command("give")
@click.argument("tag")
@click.argument("sessions", nargs=-1, required=True)
@json_option
@click.pass_context
def give(context: click.Context, tag: str, sessions: tuple[str, ...], as_json: bool) -> None:
    """Give SESSIONS, by their numbers or a query, the tag TAG."""
    _change(context, tag, sessions, gives=True, as_json=as_json)


@command.command("take")
@click.argument("tag")
@click.argument("sessions", nargs=-1, required=True)
@json_option
@click.pass_context
def take(context: click.Context, tag: str, sessions: tuple[str, ...], as_json: bool) -> None:
    """Take the tag TAG from SESSIONS."""
    _change(context, tag, sessions, gives=False, as_json=as_json)


def _change(
    context: click.Context, named: str, sessions: tuple[str, ...], *, gives: bool, as_json: bool
) -> None:
    tag = " ".join(named.split())
    if not tag:
        raise SettingError("A tag needs a name", next_step="For example: turnwise tags give billing 12")
    store = open_store(context, to_read=True)
    chosen = chosen_sessions(store, sessions)
    change = store.tags.change(chosen, give=[tag] if gives else (), take=() if gives else [tag])
    if as_json:
        emit({"tag": tag, "chosen": len(chosen), "given" if gives else "taken": change.sessions})
    else:
        done = f"{change.sessions:,} session{'s' * (change.sessions != 1)}"
        say(f"{tag}: given to {done}." if gives else f"{tag}: taken from {done}.")
