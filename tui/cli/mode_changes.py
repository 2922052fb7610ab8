"""Changes of failure modes: the commands under `turnwise modes` that write, each told in words or JSON."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.store import Store
from turnwise.conversations.store.mode_rows import FailureMode
from turnwise.tui.cli.options import chosen_sessions, json_option, open_store
from turnwise.tui.cli.output import emit, say
from turnwise.tui.labeller import labeller

Told = tuple[str, dict[str, object]]
"""What a change came to, in words and as JSON-ready values."""
_author = click.option("--author", help="Who does it; default: as in the settings, or your user name.")


def _change(name: str, *examples: str) -> Callable[[Callable[..., Told]], click.Command]:
    """Make a command of a function that is given the store, who makes the change, and what was typed."""

    def make(change: Callable[..., Told]) -> click.Command:
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
        command = click.command(name, epilog=f"\b\nExamples:\n{lines}\n")(_author(json_option(run)))
        # What the function itself takes comes first; decorators leave it last first.
        command.params[:0] = reversed(getattr(change, "__click_params__", []))
        return command

    return make


@_change("add", "'asks again' 'It asks for something that the user said before.'")
@click.argument("name")
@click.argument("definition")
def add_mode(store: Store, who: str, name: str, definition: str) -> Told:
    """Name a failure mode; DEFINITION is one sentence that says when it applies."""
    mode = store.modes.get(store.modes.add(name, definition, who))
    return f"Added {mode.name}.", _mode_data(mode)


@_change("rename", "'asks again' forgets")
@click.argument("name")
@click.argument("new")
def rename_mode(store: Store, who: str, name: str, new: str) -> Told:
    """Call the failure mode NAME by NEW from now on."""
    was = store.modes.find(name)
    store.modes.rename(was.id, new, who)
    mode = store.modes.get(was.id)
    return f"{was.name} is called {mode.name} now.", {**_mode_data(mode), "was": was.name}


@_change("define", "'asks again' 'It asks for what the user said at least two turns before.'")
@click.argument("name")
@click.argument("definition")
def define_mode(store: Store, who: str, name: str, definition: str) -> Told:
    """Say anew when the failure mode NAME applies."""
    was = store.modes.find(name)
    store.modes.define(was.id, definition, who)
    mode = store.modes.get(was.id)
    return f"{mode.name}: {mode.definition}", _mode_data(mode)


@_change("merge", "forgets 'asks again'")
@click.argument("name")
@click.argument("into")
def merge_mode(store: Store, who: str, name: str, into: str) -> Told:
    """Let the failure mode NAME count as INTO from now on."""
    mode, other = store.modes.find(name), store.modes.find(into)
    store.modes.merge(mode.id, other.id, who)
    kept = store.modes.get(other.id)
    return f"{mode.name} counts as {kept.name} now.", {**_mode_data(kept), "took_in": mode.name}


@_change("retire", "'asks again'")
@click.argument("name")
def retire_mode(store: Store, who: str, name: str) -> Told:
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
) -> Told:
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
def undo_change(store: Store, who: str, redo: bool) -> Told:
    """Take back your newest change to failure modes or to the sessions they are assigned to."""
    change = store.modes.redo(who) if redo else store.modes.undo(who)
    if change is None:
        raise NotFoundError(f"There is nothing that {who} could {'redo' if redo else 'undo'}")
    done = "Made again" if redo else "Taken back"
    return f"{done}: {change.words}.", {"redone" if redo else "undone": change.words}


CHANGES = (
    add_mode,
    assign_mode,
    define_mode,
    merge_mode,
    rename_mode,
    retire_mode,
    undo_change,
)


def _mode_data(mode: FailureMode) -> dict[str, object]:
    return {
        "mode": mode.name,
        "definition": mode.definition,
        "author": mode.author,
        "proposed_by": mode.proposed_by or None,
    }


def _counted(count: int) -> str:
    return f"{count:,} session{'s' * (count != 1)}"
