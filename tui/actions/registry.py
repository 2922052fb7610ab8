"""The registry of actions: every key, its words and its help stand here once.

Bindings, the line of keys at the bottom, the command palette, the help screen and the docs are all made from
this table. A screen implements `action_<name>` for each of its actions, or the widget that the action names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from turnwise.tui.actions.action import Action, Place
from turnwise.tui.actions.browsing import BROWSING
from turnwise.tui.actions.judging import JUDGING
from turnwise.tui.actions.naming_failures import NAMING_FAILURES
from turnwise.tui.actions.reading import READING
from turnwise.tui.actions.running import RUNNING

if TYPE_CHECKING:
    from textual.binding import Binding

ACTIONS: dict[Place, tuple[Action, ...]] = {
    **BROWSING,
    **READING,
    **JUDGING,
    **NAMING_FAILURES,
    **RUNNING,
}
"""The actions of every place."""

_TARGETS = {
    (place, action.name): action.target for place in ACTIONS for action in ACTIONS[place] if action.target
}

_OF_SESSIONS = {(place, action.name) for place in ACTIONS for action in ACTIONS[place] if action.of_sessions}

_IN_TURNS = {
    "cursor_down": "Go to the next turn.",
    "cursor_up": "Go to the turn before.",
    "other_pane": "Go to the scores.",
    "copy": "Copy the turn's text.",
    "open": "Open or fold what is folded at the turn.",
}
_IN_SCORES = {
    "cursor_down": "Go to the next outcome.",
    "cursor_up": "Go to the outcome before.",
    "other_pane": "Go back to the turns.",
    "copy": "Copy the reason.",
    "open": "Follow the outcome to its turn, or to why.",
    "why": "Show the very prompt and reply behind this outcome.",
}
OTHER_KEY = "{other}, because {first} is typed."
"""Help of an action whose first key is typed where the focus is."""
FOCUS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "TranscriptView": ("in the turns", _IN_TURNS),
    "ScoreList": ("in the scores", _IN_SCORES),
    "InfoPane": (
        "in what is known of it",
        {
            "cursor_down": "Go down by a line.",
            "cursor_up": "Go up by a line.",
            "other_pane": "Go to the turns; it stays beside them.",
            "back": "Close it.",
        },
    ),
    "SessionList": ("in the list", {"cursor_down": "Go to the next session.", "open": "Read it."}),
    "Input": ("while you type", {"help": OTHER_KEY, "clear": "Clear the line."}),
    "TextField": (
        "while you write",
        {
            "try": OTHER_KEY,
            "save": OTHER_KEY,
            "draft": OTHER_KEY,
            "help": OTHER_KEY,
        },
    ),
    "MessageEditor": ("while you write", {"help": OTHER_KEY}),
    "TourLine": ("in the tour", {"back": "Leave the tour.", "open": "Leave this step out."}),
    "NoteEditor": ("while you write a note", {"help": OTHER_KEY}),
}
"""What actions do where a kind of widget has the focus: its class -> where that is, and help by action."""

_ALWAYS = ("quit_soon", "command_palette", "redraw")
"""What of "everywhere" no widget can take the keys of, and no dialog shuts out."""

Table = Mapping[Place, tuple[Action, ...]]
"""The actions of every place, with the keys of the registry or those of a user's keymap."""


def target_of(place: Place | None, name: str) -> str:
    """Return which attribute of a place's screen answers an action; empty where the screen itself does."""
    return _TARGETS.get((place, name), "") if place is not None else ""


def needs_sessions(place: Place, name: str) -> bool:
    """Return whether an action means nothing in a library without sessions."""
    return (place, name) in _OF_SESSIONS


def binding_ids(place: Place, action: Action, keys: Sequence[str] = ()) -> dict[str, tuple[str, ...]]:
    """Return the keys of an action's bindings, by the names of these, which no other action has.

    A numbered action has a binding for each of its keys. keys: those that hold instead of its own.
    """
    name = f"{place}.{action.name}" + (f".{action.keys[0]}" if action.name == "quit_soon" else "")
    if action.numbered:
        own = zip(action.keys, keys or action.keys, strict=False)
        return {f"{name}.{number}": (key,) for number, (_, key) in enumerate(own, 1)}
    return {name: tuple(keys) or action.keys}


def bindings(place: Place) -> list[Binding]:
    """Return the bindings of a screen, or of the app for "everywhere"; each has a name of its own."""
    # Commands that print the table of keys load no textual.
    from textual.binding import Binding

    return [
        Binding(
            ",".join(keys),
            f"app.{action.name}" if action.name == "quit_soon" else _call(action, number),
            action.title,
            show=action.rank > 0,
            key_display=action.key_text,
            tooltip=action.help,
            id=name,
            priority=place == "everywhere" and action.name in _ALWAYS,
        )
        for action in ACTIONS[place]
        for number, (name, keys) in enumerate(binding_ids(place, action).items(), 1)
    ]


def _call(action: Action, number: int) -> str:
    """Return what a binding of an action calls. number: which of its bindings it is."""
    return f"{action.name}({number})" if action.numbered else action.name


def as_it_is(action: Action) -> Action:
    """Return an action as the registry has it."""
    return action


def line_of_keys(
    place: Place, table: Table = ACTIONS, now: Callable[[Action], Action] = as_it_is
) -> list[Action]:
    """Return the actions that stand in the line of keys, in order. now: gives their words of the moment."""
    own = {action.name for action in table[place]}
    shared = [action for action in table["everywhere"] if action.name not in own]
    ranked = [action for action in map(now, (*table[place], *shared)) if action.rank]
    return sorted(ranked, key=lambda action: action.rank)
