"""What the command palette offers, loaded when it is opened: the first paint goes without it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from textual.app import App, SystemCommand
from textual.screen import Screen

from turnwise.tui.shell.shell import Shell

if TYPE_CHECKING:
    from textual.command import Provider


def palette_provider() -> type[Provider]:
    """Return what answers what is typed into the palette."""
    from turnwise.tui.app.commands import Commands

    return Commands


def screen_commands(shell: Shell, app: App[Any], screen: Screen[Any]) -> Iterable[SystemCommand]:
    """Return the actions of a screen and of the app. shell and app: both are the app."""
    from turnwise.tui.app.commands import commands_of

    return (offer.command for offer in commands_of(shell, app, screen))
