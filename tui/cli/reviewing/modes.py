"""turnwise modes: the ways to go wrong that people named, where they were found, and how often they occur."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.store import FailureMode, Store
from turnwise.engine.judge.usual_judge import within_limits
from turnwise.tui.cli.interrupts import run_async
from turnwise.tui.cli.options import CommandGroup, chosen_sessions, json_option, open_store
from turnwise.tui.cli.output import Progress, columns, emit, narrate, say
from turnwise.tui.drawing.bars import scale
from turnwise.tui.failure_modes.mode_words import UNDEFINED, count_words, interval, rate_bar, share_words
from turnwise.tui.settings.settings import labeller, load_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from turnwise.conversations.store import FailureMode, ModeRate, NoteRow, Store
    from turnwise.engine.people.failure_modes import ProposedMode


_EPILOG = """\b
Examples:
  turnwise modes
  turnwise modes --by role
  turnwise modes --by meta.language
  turnwise modes unseen
  turnwise modes notes --uncoded
  turnwise modes add 'asks again' 'It asks for something that the user said before.'
  turnwise modes assign 'asks again' 12 15 --turn 4
  turnwise modes assign 'asks again' 'label:fail "account number"'
  turnwise modes history 'asks again'
  turnwise modes propose --judge embedded
  turnwise sessions 'mode:"asks again"'

