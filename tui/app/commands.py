"""What the command palette offers: the actions of a screen, turns, sessions and themes, a row each."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from rich.cells import cell_len
from textual.app import App, SystemCommand
from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.screen import ModalScreen, Screen

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import SessionRow
from turnwise.conversations.words import counted
from turnwise.tui.actions import Action, Place
from turnwise.tui.actions.places import NUMBERED
from turnwise.tui.actions.synonyms import also_called
from turnwise.tui.app.action_palette import BESIDE_ROWS, ActionPalette
from turnwise.tui.app.live_actions import is_live
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.settings.theme_names import THEME_NAMES
from turnwise.tui.settings.themes import PREFIX
from turnwise.tui.shell.shell import Shell, ShellOfApp

SECONDS_OF_QUIET = 0.08
"""Sessions are looked for when nothing was typed for so long."""
MOST_SESSIONS = 12
LEAST_LETTERS = 2
NAME_CELLS = 60
LEAST_CELLS = 40
"""Of a row of the palette, which is as wide as its words."""
TITLE_CELLS = 18
"""From here on a row says what a command does, where its title leaves the room."""
LEAST_ABOUT = 10
_SOON = ("label_pass", "label_fail", "label_defer", "note", "undo")
_LEAVING = ("back", "quit")
_LEAVING_AT, _UNRANKED = 99, 100
A_LITTLE = 0.01
"""What was taken lately goes before what is as like the words."""

_NUMBER = re.compile(r"\d+")
_OPENING = re.compile(r"^\s*(?:open\b)?\s*(?:sessions?\b)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OfferedCommand:
    """A command. about: one sentence. key: as people write it; empty for none."""

    title: str
    about: str
    do: Callable[[], Any]
    key: str = ""

    @property
    def command(self) -> SystemCommand:
        """The command as Textual knows it."""
        return SystemCommand(f"{self.title} ({self.key})" if self.key else self.title, self.about, self.do)


def open_palette(shell: Shell, app: App[Any]) -> None:
    """Open the palette, as wide as the longest row of what the screen offers, or as the window."""
    if not isinstance(app.screen, ActionPalette):
        longest = max(map(_cells_of, commands_of(shell, app, app.screen)), default=0)
        room = app.size.width - BESIDE_ROWS
        app.push_screen(ActionPalette(max(LEAST_CELLS, min(longest, room))))


def _cells_of(offer: OfferedCommand) -> int:
    """Return how many cells show all of a command."""
    title = max(TITLE_CELLS, cell_len(offer.title) + 2)
    return title + cell_len(offer.about) + 1 + cell_len(offer.key)


def row_of(title: Content, about: str, key: str = "", *, width: int) -> Content:
    """Return a row: a title, in dim words what it does, and the key at the right end."""
    from turnwise.tui.drawing.wrapping import fit

    room = width - cell_len(key) - 1
    if title.cell_length > room:
        title = title.truncate(room, ellipsis=True)
    gap = max(2, TITLE_CELLS - title.cell_length)
    left = room - title.cell_length - gap
    said = fit(make_safe_line(about), left).rstrip() if left >= LEAST_ABOUT else ""
    words = " " * gap + said if said else ""
    rest = " " * (width - title.cell_length - cell_len(words) - cell_len(key))
    return Content.assemble(title, (words, "$text-muted not bold"), rest, (key, "bold"))


class Commands(Provider):
    """Actions of the screen first, then turns, sessions and themes."""

    shell = ShellOfApp()

    @property
    def _jump(self) -> Callable[[int], object] | None:
        jump: Callable[[int], object] | None = getattr(self.screen, "jump_to_turn", None)
        return jump

    def _row(self, title: Content, about: str, key: str = "") -> Content:
        palette = self.app.screen
        cells = palette.row_cells if isinstance(palette, ActionPalette) else LEAST_CELLS
        return row_of(title, about, key, width=cells)

    def _actions(self) -> Iterator[OfferedCommand]:
        yield from commands_of(self.shell, self.app, self.screen)
        for name in THEME_NAMES:
            if self.app.theme != PREFIX + name:
                change = partial(self.shell.looks.take_theme, name)
                yield OfferedCommand(f"theme {name}", "Kept in your settings.", change)

    def _take(self, offer: OfferedCommand) -> Any:
        """Do what a command says, and remember that it was taken."""
        self.shell.used.command(offer.title)
        return offer.do()

    async def discover(self) -> Hits:
        """Offer all that can be done here, what was taken lately first, and say what may be typed."""
        lately = self.shell.used.last.commands
        offers: dict[str, OfferedCommand] = {}
        for offer in self._actions():
            offers.setdefault(offer.title, offer)
        themes = [title for title in offers if title.startswith("theme ")]
        recent = [title for title in lately if title in offers]
        for title in dict.fromkeys([*recent, *(title for title in offers if title not in themes)]):
            yield self._discovered(offers[title])
        if self._jump:
            yield DiscoveryHit(self._row(Content("go to turn …"), "Type its number."), lambda: None)
        yield DiscoveryHit(
            self._row(Content("open session …"), "Type its number, or words of it."), lambda: None
        )
        for title in themes:
            if title not in recent:
                yield self._discovered(offers[title])

    def _discovered(self, offer: OfferedCommand) -> DiscoveryHit:
        row = self._row(Content(offer.title), offer.about, offer.key)
        return DiscoveryHit(row, partial(self._take, offer), text=offer.title)

    async def search(self, query: str) -> Hits:
        """Offer the actions and themes that the query names, and the turn and the sessions."""
        matcher = self.matcher(query)
        lately = self.shell.used.last.commands
        for offer in self._actions():
            if (match := matcher.match(offer.title) or _match_of_help(query, offer)) > 0:
                if offer.title in lately:
                    match += A_LITTLE * (len(lately) - lately.index(offer.title))
                row = self._row(matcher.highlight(offer.title), offer.about, offer.key)
                yield Hit(match, row, partial(self._take, offer), text=offer.title)
        if match_of_number := _NUMBER.search(query):
            number = int(match_of_number[0])
            if jump := self._jump:
                # Before the session of the same number: here one reads turns.
                row = self._row(Content(f"go to turn {number}"), "In this session.")
                yield Hit(1.1, row, partial(jump, number), text=f"go to turn {number}")
            open_it = partial(self.shell.open_session, number)
            row = self._row(Content(f"open session {number}"), "Read it and its scores.")
            yield Hit(1.0, row, open_it, text=f"open session {number}")
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
                self._row(
                    Content(f"open session {row.id} · {session_words(row)}"), "", counted(row.turns, "turn")
                ),
                partial(self.shell.open_session, row.id),
                text=f"open session {row.id}",
            )


def _match_of_help(query: str, offer: OfferedCommand) -> float:
    """Return how well words name what a command does, or what others call it: below any title, and above
    every session.
    """
    words = query.casefold().split()
    said = re.findall(r"\w+", f"{offer.about} {also_called(offer.title)}".casefold())
    named = bool(words) and all(len(word) > LEAST_LETTERS and _begins(word, said) for word in words)
    return 0.25 if named else 0.0


def _begins(start: str, words: Iterable[str]) -> bool:
    return any(word.startswith(start) for word in words)


def session_words(row: SessionRow) -> str:
    """Return a session's name on one line, cut short."""
    from turnwise.tui.drawing.wrapping import fit

    return fit(make_safe_line(row.name[: 4 * NAME_CELLS]) or "without a name", NAME_CELLS).rstrip()


