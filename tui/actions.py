"""The registry of actions: every key, its words and its help stand here once.

Bindings, the line of keys at the bottom, the command palette, the help screen and the docs are all made from
this table. A screen implements `action_<name>` for each of its actions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from textual.binding import Binding

Place = Literal[
    "everywhere",
    "library",
    "review",
    "why",
    "record",
    "talk",
    "replay",
    "score",
    "judge",
    "import",
    "rejections",
    "help",
]
"""A screen or dialog, or the app as a whole."""


_CURSOR_MOVES = ("cursor_down", "cursor_up", "page_down", "page_up", "home", "end")
_OTHER_MOVES = ("choice_down", "choice_up", "scroll_down", "scroll_up")
MOVES = frozenset((*_CURSOR_MOVES, *_OTHER_MOVES))
"""The names of actions that only move about."""


@dataclass(frozen=True, slots=True)
class Action:
    """Something that a key does.

    name: the screen's method is action_<name>. keys: as Textual names them; the first is the one shown.
    title: one or two words for the line of keys. help: one sentence. rank: where it stands in the line of
    keys, from 1; 0 keeps it out. shown: how the line of keys writes it, where that is not the first key's
    name. also: keys that the screen takes by itself.
    """

    name: str
    keys: tuple[str, ...]
    title: str
    help: str
    rank: int = 0
    shown: str = ""
    also: str = ""

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
        return list(dict.fromkeys([*map(written, self.keys), *([self.also] if self.also else [])]))


def written(key: str) -> str:
    """Return a key's name as people write it."""
    return _WRITTEN.get(key, key)


_WRITTEN = {
    "question_mark": "?",
    "slash": "/",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "left": "←",
    "right": "→",
    "up": "↑",
    "down": "↓",
    "full_stop": ".",
    "comma": ",",
    "escape": "esc",
    "pagedown": "pgdn",
    "pageup": "pgup",
}

_MOVES = (
    Action("cursor_down", ("j", "down"), "down", "Go to the next one.", shown="j"),
    Action("cursor_up", ("k", "up"), "up", "Go to the one before.", shown="k"),
    Action("page_down", ("pagedown", "ctrl+d"), "page down", "Go down by a page."),
    Action("page_up", ("pageup", "ctrl+u"), "page up", "Go up by a page."),
    Action("home", ("home", "g"), "first", "Go to the first."),
    Action("end", ("end", "G"), "last", "Go to the last."),
)

_CHOICES = (
    Action("choice_down", ("j", "down"), "down", "Go to the next one."),
    Action("choice_up", ("k", "up"), "up", "Go to the one before."),
)

