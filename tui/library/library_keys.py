"""What the keys of the library are called, and which of them mean something, at a moment."""

from __future__ import annotations

from dataclasses import dataclass, replace

from turnwise.tui.actions import Action, needs_sessions
from turnwise.tui.settings.keymap import action_while_typing

WITHOUT_A_MATCH = frozenset({"filter", "compare", "sort", "reverse", "columns"})
"""What means something although no session of the library is shown."""
SELECTED_RANK, WAY_BACK_RANK, FILTERED_RANK = 5, 2, 6
"""How to leave a selection stands beside how to go on with it; how to leave a filter beside sorting. Where a
filter finds nothing, either comes first.
"""
OF_SELECTED = frozenset({"score", "judge_again", "queues", "tag", "give_mode", "export", "remove"})
"""What is done to the selected sessions where there are some, wherever the cursor is."""
_LEAVES_THE_FIELD = "leave the field"
"""What the key that goes to the list does where no session matches, and the list is empty."""
_WHILE_TYPING = {
    "open": ("to the list", 1, "enter"),
    "clear": ("clear", 2, ""),
    "help": ("help", 90, ""),
}


@dataclass(frozen=True, slots=True)
class LibraryMoment:
    """How the library stands.

    sessions: how many there are. shown: how many a filter leaves. typing: whether a filter is typed.
    selected: how many are selected. filtered: whether there is a filter.
    way_back: what esc does where it leads back to where the filter is from; empty where it does not.
    can_undo: whether there is a change to take back. undoes_import: whether the last one is an import.
    """

    sessions: int
    shown: int
    typing: bool = False
    selected: int = 0
    filtered: bool = False
    way_back: str = ""
    can_undo: bool = False
    undoes_import: bool = False


def library_key(action: Action, now: LibraryMoment) -> Action:
    """Return an action with the words and the rank that it has now."""
    if now.typing:
        told = action_while_typing(action, _WHILE_TYPING)
        empty = action.name == "open" and not now.shown
        return replace(told, title=_LEAVES_THE_FIELD) if empty else told
    if action.name == "clear" and (now.selected or now.filtered):
        title, rank = _clearing(now)
        return replace(action, title=title, rank=rank if now.shown else 1)
    if action.name == "filters" and now.filtered:
        # Where there is one, it is the way to keep it.
        return replace(action, title="save the filter", rank=FILTERED_RANK)
    if action.name == "samples" and not now.sessions:
        return replace(action, rank=9)
    if action.name == "undo" and now.undoes_import:
        return replace(action, title="undo import", rank=7)
    if action.name == "undo" and not now.sessions:
        # All of them were forgotten, and this is the way back.
        return replace(action, title="bring back", rank=1)
    return action


def in_menu(action: Action, now: LibraryMoment) -> Action:
    """Return an action as a menu over a row offers it: it also says whether it is about other sessions."""
    if now.selected and action.name in OF_SELECTED:
        return replace(action, title=f"{action.title} {now.selected:,} selected")
    return library_key(action, now)


def _clearing(now: LibraryMoment) -> tuple[str, int]:
    """Return what the key that clears does first, and its rank where sessions are shown."""
    if now.selected:
        return "unselect all", SELECTED_RANK
    return (now.way_back, WAY_BACK_RANK) if now.way_back else ("clear the filter", FILTERED_RANK)


def is_offered(action: str, now: LibraryMoment) -> bool:
    """Whether an action means something where there may be no session, or none that matches."""
    if action == "undo":
        # Where sessions are, the key says that there is nothing to take back.
        return now.can_undo or now.sessions > 0
    if not needs_sessions("library", action):
        return True
    # While one types, its key is that of the field, which it leaves.
    leaves = now.typing and action == "open"
    return bool(now.shown) or (bool(now.sessions) and (leaves or action in WITHOUT_A_MATCH))
