"""What the keys of the library are called, and which of them mean something, at a moment."""

from __future__ import annotations

from dataclasses import dataclass, replace

from turnwise.tui.actions import Action, needs_sessions
from turnwise.tui.settings.keymap import action_while_typing

WITHOUT_A_MATCH = frozenset({"filter", "compare", "sort", "reverse", "columns"})
"""What means something although no session of the library is shown."""
_WHILE_TYPING = {
    "open": ("to the list", 1, "enter"),
    "clear": ("clear", 2, ""),
    "help": ("help", 90, ""),
}


@dataclass(frozen=True, slots=True)
class LibraryMoment:
    """How the library stands. sessions: how many there are; shown: how many a filter leaves."""

    sessions: int
    shown: int
    typing: bool = False


def library_key(action: Action, now: LibraryMoment) -> Action:
    """Return an action with the words and the rank that it has now."""
    if now.typing:
        return action_while_typing(action, _WHILE_TYPING)
    if action.name == "clear" and now.sessions and not now.shown:
        return replace(action, title="clear the filter", rank=1)
    if action.name == "samples" and not now.sessions:
        return replace(action, rank=9)
    if action.name == "undo" and not now.sessions:
        # All of them were forgotten, and this is the way back.
        return replace(action, title="bring back", rank=1)
    return action


def is_offered(action: str, now: LibraryMoment) -> bool:
    """Whether an action means something where there may be no session, or none that matches."""
    if not needs_sessions("library", action):
        return True
    return bool(now.shown) or (bool(now.sessions) and action in WITHOUT_A_MATCH)
