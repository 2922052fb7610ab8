"""Action: something that a key does, on a screen or dialog of the app.

An action is answered by the screen or by one widget in it. Where `target` is empty, the screen has a method
`action_<name>`. Else `target` names the attribute of the screen that is the widget which answers, and that
widget has the method: with

    "compare": (*aimed("list", *LIST_MOVES), ...)

the key j on CompareScreen calls `action_cursor_down` of whatever widget `CompareScreen.list` is at that
moment. The screen forwards nothing. Its `check_action` is asked first, as for its own actions, and where it
has a method `after_move`, that is called right after the widget has moved: what goes with the new place, such
as a preview, is drawn in the same frame. `TurnwiseApp.run_action` does all this.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Place = Literal[
    "everywhere",
    "library",
    "review",
    "queue_end",
    "label_history",
    "score_history",
    "why",
    "record",
    "talk",
    "simulate",
    "simulation",
    "branches",
    "replay",
    "score",
    "judge",
    "overview",
    "heat_map",
    "frequency",
    "column_choice",
    "failure_modes",
    "mode_choice",
    "mode_pick",
    "mode_edit",
    "proposals",
    "filter",
    "filters",
    "naming",
    "tags",
    "export",
    "sort",
    "columns",
    "queue",
    "criteria",
    "versions",
    "improve",
    "locate",
    "learn",
    "trial",
    "question",
    "import",
    "mapping",
    "speakers",
    "rejections",
    "compare",
    "agreement",
    "pair",
    "choose_run",
    "runs",
    "queues",
    "pairs",
    "preferring",
    "preferences",
    "pictures",
    "help",
    "menu",
    "palette",
    "settings",
    "jump",
    "tour",
]
"""A screen or dialog, or the app as a whole."""


_CURSOR_MOVES = ("cursor_down", "cursor_up", "page_down", "page_up", "home", "end")
_OTHER_MOVES = ("choice_down", "choice_up", "scroll_down", "scroll_up")
MOVES = frozenset((*_CURSOR_MOVES, *_OTHER_MOVES))
"""The names of actions that only move about."""


@dataclass(frozen=True, slots=True)
class Action:
    """Something that a key does.

    name: the method that does it is action_<name>. keys: as Textual names them; the first is the one shown.
    title: one or two words for the line of keys. help: one sentence. rank: where it stands in the line of
    keys, from 1; 0 keeps it out. shown: how the line of keys writes it, where that is not the first key's
    name. also: keys that the screen takes by itself. target: the attribute of the screen that is the widget
    which has the method; empty where the screen itself has it. of_sessions: whether it means nothing in a
    library without sessions, where it is then not offered. numbered: whether the method is told which of the
    keys was pressed, counted from 1; `shown` then writes all of them.
    """

    name: str
    keys: tuple[str, ...]
    title: str
    help: str
    rank: int = 0
    shown: str = ""
    also: str = ""
    target: str = ""
    of_sessions: bool = False
    numbered: bool = False

    @property
    def is_move(self) -> bool:
        """Whether it only moves about."""
        return self.name in MOVES

    @property
    def key_text(self) -> str:
        """The first key as people write it."""
        return self.shown or written(self.keys[0])

    @property
    def all_keys(self) -> list[str]:
        """All its keys as people write them, each once."""
        if self.numbered:
            return [self.key_text]
        return list(dict.fromkeys([*map(written, self.keys), *([self.also] if self.also else [])]))


def aimed(target: str, *actions: Action) -> tuple[Action, ...]:
    """Return actions that are answered by the widget which is the attribute `target` of their screen."""
    return tuple(replace(action, target=target) for action in actions)


MOST_DIGITS = 9
"""Keys that are digits, from 1."""


def digits_to(last: int) -> str:
    """Return the digits up to a last one as people write them; there are no more than nine."""
    return f"1-{min(last, MOST_DIGITS)}" if last > 1 else "1"


def is_digits(key: str) -> bool:
    """Whether a key is written as `digits_to` does."""
    return key == "1" or key.startswith("1-")


def written(key: str) -> str:
    """Return a key's name as people write it."""
    return _WRITTEN.get(key, key)


_WRITTEN = {
    "question_mark": "?",
    "slash": "/",
    "apostrophe": "'",
    "plus": "+",
    "minus": "-",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "full_stop": ".",
    "comma": ",",
    "greater_than_sign": ">",
    "escape": "esc",
    "pagedown": "pgdn",
    "pageup": "pgup",
    "percent_sign": "%",
    "equals_sign": "=",
    "asterisk": "*",
    "number_sign": "#",
    "exclamation_mark": "!",
    "at": "@",
}

LIST_MOVES = (
    Action("cursor_down", ("j", "down"), "down", "Go to the next one.", shown="j"),
    Action("cursor_up", ("k", "up"), "up", "Go to the one before.", shown="k"),
    Action("page_down", ("pagedown", "ctrl+d"), "page down", "Go down by a page."),
    Action("page_up", ("pageup", "ctrl+u"), "page up", "Go up by a page."),
    Action("home", ("home", "g"), "first", "Go to the first."),
    Action("end", ("end", "G"), "last", "Go to the last."),
)
"""What moves about in every list."""

CHOICE_MOVES = aimed(
    "choices",
    Action("choice_down", ("j", "down"), "down", "Go to the next one."),
    Action("choice_up", ("k", "up"), "up", "Go to the one before."),
    *LIST_MOVES[2:],
)
"""What moves about among a dialog's choices."""


def side_moves(rank: int) -> tuple[Action, ...]:
    """Return what moves about in two transcripts beside each other.

    rank: of what goes to the next turn; what goes to the next one that differs stands after it.
    """
    down, up = LIST_MOVES[:2]
    return (
        *aimed(
            "transcript",
            replace(down, title="turn", help="Go to the next turn, on both sides.", rank=rank, shown="j k"),
            replace(up, title="turn up", help="Go to the turn before, on both sides.", shown=""),
            *LIST_MOVES[2:],
        ),
        *aimed(
            "differences",
            Action(
                "next_difference", ("n",), "next change", "Go to the next turn that differs.", rank=rank + 1
            ),
            Action("previous_difference", ("N",), "change before", "Go back to the one before."),
        ),
    )
