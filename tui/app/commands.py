"""What the command palette offers: the actions of a screen, turns, sessions and themes, a row each."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from textual.app import App
from textual.fuzzy import Matcher
from textual.screen import ModalScreen, Screen
from textual.style import Style

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import SessionRow
from turnwise.conversations.words import counted
from turnwise.tui.actions import Action, Place
from turnwise.tui.actions.places import NUMBERED
from turnwise.tui.actions.synonyms import also_called
from turnwise.tui.app.offered_command import OfferedCommand, cells_of, is_live
from turnwise.tui.library.library_screen import LibraryScreen
from turnwise.tui.places.other_places import actions_elsewhere
from turnwise.tui.settings.theme_names import THEME_NAMES
from turnwise.tui.settings.themes import PREFIX
from turnwise.tui.shell.shell import Shell

MOST_SESSIONS = 12
LEAST_LETTERS = 2
NAME_CELLS = 60
_SOON = ("label_pass", "label_fail", "label_defer", "note", "undo")
_LEAVING = ("back", "quit")
_LEAVING_AT, _UNRANKED = 99, 100
A_LITTLE = 0.01
"""What was taken lately goes before what is as like the words."""

_FOUND = Style(bold=True, underline=True)
_NUMBER = re.compile(r"\d+")
_ONLY_NUMBER = re.compile(r"\s*(?:(?:open|go|to|sessions?|turns?)\b\s*)*(\d+)\s*", re.IGNORECASE)
"""A number and nothing but what it is of: what was said may begin with one as well."""
_BY_TITLE, _BY_WORDS, _ELSEWHERE = 0.25, 0.2, 0.1
"""Below any own title that is like the words, and above every session: an own command by what it does or is
called by others, a theme by such words, and what is done at other places by its title; by other words less.
"""
_CALLED_SO = 2.0
"""What is called just so goes before all."""
_THEME_WORDS = "theme colour color dark mode appearance"
_OPENING = re.compile(r"^\s*(?:open\b)?\s*(?:sessions?\b)?", re.IGNORECASE)


class Commands:
    """What the palette offers on a screen: its actions first, then turns, sessions and themes."""

    def __init__(self, shell: Shell, app: App[Any], screen: Screen[Any]) -> None:
        """shell and app: both are the app."""
        self._shell, self._app, self._screen = shell, app, screen
        own: dict[str, OfferedCommand] = {}
        for offer in commands_of(shell, app, screen):
            own.setdefault(offer.title, offer)
        self._own = own
        self._themes = {
            f"theme {name}": OfferedCommand(
                f"theme {name}", "Kept in your settings.", partial(shell.looks.take_theme, name)
            )
            for name in THEME_NAMES
            if app.theme != PREFIX + name
        }
        self.cells = max(map(cells_of, own.values()), default=0)
        """Those of the longest row."""

    @property
    def _all(self) -> dict[str, OfferedCommand]:
        return {**self._themes, **self._own}

    @cached_property
    def _elsewhere(self) -> Sequence[OfferedCommand]:
        """What is done at other places, which only words find: made once some are typed."""
        return [
            OfferedCommand(one.title, one.action.help, one.go, one.keys, name=one.action.title)
            for one in actions_elsewhere(self._shell, self._app, self._screen, self._own)
        ]

    @property
    def _jump(self) -> Callable[[int], object] | None:
        jump: Callable[[int], object] | None = getattr(self._screen, "jump_to_turn", None)
        return jump

    def note(self, offer: OfferedCommand) -> None:
        """Remember that a command was taken."""
        if offer.title in self._all:
            self._shell.used.command(offer.title)

    def offered(self) -> Sequence[OfferedCommand]:
        """Return all that can be done here, what was taken lately first, and what may be typed."""
        offers = self._all
        recent = [title for title in self._shell.used.last.commands if title in offers]
        listed = [offers[title] for title in dict.fromkeys([*recent, *self._own])]
        if self._jump:
            listed.append(OfferedCommand("go to turn …", "Type its number.", _nothing))
        listed.append(OfferedCommand("open session …", "Type its number, or words of it.", _nothing))
        return [*listed, *(one for title, one in self._themes.items() if title not in recent)]

    def found(self, query: str) -> Sequence[OfferedCommand]:
        """Return the actions and themes that the words name, the best first, and the turn and the session.

        All that can be done where the words are empty.
        """
        if not query:
            return self.offered()
        matcher, lately = Matcher(query, match_style=_FOUND), self._shell.used.last.commands
        ranked: list[tuple[float, OfferedCommand]] = []
        # What is kept at once is not taken by letters that stand somewhere in its name.
        themes = [one for one in self._themes.values() if _names(query, one.title)]
        for offer in [*self._own.values(), *themes]:
            if (match := matcher.match(offer.title) or _match_of_help(query, offer)) > 0:
                if offer.title in lately:
                    match += A_LITTLE * (len(lately) - lately.index(offer.title))
                if offer.title == query.casefold():
                    match += _CALLED_SO
                ranked.append((match, replace(offer, marked=matcher.highlight(offer.title))))
        if not themes and _names(query, _THEME_WORDS):
            ranked += ((_BY_WORDS, one) for one in self._themes.values())
        for offer in self._elsewhere:
            match = (
                _BY_WORDS if _names(query, offer.title) else _ELSEWHERE * bool(_match_of_help(query, offer))
            )
            if match:
                ranked.append((match, replace(offer, marked=matcher.highlight(offer.title))))
        if match_of_number := _ONLY_NUMBER.fullmatch(query):
            number = int(match_of_number[1])
            if jump := self._jump:
                # Before the session of the same number: here one reads turns.
                turn = OfferedCommand(f"go to turn {number}", "In this session.", partial(jump, number))
                ranked.append((1.1, turn))
            open_it = partial(self._shell.open_session, number)
            ranked.append((1.0, OfferedCommand(f"open session {number}", "Read it and its scores.", open_it)))
        return [offer for _, offer in sorted(ranked, key=lambda one: -one[0])]

    def words_of_sessions(self, query: str) -> str:
        """Return what sessions are looked for by, in the language of filters; empty where nothing is."""
        number = _NUMBER.search(query)
        words = [word.replace('"', "") for word in _OPENING.sub("", query, count=1).split()]
        if len("".join(words)) < LEAST_LETTERS or words == [number[0] if number else ""]:
            return ""
        return " ".join(f'"{word}"' for word in words if word)

    async def sessions(self, query: str) -> Sequence[OfferedCommand]:
        """Return the sessions that the words are found in, in the order of the list."""
        quoted = self.words_of_sessions(query)
        try:
            rows = await asyncio.to_thread(self._shell.store.sessions.page, quoted, 0, MOST_SESSIONS)
        except TurnwiseError:
            return ()
        return [
            OfferedCommand(
                f"open session {row.id} · {session_words(row)}",
                "",
                partial(self._shell.open_session, row.id),
                counted(row.turns, "turn"),
            )
            for row in rows
        ]


def _nothing() -> None:
    """Do nothing: the row says what may be typed."""


def _match_of_help(query: str, offer: OfferedCommand) -> float:
    """Return how well words name what a command does, or what others call it: below any title, and above
    every session.
    """
    words = query.casefold().split()
    said = re.findall(r"\w+", f"{offer.about} {also_called(offer.called)}".casefold())
    named = bool(words) and all(len(word) > LEAST_LETTERS and _begins(word, said) for word in words)
    return _BY_TITLE if named else 0.0


def _names(query: str, title: str) -> bool:
    """Whether each word begins a word of a title."""
    said = re.findall(r"\w+", title.casefold())
    return all(_begins(word, said) for word in re.findall(r"\w+", query.casefold()))


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
    everywhere: dict[str, Callable[[], Any]] = {
        "help": shell.action_help,
        "jump": shell.action_jump,
        "settings": partial(app.run_action, "app.settings"),
        "redraw": partial(app.run_action, "app.redraw"),
    }
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
