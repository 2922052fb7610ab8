"""turnwise modes: the ways to go wrong that people named, where they were found, and how often they occur."""

from __future__ import annotations

import asyncio
import shlex
import time
from typing import TYPE_CHECKING, Literal, cast

import click

from turnwise.conversations.errors import SettingError
from turnwise.tui.cli.mode_changes import CHANGES
from turnwise.tui.cli.options import Commands, json_option, open_store
from turnwise.tui.cli.output import Progress, columns, emit, narrate, say
from turnwise.tui.mode_words import bar, count_words, interval, share_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from turnwise.conversations.store import Store
    from turnwise.conversations.store.mode_rows import FailureMode, ModeRate, NoteRow
    from turnwise.engine.failure_modes import ProposedMode

_EPILOG = """\b
Examples:
  turnwise modes
  turnwise modes --by role
  turnwise modes notes --uncoded
  turnwise modes add 'asks again' 'It asks for something that the user said before.'
  turnwise modes assign 'asks again' 12 15 --turn 4
  turnwise modes assign 'asks again' 'label:fail "account number"'
  turnwise modes history 'asks again'
  turnwise modes propose --judge embedded
  turnwise sessions 'mode:"asks again"'

\b
First read 30 to 50 conversations and write a note on the first failure of each. Then
name what the notes have in common. A share is of the sessions that somebody reviewed:
labelled pass or fail, or given a failure mode.
"""
_BAR = 20
_EMPTY = (
    "There are no failure modes yet. Read 30 to 50 conversations first and note the first failure of each "
    "(`turnwise label 12 fail --note TEXT`, or the app); `turnwise modes notes` lists the notes, "
    "and `turnwise modes add NAME DEFINITION` names what they have in common."
)


@click.group("modes", cls=Commands, invoke_without_command=True, epilog=_EPILOG)
@click.option("--by", type=click.Choice(["role", "tag"]), help="Count within each role or tag.")
@json_option
@click.pass_context
def command(context: click.Context, by: str | None, as_json: bool) -> None:
    """Count the failure modes, or name, change and assign them."""
    if context.invoked_subcommand is not None:
        return
    store = open_store(context, to_read=True)
    group = cast('Literal["role", "tag"] | None', by)
    modes = {mode.id: mode for mode in store.modes.all()}
    rates = store.modes.rates(group)
    if as_json:
        for rate in rates:
            emit(_rate_data(rate, modes[rate.mode_id], by))
        return
    if not rates:
        narrate(_EMPTY if not modes else "No session has a failure mode yet.")
        return
    most = max(rate.share for rate in rates) or 1.0
    head = ["failure mode", *([by] if by else []), "sessions", "share (95%)", "", "definition"]
    rows = [
        [
            rate.name,
            *([rate.group or "(none)"] if by else []),
            count_words(rate),
            share_words(rate),
            bar(rate.share / most, _BAR),
            modes[rate.mode_id].definition,
        ]
        for rate in rates
    ]
    places = frozenset({2, 3} if by else {1, 2})
    for line in columns([head, *rows], right=places, most=72):
        say(line)


for _one in CHANGES:
    command.add_command(_one)


def _rate_data(rate: ModeRate, mode: FailureMode, by: str | None) -> dict[str, object]:
    low, high = interval(rate) or (None, None)
    return {
        "mode": rate.name,
        "definition": mode.definition,
        **({by: rate.group} if by else {}),
        "sessions": rate.sessions,
        "reviewed": rate.reviewed,
        "share": rate.share if rate.reviewed else None,
        "low": low,
        "high": high,
        "author": mode.author,
        "proposed_by": mode.proposed_by or None,
    }


