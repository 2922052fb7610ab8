"""What a key that means nothing on a screen does at another place, and how to get there."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from textual.screen import Screen

from turnwise.tui.actions import Action, Place, Table
from turnwise.tui.actions.action import written
from turnwise.tui.actions.places import NUMBERED
from turnwise.tui.parts.notice import note
from turnwise.tui.parts.typed_into import is_typed_into

_MEANS_WHERE_IT_IS = frozenset(
    ("back", "clear", "stop", "quit", "last_place", *(one.action for one in NUMBERED))
)
"""What nobody goes elsewhere for."""
_READ_FROM = ("library", "queues", "agreement", "heat_map")
"""The places where enter leads to a session that is read."""


def tell_key_elsewhere(actions: Table, screen: Screen[Any], key: str) -> None:
    """Say of a key that means nothing on a screen what it does elsewhere, where it does anything.

    Nothing is said in a dialog, nor where keys are typed.
    """
    here: Place | None = getattr(screen, "PLACE", None)
    if here is None or screen.is_modal or is_typed_into(screen):
        return
    if words := elsewhere_words(actions, here, key):
        note(screen, words)


def elsewhere_words(table: Table, here: Place, key: str) -> str:
    """Return what a key does elsewhere: "H is “heat map” in Overview: 2, then H"; empty for nothing.

    Nothing is said of a key of this place either, also where it has nothing to act on now.
    """
    if _action_of((*table[here], *table["everywhere"]), key, any_of_them=True) is not None:
        return ""
    if any(place.place == here and place.key == key for place in NUMBERED):
        # The number of the place where one is leads nowhere else.
        return ""
    offered = {action.name for action in table[here]}
    for place in NUMBERED:
        if place.place != here and (action := _action_of(table[place.place], key)) is not None:
            way = f": {place.key}, then {written(key)}" if place.action in offered else ""
            return f"{written(key)} is “{action.title}” in {place.title}{way}"
    if here != "review" and (action := _action_of(table["review"], key)) is not None:
        way = f": enter, then {written(key)}" if here in _READ_FROM else ""
        return f"{written(key)} is “{action.title}” where a session is read{way}"
    return ""


def _action_of(actions: Iterable[Action], key: str, *, any_of_them: bool = False) -> Action | None:
    """Return the action of a key. any_of_them: also one that moves about, or that leads away."""
    return next(
        (
            one
            for one in actions
            if key in one.keys and (any_of_them or not (one.is_move or one.name in _MEANS_WHERE_IT_IS))
        ),
        None,
    )
