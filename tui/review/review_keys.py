"""Review keys: what the line of keys says of a review's actions at a moment of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from turnwise.tui.actions import Action
from turnwise.tui.review.note_line import EDITOR_KEY
from turnwise.tui.settings.keymap import action_while_asking, action_while_typing

_IN_SCORES: Mapping[str, tuple[str, int]] = {
    "cursor_down": ("score", 1),
    "open": ("open", 2),
    "other_pane": ("turns", 4),
    "back": ("turns", 0),
    "find": ("find", 0),
    "turn": ("go to turn", 0),
    "copy": ("copy reason", 6),
    "next_failed": ("next ✗", 7),
}
"""Titles and ranks while the scores have the keys."""
_IN_HEAD: Mapping[str, tuple[str, int]] = {
    "cursor_down": ("scroll", 1),
    "about": ("fold", 2),
    "back": ("fold", 0),
    "other_pane": ("scores", 0),
    "next_failed": ("next ✗", 0),
}
"""The same while the keys move in what is said about the session."""
_WHILE_NOTING: Mapping[str, tuple[str, int, str]] = {
    "back": ("keep the note", 1, "enter"),
    "note_in_editor": ("in your editor", 2, EDITOR_KEY),
    "help": ("help", 90, ""),
}
"""Titles, ranks and keys while a note is written, as `action_while_typing` takes them."""


@dataclass(frozen=True, slots=True)
class ReviewMoment:
    """What a review is about.

    keys_in: what takes the keys. selected: whether text is. matches: whether those of a search are marked.
    failing: whether a turn fails. shown: whether there are scores in sight, and scored whether there are any.
    """

    keys_in: Literal["turns", "scores", "head", "asking", "noting"] = "turns"
    selected: bool = False
    matches: bool = False
    failing: bool = False
    shown: bool = False
    scored: bool = False


def review_key(action: Action, now: ReviewMoment) -> Action:
    """Return an action with the words and the rank that it has at a moment; the rank 0 leaves it out."""
    if now.keys_in == "asking":
        return action_while_asking(action)
    if now.keys_in == "noting":
        return action_while_typing(action, _WHILE_NOTING)
    if now.keys_in in ("scores", "head"):
        said = _IN_SCORES if now.keys_in == "scores" else _IN_HEAD
        title, rank = said.get(action.name, (action.title, action.rank))
        return replace(action, title=title, rank=rank)
    match action.name:
        case "copy" if now.selected:
            return replace(action, title="copy selection", rank=1)
        case "next_failed" if now.matches:
            return replace(action, title="next match")
        case "next_failed" if not now.failing:
            return replace(action, rank=0)
        case "why" | "other_pane" if not now.shown:
            return replace(action, rank=0)
        case "score" if not now.scored:
            return replace(action, rank=2)
    return action