def how_soon(action: Action) -> float:
    """Return where an action of a place stands among its others in the palette: the smallest first.

    Those of the line of keys come in its order. What is done most in a review stands beside the label and not
    in that line, and what takes a step back is looked for by whoever has just gone wrong: they come right
    after the first. How one leaves is known: it comes after what the line of keys offers.
    """
    if action.name in _SOON:
        return 1 + (1 + _SOON.index(action.name)) / 10
    return _LEAVING_AT if action.name in _LEAVING else action.rank or _UNRANKED


def commands_of(shell: Shell, app: App[Any], screen: Screen[Any]) -> Iterator[OfferedCommand]:
    """Yield what can be done on a screen: its own actions first, then what the app does everywhere.

    shell and app: both are the app.
    """
    place: Place = getattr(screen, "PLACE", "everywhere")
    names = {action.name for action in shell.actions[place]}
    for action in sorted(shell.actions[place], key=how_soon):
        answering = getattr(screen, action.target) if action.target and not action.is_move else screen
        method = getattr(answering, f"action_{action.name}", None)
        if action.is_move or method is None or not is_live(screen, action.name):
            continue
        yield OfferedCommand(action.title, action.help, method, action.key_text)
    if isinstance(screen, LibraryScreen):
        for title, about, take in screen.commands():
            yield OfferedCommand(title, about, take)
    everywhere = {"help": shell.action_help, "jump": shell.action_jump}
    for action in shell.actions["everywhere"]:
        if action.name in everywhere:
            yield OfferedCommand(action.title, action.help, everywhere[action.name], action.key_text)
    if "judge" not in names:
        yield OfferedCommand("judge", "Choose the model that judges.", shell.action_choose_judge)
    if not isinstance(screen, ModalScreen):
        for one in NUMBERED:
            if one.action not in names and place not in (one.place, *one.parts):
                yield OfferedCommand(one.title.lower(), one.help, partial(shell.places.go, one.place))
        if "compare" not in {action.title for action in shell.actions[place]} and place not in (
            "compare",
            "pair",
        ):
            words = "Compare two runs: what got better or worse, and which sessions."
            yield OfferedCommand("compare", words, partial(shell.places.go, "compare"))
    for command in shell.tour_commands():
        yield OfferedCommand(command.title, command.help, command.callback)
    if shell.runs.under_way and "stop" not in names:
        yield OfferedCommand("stop the run", "What is scored is kept.", shell.action_stop_run)
    if "quit_soon" not in names:
        yield OfferedCommand("quit", "Leave turnwise.", app.action_quit)