\b
First read 30 to 50 conversations and write a note on the first failure of each. Then
name what the notes have in common. A share is of the sessions that people reviewed:
labelled pass or fail, or given a failure mode, over all runs. `turnwise overview` says it
of the newest run too.
"""
_Told = tuple[str, dict[str, object]]
"""What a change came to, in words and as JSON-ready values."""
_BAR = 20
_author = click.option("--author", help="Who does it; default: as in the settings, or your user name.")
_EMPTY = (
    "There are no failure modes yet. Read 30 to 50 sessions first and note the first failure of each "
    "(`turnwise label 12 fail --note TEXT`, or the app); `turnwise modes notes` lists the notes, "
    "and `turnwise modes add NAME DEFINITION` names what they have in common."
)


@click.group("modes", cls=CommandGroup, invoke_without_command=True, epilog=_EPILOG)
@click.option(
    "--by", metavar="GROUP", help="Count within each role, tag, source, model, scenario or meta.KEY."
)
@json_option
@click.pass_context
def command(context: click.Context, by: str | None, as_json: bool) -> None:
    """Count the failure modes, or name, change and assign them."""
    if context.invoked_subcommand is not None:
        return
    store = open_store(context, to_read=True)
    modes = {mode.id: mode for mode in store.modes.all()}
    rates = store.modes.rates(by)
    if as_json:
        for rate in rates:
            emit(_rate_data(rate, modes[rate.mode_id], by))
        return
    if not rates:
        narrate(_EMPTY if not modes else "No session has a failure mode yet.")
        return
    head = [
        "failure mode",
        *([by] if by else []),
        "sessions",
        "share (interval)",
        scale(_BAR),
        "definition",
    ]
    rows = [
        [
            rate.name,
            *([rate.group or "(none)"] if by else []),
            count_words(rate),
            share_words(rate),
            rate_bar(rate, _BAR),
            modes[rate.mode_id].definition or UNDEFINED,
        ]
        for rate in rates
    ]
    places = frozenset({2, 3} if by else {1, 2})
    for line in columns([head, *rows], right=places, most=72):
        say(line)


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


@command.command("unseen")
@json_option
@click.pass_context
def tell_unseen(context: click.Context, as_json: bool) -> None:
    """Say whether reading on still shows failure modes that nobody saw, by all reviews so far."""
    from turnwise.engine.people.unseen_modes import NO_MODES, unseen_modes, unseen_words

    found = unseen_modes(open_store(context, to_read=True))
    if found is None:
        emit({"kinds": 0}) if as_json else narrate(NO_MODES)
    elif as_json:
        emit({**asdict(found), "has_stopped": found.has_stopped})
    else:
        for sentence in unseen_words(found):
            say(sentence)


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
    for mode in run_async(_proposed(store, notes, spec)):
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
    from turnwise.engine.models.choose import choose_model
    from turnwise.engine.people.failure_modes import propose_from_store

    settings = await choose_model(spec)
    if settings is None:
        raise SettingError("Grouping notes needs a judge", next_step="Name one with --judge.")
    settings = within_limits(settings, load_settings())
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


def _change(name: str, *examples: str) -> Callable[[Callable[..., _Told]], click.Command]:
    """Make a command under `turnwise modes` of a function that changes modes, and returns what it came to.

    The function is given the store, who makes the change, and what was typed.
    """

    def make(change: Callable[..., _Told]) -> click.Command:
        @click.pass_context
        def run(context: click.Context, /, author: str | None, as_json: bool, **typed: Any) -> None:
            # A database that is not there has no modes to change, but may get its first.
            store = open_store(context, to_read=name != "add")
            words, data = change(store, labeller(author), **typed)
            if as_json:
                emit(data)
            else:
                say(words)

        run.__doc__ = change.__doc__
        lines = "\n".join(f"  turnwise modes {name} {example}".rstrip() for example in examples)
        made = click.command(name, epilog=f"\b\nExamples:\n{lines}\n")(_author(json_option(run)))
        # What the function itself takes comes first; decorators leave it last first.
        made.params[:0] = reversed(getattr(change, "__click_params__", []))
        command.add_command(made)
        return made

    return make


@_change("add", "'asks again' 'It asks for something that the user said before.'")
@click.argument("name")
@click.argument("definition")
def add_mode(store: Store, who: str, name: str, definition: str) -> _Told:
    """Name a failure mode; DEFINITION is one sentence that says when it applies."""
    mode = store.modes.get(store.modes.add(name, definition, who))
    return f"Added {mode.name}.", _mode_data(mode)


@_change("rename", "'asks again' forgets")
@click.argument("name")
@click.argument("new")
def rename_mode(store: Store, who: str, name: str, new: str) -> _Told:
    """Call the failure mode NAME by NEW from now on."""
    was = store.modes.find(name)
    store.modes.rename(was.id, new, who)
    mode = store.modes.get(was.id)
    return f"{was.name} is called {mode.name} now.", {**_mode_data(mode), "was": was.name}


@_change("define", "'asks again' 'It asks for what the user said at least two turns before.'")
@click.argument("name")
@click.argument("definition")
def define_mode(store: Store, who: str, name: str, definition: str) -> _Told:
    """Say anew when the failure mode NAME applies."""
    was = store.modes.find(name)
    store.modes.define(was.id, definition, who)
    mode = store.modes.get(was.id)
    return f"{mode.name}: {mode.definition}", _mode_data(mode)


@_change("merge", "forgets 'asks again'")
@click.argument("name")
@click.argument("into")
def merge_mode(store: Store, who: str, name: str, into: str) -> _Told:
    """Let the failure mode NAME count as INTO from now on."""
    mode, other = store.modes.find(name), store.modes.find(into)
    store.modes.merge(mode.id, other.id, who)
    kept = store.modes.get(other.id)
    return f"{mode.name} counts as {kept.name} now.", {**_mode_data(kept), "took_in": mode.name}


@_change("retire", "'asks again'")
@click.argument("name")
def retire_mode(store: Store, who: str, name: str) -> _Told:
    """Take the failure mode NAME out of use; what it was assigned to is kept and counts no more."""
    mode = store.modes.find(name)
    store.modes.retire(mode.id, who)
    return f"{mode.name} is retired.", {**_mode_data(mode), "retired": True}


@_change("assign", "'asks again' 12 15 --turn 4", "'asks again' 'label:fail \"account number\"'")
@click.argument("name")
@click.argument("sessions", nargs=-1, required=True)
@click.option("--turn", type=click.IntRange(min=1), help="The turn at which it shows.")
@click.option("--remove", is_flag=True, help="Take it from the sessions instead.")
def assign_mode(
    store: Store, who: str, name: str, sessions: tuple[str, ...], turn: int | None, remove: bool
) -> _Told:
    """Give SESSIONS, by their numbers or a query, the failure mode NAME."""
    if remove and turn is not None:
        raise SettingError("--remove goes without --turn", next_step="Leave out one of the two.")
    mode = store.modes.find(name)
    chosen = chosen_sessions(store, sessions)
    for row in store.sessions.rows(chosen) if turn is not None else ():
        if turn is not None and row.turns < turn:
            raise NotFoundError(
                f"Session {row.id} has no turn {turn}", next_step=f"Its last one is turn {row.turns}."
            )
    if remove:
        count = store.modes.unassign(chosen, mode.id, who)
        words = f"{mode.name}: taken from {_counted(count)}."
    else:
        count = store.modes.assign(chosen, mode.id, who, turn=turn)
        there = f", {len(chosen) - count:,} had it already" if count < len(chosen) else ""
        words = f"{mode.name}: assigned to {_counted(count)}{there}."
    return words, {"mode": mode.name, "chosen": len(chosen), "removed" if remove else "assigned": count}


@_change("undo", "", "--redo")
@click.option("--redo", is_flag=True, help="Make the change again that was undone last.")
def undo_change(store: Store, who: str, redo: bool) -> _Told:
    """Take back your newest change to failure modes or to the sessions they are assigned to."""
    change = store.modes.redo(who) if redo else store.modes.undo(who)
    if change is None:
        raise NotFoundError(f"There is nothing that {who} could {'redo' if redo else 'undo'}")
    done = "Made again" if redo else "Taken back"
    return change.told(done), {"redone" if redo else "undone": change.words}


def _mode_data(mode: FailureMode) -> dict[str, object]:
    return {
        "mode": mode.name,
        "definition": mode.definition,
        "author": mode.author,
        "proposed_by": mode.proposed_by or None,
    }


def _counted(count: int) -> str:
    return f"{count:,} session{'s' * (count != 1)}"
