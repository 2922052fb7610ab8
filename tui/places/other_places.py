"""What is done at other places than the one in front: found by words in the palette, which goes there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from textual.app import App
from textual.screen import ModalScreen, Screen

from turnwise.tui.actions import Action, Place
from turnwise.tui.actions.places import NUMBERED, NumberedPlace
from turnwise.tui.parts.notice import note
from turnwise.tui.shell.shell import Shell

_LEADS = frozenset(
    ("back", "clear", "stop", "quit", "compare", "last_place", *(one.action for one in NUMBERED))
)
"""What leads somewhere, or has its own row wherever it means something."""
_DONE_AT_ONCE: Mapping[Place, Collection[str]] = {
    "library": ("filter", "sort", "columns", "frequency", "filters", "record", "simulate", "import"),
    "overview": ("heat_map", "export"),
    "failure_modes": ("notes", "modes", "rates"),
}
"""What asks before it does anything, or shows something, so that nothing has to be chosen there first."""


@dataclass(frozen=True, slots=True)
class ActionElsewhere:
    """An action of another place. title: with where it is. keys: which lead to it; empty where they do not
    mean that here. go: goes to the place, and does it where nothing has to be chosen first.
    """

    action: Action
    title: str
    keys: str
    go: Callable[[], None]


def actions_elsewhere(
    shell: Shell, app: App[Any], screen: Screen[Any], offered: Collection[str]
) -> Iterator[ActionElsewhere]:
    """Yield what is done at the other numbered places, with where that is and by which keys.

    shell and app: both are the app. offered: the titles of what the screen offers itself.
    """
    if isinstance(screen, ModalScreen):
        return
    here: Place = getattr(screen, "PLACE", "everywhere")
    digits = {action.name for action in shell.actions[here]}
    for place in NUMBERED:
        if place.place == here:
            continue
        for action in shell.actions[place.place]:
            if action.is_move or action.name in _LEADS or action.title in offered:
                continue
            # Elsewhere a digit may mean something else.
            key = f"{place.key}, then {action.key_text}" if place.action in digits else ""
            title = f"{action.title} · in {place.title}"
            go = partial(_go, shell, app, place, action)
            yield ActionElsewhere(action, title, key, go)


def _go(shell: Shell, app: App[Any], place: NumberedPlace, action: Action) -> None:
    """Go to a place; what needs nothing chosen there is done, and of anything else the key is told.

    What is a screen of its own is shown above the one in front, to which it leads back.
    """
    if shell.places.show(action.name):
        return
    shell.places.go(place.place)
    screen = app.screen
    if getattr(screen, "PLACE", "") != place.place:
        # What was open asks first whether it is to be left.
        return
    told = partial(note, screen, f"{action.key_text} here: {action.title}")
    at_once = action.name in _DONE_AT_ONCE.get(place.place, ())
    do: Callable[[], Any] = partial(app.run_action, action.name, screen) if at_once else told
    screen.call_after_refresh(do)