ACTIONS: dict[Place, tuple[Action, ...]] = {
    "everywhere": (
        Action("help", ("question_mark",), "help", "Show all keys of this screen.", rank=90),
        Action("command_palette", ("ctrl+p",), "commands", "Find an action by its name."),
        Action("quit_soon", ("ctrl+c", "ctrl+q"), "quit", "Press twice to leave turnwise."),
    ),
    "library": (
        *_MOVES,
        Action("open", ("enter",), "review", "Read the session and its scores.", rank=1),
        Action("score", ("r",), "score", "Judge the sessions that the filter shows.", rank=2),
        Action("filter", ("slash",), "filter", "Search, or filter by role, tag, metric, label.", rank=3),
        Action("record", ("n",), "record", "Talk to a chatbot and keep every turn.", rank=4),
        Action("replay", ("R",), "replay", "Play the session again.", rank=5),
        Action("import", ("i",), "import", "Bring conversations in from a file.", rank=6),
        Action("samples", ("s",), "samples", "Bring the sample conversations in."),
        Action("judge", ("J",), "judge", "Choose the model that judges."),
        Action("stop", ("x",), "stop", "Stop the run; what is scored is kept."),
        Action("clear", ("escape",), "clear", "Clear the filter."),
        Action("quit_soon", ("q",), "quit", "Press twice to leave turnwise."),
    ),
    "review": (
        Action("cursor_down", ("j", "down"), "turn", "Go to the next turn.", rank=1, shown="j k"),
        Action("cursor_up", ("k", "up"), "turn up", "Go to the turn before."),
        *_MOVES[2:],
        Action("next_session", ("J",), "session", "Go to the next session of the list.", rank=4, shown="J K"),
        Action("previous_session", ("K",), "previous session", "Go to the session before."),
        Action("next_failed", ("n",), "next ✗", "Go to the next failed verdict, or match found.", rank=2),
        Action("previous_failed", ("N",), "previous ✗", "Go back to such a turn."),
        Action("other_pane", ("tab",), "scores", "Go to the scores, or back to the turns.", rank=5),
        Action("open", ("enter",), "open", "Follow a score to its turn or to why; open or fold a turn."),
        Action("fold", ("space",), "fold", "Open or fold what is folded at this turn."),
        Action("find", ("slash",), "find", "Find words or a regular expression in the turns.", rank=8),
        Action("why", ("w",), "why", "Show the very prompt and reply behind a score.", rank=3),
        Action("score", ("r",), "score", "Judge this session.", rank=6),
        Action("replay", ("R",), "replay", "Play this session again.", rank=7),
        Action("stop", ("x",), "stop", "Stop the run that is under way; what is scored is kept."),
        Action("copy", ("y",), "copy", "Copy the turn's text."),
        Action("turn", ("t",), "go to turn", "Go to a turn by its number."),
        Action("back", ("escape", "q"), "back", "Close what is open, or go back to the list."),
    ),
    "why": (
        Action("cursor_down", ("j", "down"), "scroll", "Go down by a line.", rank=1, shown="j k"),
        Action("cursor_up", ("k", "up"), "scroll up", "Go up by a line."),
        *_MOVES[2:],
        Action("next_call", ("right", "l"), "call", "Show the judge's next call.", rank=2, shown="← →"),
        Action("previous_call", ("left", "h"), "call before", "Show the judge's call before."),
        Action("next_score", ("J",), "score", "Show what is behind the next score.", rank=3, shown="J K"),
        Action("previous_score", ("K",), "score before", "Show what is behind the score before."),
        Action("copy", ("y",), "copy", "Copy the prompt and the reply, as they were sent.", rank=4),
        Action("back", ("escape", "q", "w"), "back", "Go back.", rank=5),
    ),
    "record": (
        Action("stop", ("ctrl+x",), "stop", "Cut the reply short; what came is kept.", rank=1),
        Action("send", ("enter",), "send", "Send the message.", rank=1),
        Action("edit_and_fork", ("ctrl+e",), "edit", "Take your message back; go on in a fork.", rank=2),
        Action("regenerate", ("ctrl+r",), "retry", "Let the chatbot answer anew, in a fork.", rank=3),
        Action("score", ("ctrl+s",), "score", "Judge the conversation so far.", rank=4),
        Action("finish", ("escape",), "finish", "Give up an edit, or end the recording.", rank=5),
        Action("new_line", ("ctrl+j",), "new line", "Begin a new line in the message.", rank=6),
        Action("page_up", ("pageup",), "page up", "Read what was said before."),
        Action("page_down", ("pagedown",), "page down", "Go on to what was said last."),
        Action("cursor_down", ("j", "down"), "next turn", "After tab: go to the next turn."),
        Action("cursor_up", ("k", "up"), "turn before", "After tab: go to the turn before."),
        Action("fold", ("space",), "fold", "After tab: open or fold what is folded."),
        Action("help", ("f1",), "help", "Show all keys, also while you type.", rank=90),
    ),
    "talk": (
        Action("start", ("enter",), "start", "Begin to talk.", rank=1),
        Action("choice_down", ("down",), "chatbot", "Go to the next chatbot.", rank=2, shown="↑ ↓"),
        Action("choice_up", ("up",), "chatbot before", "Go to the chatbot before."),
        Action("next_field", ("tab",), "next field", "Go on to address, role and system prompt.", rank=3),
        Action("cancel", ("escape",), "cancel", "Go back; nothing is recorded.", rank=4),
        Action("help", ("f1",), "help", "Show all keys, also while you type.", rank=90),
    ),
    "replay": (
        Action("play", ("space",), "play", "Play or pause.", rank=1),
        Action("forward", ("right", "l"), "step", "Show the next turn.", rank=2, shown="← →"),
        Action("back_step", ("left", "h"), "step back", "Go back by a turn."),
        Action(
            "event_forward", ("full_stop",), "event", "Show the next event, a score among them.", shown="."
        ),
        Action("event_back", ("comma",), "event back", "Go back by an event.", shown=","),
        Action("slower", ("left_square_bracket",), "slower", "Play at half the speed."),
        Action("faster", ("right_square_bracket",), "speed", "Play at twice the speed.", rank=3, shown="[ ]"),
        Action("turn", ("t",), "go to turn", "Go to a turn by its number.", rank=5),
        Action("next_failed", ("n",), "next ✗", "Go on to the next verdict that failed.", rank=4),
        Action("previous_failed", ("N",), "previous ✗", "Go back to such a verdict."),
        Action("cursor_down", ("j", "down"), "look down", "Look at the next turn; the play goes on."),
        Action("cursor_up", ("k", "up"), "look up", "Look at the turn before; the play goes on."),
        *_MOVES[2:4],
        Action("fold", ("enter",), "fold", "Open or fold what is folded at the turn."),
        Action("home", ("home", "g"), "start", "Go back to the start."),
        Action("end", ("end", "G"), "end", "Show all."),
        Action("back", ("escape", "q"), "back", "Leave the replay.", rank=6),
    ),
    "score": (
        *_CHOICES,
        Action("tick", ("space",), "tick", "Take the metric, or leave it out.", rank=2),
        Action("tick_all", ("a",), "all", "Take all metrics, or none.", rank=6),
        Action("each_turn", ("e",), "each turn", "Let last-turn metrics judge every exchange.", rank=5),
        Action("judge", ("J",), "judge", "Choose the model that judges.", rank=3),
        Action("start", ("enter",), "start", "Begin to judge.", rank=1),
        Action("cancel", ("escape",), "cancel", "Go back; nothing is judged.", rank=4),
    ),
    "judge": (
        *_CHOICES,
        Action("choose", ("enter",), "choose", "Take this judge.", rank=1, shown="enter 1-9", also="1-9"),
        Action("fetch", ("y",), "yes, fetch", "Fetch the model that was asked for.", rank=2),
        Action("cancel", ("escape",), "cancel", "Go back, or stop the fetch; what came is kept.", rank=3),
    ),
    "import": (
        Action("take", ("enter",), "import", "Open the folder, or import the file.", rank=1),
        Action("complete", ("tab",), "complete", "Complete the path, then go on to the role.", rank=2),
        Action("choice_down", ("down",), "down", "Go to the next file.", rank=3, shown="↑ ↓"),
        Action("choice_up", ("up",), "up", "Go to the file before."),
        Action("cancel", ("escape",), "cancel", "Go back; a file is imported whole or not at all.", rank=4),
    ),
    "rejections": (
        Action("scroll_down", ("j", "down", "pagedown"), "down", "Scroll down."),
        Action("scroll_up", ("k", "up", "pageup"), "up", "Scroll up."),
        Action("close", ("escape", "enter", "q"), "close", "Go back to the list.", rank=1),
    ),
    "help": (
        Action("scroll_down", ("j", "down", "pagedown"), "down", "Scroll down.", rank=2, shown="j k"),
        Action("scroll_up", ("k", "up", "pageup"), "up", "Scroll up."),
        Action("close", ("escape", "question_mark", "q"), "close", "Go back.", rank=1),
    ),
}


def bindings(place: Place) -> list[Binding]:
    """Return the bindings of a screen, or of the app for "everywhere"; each has a name of its own."""
    return [
        Binding(
            ",".join(action.keys),
            f"app.{action.name}" if action.name == "quit_soon" else action.name,
            action.title,
            show=action.rank > 0,
            key_display=action.key_text,
            tooltip=action.help,
            id=f"{place}.{action.name}" + (f".{action.keys[0]}" if action.name == "quit_soon" else ""),
            priority=place == "everywhere" and action.name == "quit_soon",
        )
        for action in ACTIONS[place]
    ]


def line_of_keys(place: Place) -> list[Action]:
    """Return the actions that stand in the line of keys, in order."""
    own = {action.name for action in ACTIONS[place]}
    shared = [action for action in ACTIONS["everywhere"] if action.name not in own]
    ranked = [action for action in (*ACTIONS[place], *shared) if action.rank]
    return sorted(ranked, key=lambda action: action.rank)
