"""turnwise forget: sessions leave the database, with all that rests on them; in the app: D in the library."""

from __future__ import annotations

import click

from turnwise.conversations.store import Stakes
from turnwise.tui.cli.asking import ask_first
from turnwise.tui.cli.options import chosen_sessions, json_option, open_store
from turnwise.tui.cli.output import Progress, emit, narrate
from turnwise.tui.session_lists.stakes_words import stakes_words

_EPILOG = """\b
Examples:
  turnwise forget 12 15-20
  turnwise forget 'source:wrong.jsonl'
  turnwise forget tag:private --yes

\b
With a session go its turns, scores, labels, failure modes and places in
queues, and what the judge was asked about it. Files stay: those that it came
from or was exported to, backups, and criteria with its words as an example.
It comes in again when its file is imported again.

\b
To keep it elsewhere first, with its scores and labels:
  turnwise export 12 --to jsonl --output kept.jsonl
"""


@click.command("forget", epilog=_EPILOG)
@click.argument("query", nargs=-1)
@click.option("--all", "everything", is_flag=True, help="All sessions.")
@click.option("--yes", is_flag=True, help="Without being asked.")
@json_option
@click.pass_context
def command(
    context: click.Context, query: tuple[str, ...], everything: bool, yes: bool, as_json: bool
) -> None:
    """Take sessions out of the database: those that match QUERY, those whose numbers are given, or --all.

    They cannot be brought back: only the app brings back what it forgot itself, until one
    leaves it. Says first what goes with them, and asks.
    """
    store = open_store(context, to_read=True)
    chosen = chosen_sessions(store, query, everything=everything)
    if not yes:
        ask_first(
            f"{stakes_words(store.forgetting.stakes(chosen))} would be forgotten, and cannot be brought back",
            "Forget them?",
            next_step="Add --yes if that is meant; `turnwise export` keeps them in a file first.",
        )
    progress = Progress()
    try:
        forgotten = store.forgetting.forget(
            chosen, tell=lambda done: progress.show(f"{done:,} of {len(chosen):,} sessions")
        ).stakes
    finally:
        progress.clear()
    if as_json:
        emit(_data(forgotten))
    else:
        narrate(f"Forgotten: {stakes_words(forgotten)}.")


def _data(stakes: Stakes) -> dict[str, int]:
    return {
        "sessions": stakes.sessions,
        "scores": stakes.scores,
        "labels": stakes.labels,
        "failure_modes": stakes.modes,
        "preferences": stakes.preferences,
    }
