"""Label files: what people said goes into a file for git to keep, and comes in again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from textual.screen import Screen

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.conversations.store import Store
from turnwise.conversations.words import counted
from turnwise.tui.parts.naming_dialog import NamingDialog
from turnwise.tui.parts.notice import note
from turnwise.tui.shell.shell import Shell


async def write_labels(screen: Screen[Any], shell: Shell) -> None:
    """Write all labels with their history into a CSV or YAML. Call it from a worker."""
    from turnwise.engine.people.label_set_files import write_label_set
    from turnwise.engine.people.label_sets import label_set_of

    about = "All that people ever said, as .csv or .yaml, for git to keep and for other databases to take in."

    def write(path: Path) -> str:
        count = write_label_set(label_set_of(shell.store), path)
        return f"{counted(count, 'label')} in {make_safe_line(str(path))}."

    title, kept = "Write all labels into a file", shell.kept_dialogs
    ask = partial(kept.of, NamingDialog, title, about, what="a path", does="write")
    await _do_with_file(screen, ask, "labels.csv", write)


async def bring_in_labels(screen: Screen[Any], shell: Shell) -> bool:
    """Bring in a label set, or what a page that was handed out saved; return whether that went well.

    Call it from a worker.
    """
    about = "A .csv or .yaml of labels, or the file that a page of a queue saved."
    title, kept = "Bring in a file of labels", shell.kept_dialogs
    ask = partial(kept.of, NamingDialog, title, about, what="a path", does="bring in")
    return await _do_with_file(screen, ask, "", partial(_taken, shell.store))


async def _do_with_file(
    screen: Screen[Any], ask: Callable[..., NamingDialog], name: str, do: Callable[[Path], str]
) -> bool:
    """Ask for a path until something could be done with it, or nothing is to be done; return which.

    What was typed stays there to be mended. do: returns what is told of it.
    """
    typed: str | None = name
    wrong = ""
    while (typed := await screen.app.push_screen_wait(ask(name=typed, wrong=wrong))) is not None:
        try:
            words = await asyncio.to_thread(do, _path(typed))
        except (TurnwiseError, OSError) as error:
            wrong = str(error)
        else:
            note(screen, make_safe(words))
            return True
    return False


def tell_of(screen: Screen[Any], shell: Shell, error: TurnwiseError | OSError) -> None:
    """Tell why a file could not be read or written."""
    if isinstance(error, TurnwiseError):
        shell.tell_error(error)
    else:
        note(screen, make_safe(str(error)))


def _path(typed: str) -> Path:
    return Path(typed).expanduser()


def _taken(store: Store, path: Path) -> str:
    """Take a file in, and say what became of it."""
    from turnwise.engine.people.handed_labels import read_labels, take_labels
    from turnwise.engine.people.label_set_files import SUFFIXES, read_label_set
    from turnwise.engine.people.label_sets import take_label_set

    if path.suffix.lower() in SUFFIXES:
        found = take_label_set(store, read_label_set(path))
        by = f" by {', '.join(found.authors)}" if found.authors else ""
        said = f"{counted(found.new, 'new label')} of {counted(len(found.sessions), 'session')}{by}"
        known, refused = found.unchanged, found.refused
    else:
        taken = take_labels(store, read_labels(path))
        said, known, refused = taken.words, len(taken.unchanged), taken.refused
    told = [f", {known:,} known already" if known else ""]
    told += [f", {len(refused):,} refused: {refused[0]}"] if refused else []
    return f"{said}{''.join(told)}."
