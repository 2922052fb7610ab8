"""Asking: what cannot be taken back is asked for first, and refused where nobody can answer."""

from __future__ import annotations

import sys

import click

from turnwise.conversations.errors import SettingError
from turnwise.tui.cli.output import narrate


def ask_first(about: str, question: str, *, next_step: str, detail: str = "") -> None:
    """Ask whether to go on, and end the command with exit code 1 where the answer is no.

    about: what would happen, as a sentence without its full stop. Raises SettingError with the next step
    where standard input is no terminal.
    """
    if not sys.stdin.isatty():
        raise SettingError(about, detail=detail, next_step=next_step)
    go_on_or_end(" ".join(part for part in (f"{about}.", detail, question) if part))


def go_on_or_end(words: str) -> None:
    """Ask at the terminal whether to go on, and end the command with exit code 1 where the answer is no."""
    if not click.confirm(words, err=True):
        narrate("Nothing was changed.")
        raise click.exceptions.Exit(1)
