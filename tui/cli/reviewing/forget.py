"""turnwise forget: sessions leave the database, with all that rests on them; in the app: D in the library."""

from __future__ import annotations

import click

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.store import Stakes, Store
from turnwise.tui.cli.asking import ask_first
from turnwise.tui.cli.options import chosen_sessions, json_option, open_store
from turnwise.tui.cli.output import Progress, emit, narrate
from turnwise.tui.importing.taken_back_words import roles_words, source_words, stays_words, taken_back_words
from turnwise.tui.parts.words import moment
from turnwise.tui.session_lists.stakes_words import stakes_words

_EPILOG = """\b
Examples:
  turnwise forget 12 15-20
  turnwise forget 'source:wrong.jsonl'
  turnwise forget tag:private --yes
  turnwise forget --last-import

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
@click.option(
    "--last-import",
    "last_import",
    is_flag=True,
    help="Those that the last import brought in, and the roles that it gave to others; what was labelled, "
    "tagged, queued or scored since stays.",
)
@click.option("--yes", is_flag=True, help="Without being asked.")
@json_option
@click.pass_context
def command(
    context: click.Context,
    query: tuple[str, ...],
    everything: bool,
    last_import: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Take sessions out of the database: those that match QUERY, those whose numbers are given, or --all.

    They cannot be brought back: only the app brings back what it forgot itself, until one
    leaves it. Says first what goes with them, and asks.
    """
    store = open_store(context, to_read=True)
    if last_import:
        if query or everything:
            raise SettingError(
                "--last-import goes without a query and --all", next_step="Leave out one of the two."
            )
        _take_import_back(store, yes=yes, as_json=as_json)
        return
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


def _take_import_back(store: Store, *, yes: bool, as_json: bool) -> None:
    brought = store.taking_back.newest()
    if brought is None:
        raise NotFoundError(
            "No import is known that could be taken back",
            next_step="Name its sessions: `turnwise forget 'source:FILE'` finds those of a file.",
        )
    would = store.taking_back.look(brought)
    if would.is_nothing:
        raise NotFoundError(
            taken_back_words(would, brought).removesuffix("."),
            next_step="`turnwise sessions` lists what there is; `turnwise forget` takes any out by number.",
        )
    if not yes:
        go = f"{stakes_words(would.stakes)} would be forgotten" if would.stakes.sessions else ""
        loses = f"{roles_words(would)} would go" if would.roles else ""
        ask_first(
            f"{' and '.join(part for part in (go, loses) if part)}, of {source_words(brought)}, imported "
            f"{moment(brought.at)}",
            "Forget them?" if go else "Take it back?",
            detail=stays_words(would, brought),
            next_step="Add --yes if that is meant.",
        )
    progress = Progress()
    try:
        taken = store.taking_back.take_back(
            brought, tell=lambda done: progress.show(f"{done:,} of {len(brought.sessions):,} sessions")
        )
    finally:
        progress.clear()
    if as_json:
        stays = {"kept": dict(taken.kept), "there_before": brought.there_before}
        roles = {"roles": taken.roles, "roles_kept": taken.roles_kept}
        emit({**_data(taken.stakes), **stays, **roles})
    else:
        narrate(taken_back_words(taken, brought))


def _data(stakes: Stakes) -> dict[str, int]:
    return {
        "sessions": stakes.sessions,
        "scores": stakes.scores,
        "labels": stakes.labels,
        "failure_modes": stakes.modes,
        "preferences": stakes.preferences,
    }