@command.command("history")
@click.argument("name")
@json_option
@click.pass_context
def mode_history(context: click.Context, name: str, as_json: bool) -> None:
    """Print all that happened to the failure mode NAME, oldest first."""
    store = open_store(context, to_read=True)
    events = store.modes.history(store.modes.find(name).id)
    if as_json:
        for event in events:
            emit(
                {
                    "at": event.at,
                    "author": event.author,
                    "what": event.what,
                    "text": event.text or None,
                    "sessions": event.sessions or None,
                    "again": event.again or None,
                }
            )
        return
    rows = [
        [time.strftime("%Y-%m-%d %H:%M", time.localtime(event.at)), event.author, event.words]
        for event in events
    ]
    for line in columns(rows, most=100):
        say(line)


@command.command("notes")
@click.option("--uncoded", is_flag=True, help="Only of sessions without a failure mode.")
@json_option
@click.pass_context
def list_notes(context: click.Context, uncoded: bool, as_json: bool) -> None:
    """List the notes that people wrote: what failure modes are made from."""
    store = open_store(context, to_read=True)
    notes = store.modes.notes(uncoded=uncoded)
    if as_json:
        for row in notes:
            emit(
                {
                    "session": row.session_id,
                    "turn": row.turn,
                    "label": row.label,
                    "note": row.note,
                    "author": row.author,
                    "at": row.created_at,
                    "modes": list(row.modes),
                }
            )
        return
    if not notes:
        narrate("There are no notes" + (" without a failure mode." if uncoded else " yet."))
        return
    head = ["session", "turn", "label", "note", "author", "failure modes"]
    rows = [
        [
            str(row.session_id),
            str(row.turn or ""),
            row.label or "",
            row.note,
            row.author,
            ", ".join(row.modes),
        ]
        for row in notes
    ]
    for line in columns([head, *rows], right=frozenset({0, 1}), most=72):
        say(line)


@command.command("propose")
@click.option("--judge", "spec", help="Who proposes: as for `turnwise score`.")
@click.option("--all", "everything", is_flag=True, help="Also notes of sessions that have a failure mode.")
@json_option
@click.pass_context
def propose(context: click.Context, spec: str | None, everything: bool, as_json: bool) -> None:
    """Let a judge group the notes into failure modes. Nothing is kept: you add and assign what you accept."""
    store = open_store(context, to_read=True)
    notes = store.modes.notes(uncoded=not everything)
    if not notes:
        raise SettingError(
            "There are no notes to group",
            next_step="Write some: `turnwise label 12 fail --note TEXT`, or in the app.",
        )
    for mode in asyncio.run(_proposed(store, notes, spec)):
        sessions = list(dict.fromkeys(notes[place].session_id for place in mode.notes))
        if as_json:
            emit(
                {
                    "mode": mode.name,
                    "definition": mode.definition,
                    "known": mode.known,
                    "sessions": sessions,
                    "notes": [notes[place].note for place in mode.notes],
                }
            )
            continue
        say(f"{mode.name}{' (there already)' if mode.known else ''}: {mode.definition}")
        for place in mode.notes:
            say(f"  {notes[place].session_id:>6}  {' '.join(notes[place].note.split())[:90]}")
        # The names are a judge's, who read transcripts: whoever copies the line must run nothing else.
        name = shlex.quote(mode.name)
        if not mode.known:
            say(f"  → turnwise modes add {name} {shlex.quote(mode.definition)}")
        say(f"  → turnwise modes assign {name} {' '.join(map(str, sessions))}\n")


async def _proposed(store: Store, notes: Sequence[NoteRow], spec: str | None) -> list[ProposedMode]:
    from turnwise.engine.failure_modes import propose_from_store
    from turnwise.engine.judge.choose import choose_judge

    settings = await choose_judge(spec)
    if settings is None:
        raise SettingError("Grouping notes needs a judge", next_step="Name one with --judge.")
    progress = Progress()
    try:
        return await propose_from_store(
            store,
            notes,
            settings,
            on_progress=lambda done: progress.show(f"{done:,} of {len(notes):,} notes read"),
        )
    finally:
        progress.clear()
