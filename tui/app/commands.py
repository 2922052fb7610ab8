"""What the command palette offers beside the actions of a screen: sessions, turns and themes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from textual.app import App, SystemCommand
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.screen import ModalScreen, Screen

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import SessionRow
from turnwise.conversations.words import counted
from turnwise.tui.actions import Place
from turnwise.tui.actions.places import NUMBERED
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.settings.settings import THEME_NAMES
from turnwise.tui.settings.themes import PREFIX
from turnwise.tui.shell.shell import Shell, ShellOfApp

SECONDS_OF_QUIET = 0.08
"""Sessions are looked for when nothing was typed for so long."""
MOST_SESSIONS = 12
LEAST_LETTERS = 2
NAME_CELLS = 60

_NUMBER = re.compile(r"\d+")
_OPENING = re.compile(r"^\s*(?:open\b)?\s*(?:sessions?\b)?", re.IGNORECASE)


class Commands(Provider):
    """Actions of the screen first, then turns, sessions and themes."""

    shell = ShellOfApp()

    @property
    def _jump(self) -> Callable[[int], object] | None:
        jump: Callable[[int], object] | None = getattr(self.screen, "jump_to_turn", None)
        return jump

    def _actions(self) -> Iterator[SystemCommand]:
        yield from self.app.get_system_commands(self.screen)
        for name in THEME_NAMES:
            if self.app.theme != PREFIX + name:
                change = partial(self.shell.take_theme, name)
                yield SystemCommand(f"theme {name}", "Kept in your settings.", change)

    async def discover(self) -> Hits:
        """Offer all that can be done here, and say what may be typed."""
        actions = list(self._actions())
        for command in actions:
            if not command.title.startswith("theme "):
                yield DiscoveryHit(Content(command.title), command.callback, help=command.help)
        if self._jump:
            yield DiscoveryHit("go to turn …", lambda: None, help="Type its number.")
        yield DiscoveryHit("open session …", lambda: None, help="Type its number, or words of it.")
        for command in actions:
            if command.title.startswith("theme "):
                yield DiscoveryHit(Content(command.title), command.callback, help=command.help)

    async def search(self, query: str) -> Hits:
        """Offer the actions and themes that the query names, and the turn and the sessions."""
        matcher = self.matcher(query)
        for command in self._actions():
            if (match := matcher.match(command.title)) > 0:
                yield Hit(match, matcher.highlight(command.title), command.callback, help=command.help)
        if match_of_number := _NUMBER.search(query):
            number = int(match_of_number[0])
            if jump := self._jump:
                # Before the session of the same number: here one reads turns.
                yield Hit(1.1, f"go to turn {number}", partial(jump, number), help="In this session.")
            open_it = partial(self.shell.open_session, number)
            yield Hit(1.0, f"open session {number}", open_it, help="Read it and its scores.")
        async for hit in self._sessions(query, match_of_number[0] if match_of_number else ""):
            yield hit

    async def _sessions(self, query: str, number: str) -> Hits:
        """Offer the sessions that the words of the query are found in."""
        words = [word.replace('"', "") for word in _OPENING.sub("", query, count=1).split()]
        if len("".join(words)) < LEAST_LETTERS or words == [number]:
            return
        # The next key ends this search, so that the store is asked only when typing pauses.
        await asyncio.sleep(SECONDS_OF_QUIET)
        quoted = " ".join(f'"{word}"' for word in words if word)
        try:
            rows = await asyncio.to_thread(self.shell.store.sessions.page, quoted, 0, MOST_SESSIONS)
        except TurnwiseError:
            return
        for place, row in enumerate(rows):
            yield Hit(
                # Below every action that the words name, in the order of the list.
                0.2 - place / 100,
                Content(f"open session {row.id} · {session_words(row)}"),
                partial(self.shell.open_session, row.id),
                text=f"open session {row.id}",
                help=counted(row.turns, "turn"),
            )


def session_words(row: SessionRow) -> str:
    """Return a session's name on one line, cut short."""
    from turnwise.tui.parts.wrapping import fit

    return fit(make_safe_line(row.name[: 4 * NAME_CELLS]) or "without a name", NAME_CELLS).rstrip()


def commands_of(shell: Shell, app: App[Any], screen: Screen[Any]) -> Iterator[SystemCommand]:
    """Yield what can be done on a screen: its own actions first, then what the app does everywhere.

    shell and app: both are the app.
    """
    place: Place = getattr(screen, "PLACE", "everywhere")
    names = {action.name for action in shell.actions[place]}
    # Those of the line of keys first.
    for action in sorted(shell.actions[place], key=lambda action: action.rank or 100):
        answering = getattr(screen, action.target) if action.target and not action.is_move else screen
        method = getattr(answering, f"action_{action.name}", None)
        if action.is_move or method is None or screen.check_action(action.name, ()) is False:
            continue
        yield SystemCommand(f"{action.title} ({action.key_text})", action.help, method)
    if isinstance(screen, LibraryScreen):
        for title, about, take in screen.commands():
            yield SystemCommand(title, about, take)
    everywhere = {"help": shell.action_help, "jump": shell.action_jump}
    for action in shell.actions["everywhere"]:
        if action.name in everywhere:
            title = f"{action.title} ({action.key_text})"
            yield SystemCommand(title, action.help, everywhere[action.name])
    if "judge" not in names:
        yield SystemCommand("judge", "Choose the model that judges.", shell.action_choose_judge)
    if not isinstance(screen, ModalScreen):
        for one in NUMBERED:
            if one.action not in names and place not in (one.place, *one.parts):
                yield SystemCommand(one.title.lower(), one.help, partial(shell.places.go, one.place))
        if "compare" not in names and place not in ("compare", "pair"):
            words = "Compare two runs, and read what flipped."
            yield SystemCommand("compare", words, partial(shell.places.go, "compare"))
    yield from shell.tour_commands()
    if shell.runs.under_way and "stop" not in names:
        yield SystemCommand("stop the run", "What is scored is kept.", shell.action_stop_run)
    if "quit_soon" not in names:
        yield SystemCommand("quit", "Leave turnwise.", app.action_quit)
