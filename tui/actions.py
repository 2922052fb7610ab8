"""The registry of actions: every key, its words and its help stand here once.

Bindings, the line of keys at the bottom, the command palette, the help screen and the docs are all made from
this table. A screen implements `action_<name>` for each of its actions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from textual.binding import Binding

Place = Literal[
    "everywhere",
    "library",
    "review",
    "label_history",
    "why",
    "record",
    "talk",
    "replay",
    "score",
    "judge",
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
    "question",
    "import",
    "rejections",
    "compare",
    "agreement",
    "pair",
    "choose_run",
    "pictures",
    "help",
    "jump",
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
        Action("help", ("question_mark", "f1"), "help", "Show all keys of this screen.", rank=90),
        Action(
            "jump", ("apostrophe", "ctrl+o"), "jump", "Show a letter at every place; a letter goes there."
        ),
        Action(
            "command_palette",
            ("ctrl+p",),
            "commands",
            "Find an action by its name, a session, a turn.",
            also="right click",
        ),
        Action("suspend_process", ("ctrl+z",), "suspend", "Go back to the shell; fg comes back here."),
        Action("quit_soon", ("ctrl+c", "ctrl+q"), "quit", "Press twice to leave turnwise."),
    ),
    "library": (
        *_MOVES,
        Action("open", ("enter",), "review", "Read the session and its scores.", rank=1),
        Action("score", ("r",), "score", "Judge the selected sessions, or all that are shown.", rank=2),
        Action("filter", ("slash",), "filter", "Search, or filter by role, tag, metric, label.", rank=3),
        Action("queues", ("q",), "queue", "Make a queue to review, or go on with one.", rank=4),
        Action("select", ("space",), "select", "Select the session, or leave it out.", rank=5),
        Action("select_range", ("v",), "range", "Select all from the one selected last to this one."),
        Action("select_all", ("a",), "all", "Select all that are shown."),
        Action("tag", ("t",), "tag", "Give tags to the selected sessions, or to this one."),
        Action("give_mode", ("M",), "give mode", "Give a failure mode to the selected, or to this one."),
        Action("export", ("e",), "export", "Write the selected sessions, or all that are shown, to a file."),
        Action("undo", ("u",), "undo", "Take the last change of tags back."),
        Action("sort", ("o",), "sort", "Sort by a column or a metric.", rank=6),
        Action("reverse", ("O",), "reverse", "Sort the other way round."),
        Action("columns", ("w",), "columns", "Choose the metrics that have a column."),
        Action("filters", ("F",), "filters", "Take a saved filter, or save this one."),
        Action("record", ("n",), "record", "Talk to a chatbot and keep every turn.", rank=7),
        Action("import", ("i",), "import", "Bring conversations in from a file.", rank=8),
        Action("replay", ("R",), "replay", "Play the session again.", rank=9),
        Action("samples", ("s",), "samples", "Bring the sample conversations in."),
        Action("judge", ("J",), "judge", "Choose the model that judges."),
        Action("criteria", ("c",), "criteria", "Write what good means, and try it against labels.", rank=9),
        Action("failure_modes", ("m",), "modes", "Name the ways to go wrong, and count them."),
        Action("compare", ("C",), "compare", "Compare two runs, and read what flipped."),
        Action("agreement", ("A",), "agreement", "Measure metrics against people's labels."),
        Action("stop", ("x",), "stop", "Stop the run; what is scored is kept."),
        Action("clear", ("escape",), "clear", "Leave all selected ones, then clear the filter."),
    ),
    "filter": (
        Action("complete", ("tab",), "complete", "Complete what is typed; again for the next one."),
        Action("complete_back", ("shift+tab",), "complete back", "Take the completion before."),
    ),
    "review": (
        Action("cursor_down", ("j", "down"), "turn", "Go to the next turn.", rank=1, shown="j k"),
        Action("cursor_up", ("k", "up"), "turn up", "Go to the turn before."),
        *_MOVES[2:4],
        Action("home", ("home",), "first", "Go to the first; g g does so too."),
        _MOVES[5],
        Action("next_session", ("J",), "session", "Go to the next session of the list.", rank=4, shown="J K"),
        Action("previous_session", ("K",), "previous session", "Go to the session before."),
        Action("next_failed", ("n",), "next ✗", "Go to the next failed verdict, or match found.", rank=2),
        Action("previous_failed", ("N",), "previous ✗", "Go back to such a turn."),
        Action("label_pass", ("p",), "pass", "Say that the conversation passes."),
        Action("label_fail", ("f",), "fail", "Say that it fails, first at this turn."),
        Action("label_defer", ("d",), "defer", "Put the decision off."),
        Action("note", ("c",), "note", "Write a note about the conversation."),
        Action("note_in_editor", ("C",), "note in editor", "Write the note in $VISUAL or $EDITOR."),
        Action("anchor", ("a",), "first failure", "Say that this turn is the first that fails, or none."),
        Action("modes", ("t",), "failure modes", "Give the conversation failure modes.", rank=9),
        Action("undo", ("u",), "undo", "Take back the last change of your labels."),
        Action("redo", ("U",), "redo", "Make the change again that was undone last."),
        Action("history", ("h",), "history", "Show who said what of this session, and when."),
        Action("reveal", ("v",), "show scores", "Show the scores before you label; it is recorded.", rank=3),
        Action("agree", ("plus",), "agree", "Say the same of a metric as its score does."),
        Action("disagree", ("minus",), "disagree", "Say the opposite of a metric's score."),
        Action("other_pane", ("tab",), "scores", "Go to the scores, or back to the turns.", rank=7),
        Action("open", ("enter",), "open", "Follow a score to its turn or to why; open or fold a turn."),
        Action("fold", ("space",), "fold", "Open or fold what is folded at this turn."),
        Action("fold_all", ("z",), "fold all", "Open all that is folded, or fold it again.", rank=13),
        Action("find", ("slash",), "find", "Find words or a regular expression in the turns.", rank=6),
        Action("why", ("w",), "why", "Show the very prompt and reply behind a score.", rank=3),
        Action("score", ("r",), "score", "Judge this session.", rank=8),
        Action("replay", ("R",), "replay", "Play this session again.", rank=10),
        Action("stop", ("x",), "stop", "Stop the run that is under way; what is scored is kept."),
        Action("pictures", ("i",), "images", "See the images of this session."),
        Action("copy", ("y",), "copy", "Copy what is selected, or the turn's text.", rank=12),
        Action("turn", ("g",), "go to turn", "Go to a turn by its number.", rank=11),
        Action("back", ("escape", "q"), "back", "Close what is open, or go back to the list.", rank=5),
    ),
    "label_history": (
        Action("scroll_down", ("j", "down", "pagedown"), "down", "Scroll down.", rank=2, shown="j k"),
        Action("scroll_up", ("k", "up", "pageup"), "up", "Scroll up."),
        Action("close", ("escape", "enter", "q", "h"), "close", "Go back.", rank=1),
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
    "failure_modes": (
        *_MOVES,
        Action("open", ("enter",), "open", "Read the note's session, or list the sessions.", rank=1),
        Action("next_part", ("tab",), "part", "Go on: notes, modes, rates.", rank=2, shown="tab 1-3"),
        Action("notes", ("1",), "notes", "Show the notes: what failure modes are made from."),
        Action("modes", ("2",), "modes", "Show the failure modes with their definitions."),
        Action("rates", ("3",), "rates", "Show how often each failure mode occurs."),
        Action("tick", ("space",), "tick", "Take the note for the next assignment, or leave it.", rank=3),
        Action("tick_all", ("a",), "all", "Take all notes that are shown, or none."),
        Action("assign", ("t",), "assign", "Give the notes' sessions a failure mode.", rank=4),
        Action("uncoded", ("o",), "open ones", "Show only notes without a failure mode, or all.", rank=7),
        Action("propose", ("p",), "propose", "Let the judge group the notes; you decide.", rank=6),
        Action("by", ("b",), "by role, tag", "Count over all, by role, or by tag.", rank=3),
        Action("add", ("n",), "new", "Name a failure mode.", rank=5),
        Action("edit", ("e",), "edit", "Change its name or its definition.", rank=4),
        Action("merge", ("M",), "merge", "Let it count as another one.", rank=6),
        Action("retire", ("D",), "retire", "Take it out of use; what it was given to is kept."),
        Action("undo", ("u",), "undo", "Take back your newest change.", rank=8),
        Action("redo", ("U",), "redo", "Make the change again."),
        Action("back", ("escape", "q"), "back", "Go back.", rank=9),
    ),
    "mode_choice": (
        Action("give", ("enter",), "give or take", "Give the session the mode, or take it away.", rank=1),
        Action("choice_down", ("down",), "mode", "Go to the next mode.", rank=2, shown="↑ ↓"),
        Action("choice_up", ("up",), "mode before", "Go to the mode before."),
        Action("cancel", ("escape",), "done", "Go back; what you chose is kept.", rank=3),
        Action("help", ("f1",), "help", "Show all keys, also while you type.", rank=90),
    ),
    "mode_pick": (
        Action("take", ("enter",), "take", "Take this mode.", rank=1),
        Action("choice_down", ("down",), "mode", "Go to the next mode.", rank=2, shown="↑ ↓"),
        Action("choice_up", ("up",), "mode before", "Go to the mode before."),
        Action("cancel", ("escape",), "cancel", "Go back.", rank=3),
        Action("help", ("f1",), "help", "Show all keys, also while you type.", rank=90),
    ),
    "mode_edit": (
        Action("keep", ("enter",), "keep", "Go on to the definition, or keep both.", rank=1),
        Action("next_field", ("tab",), "next field", "Go on to the other line.", rank=2),
        Action("cancel", ("escape",), "cancel", "Go back; nothing changes.", rank=3),
        Action("help", ("f1",), "help", "Show all keys, also while you type.", rank=90),
    ),
    "proposals": (
        *_CHOICES,
        Action("accept", ("enter",), "accept", "Keep the mode, and give it to its sessions.", rank=1),
        Action("edit", ("e",), "edit", "Change name or definition, then accept.", rank=2),
        Action("decline", ("d",), "decline", "Leave the proposal out.", rank=3),
        Action("cancel", ("escape", "q"), "back", "Go back; what you accepted is kept.", rank=4),
    ),
    "filters": (
        *_CHOICES,
        Action("take", ("enter",), "use", "Filter the list by it.", rank=1),
        Action("save", ("s",), "save", "Save the present filter under a name.", rank=2),
        Action("remove", ("D",), "delete", "Forget it.", rank=3),
        Action("cancel", ("escape", "q"), "back", "Go back.", rank=4),
    ),
    "naming": (
        Action("keep", ("enter",), "keep", "Keep it under this name.", rank=1),
        Action("cancel", ("escape",), "cancel", "Go back; nothing is kept.", rank=2),
    ),
    "tags": (
        Action("give", ("enter",), "give or take", "Give the tag, or take it where all have it.", rank=1),
        Action("choice_down", ("down",), "tag", "Go to the next tag.", rank=2, shown="↑ ↓"),
        Action("choice_up", ("up",), "tag before", "Go to the tag before."),
        Action("complete", ("tab",), "complete", "Write the tag under the cursor.", rank=3),
        Action("cancel", ("escape",), "done", "Go back; what you chose is kept.", rank=4),
    ),
    "export": (
        Action("start", ("enter",), "export", "Write the file.", rank=1),
        Action("choice_down", ("down",), "format", "Go to the next format.", rank=2, shown="↑ ↓"),
        Action("choice_up", ("up",), "format before", "Go to the format before."),
        Action("cancel", ("escape",), "cancel", "Go back, or stop; a file is written whole or not.", rank=3),
    ),
    "sort": (
        *_CHOICES,
        Action("choose", ("enter",), "sort", "Sort by this; once more turns it round.", rank=1),
        Action("cancel", ("escape", "q"), "cancel", "Go back.", rank=2),
    ),
    "columns": (
        *_CHOICES,
        Action("tick", ("space",), "tick", "Show the metric, or leave it out.", rank=2),
        Action("usual", ("a",), "as used", "Show those that were used last, as they fit.", rank=3),
        Action("keep", ("enter",), "keep", "Show the metrics that are ticked.", rank=1),
        Action("cancel", ("escape", "q"), "cancel", "Go back; nothing changes.", rank=4),
    ),
    "queue": (
        *_CHOICES,
        Action("begin", ("enter",), "begin", "Make the queue, or go on with it.", rank=1),
        Action("metric", ("m",), "metric", "Whose scores count: all, or one metric.", rank=2),
        Action("next_field", ("tab",), "next field", "Go on to size and name.", rank=3),
        Action("remove", ("D",), "delete", "Forget the queue; labels stay."),
        Action("cancel", ("escape",), "cancel", "Go back.", rank=4),
    ),
    "criteria": (
        Action("cursor_down", ("j", "down"), "down", "Go to the next one."),
        Action("cursor_up", ("k", "up"), "up", "Go to the one before."),
        *_MOVES[2:],
        Action("open", ("enter",), "edit", "Edit it, or read the tried session.", rank=1),
        Action("try", ("t", "ctrl+t"), "try", "Score a sample, beside your labels.", rank=2),
        Action("stop", ("x",), "stop", "Stop the trial; what is scored is kept.", rank=2),
        Action("draft", ("d", "ctrl+r"), "draft steps", "Let the judge draft steps from the words.", rank=4),
        Action("save", ("s", "ctrl+s"), "save", "Save it as YAML, in its file.", rank=3),
        Action("new", ("n",), "new", "Write another criterion.", rank=5),
        Action("versions", ("v",), "versions", "Set two versions side by side.", rank=6),
        Action("sample", ("o",), "try on", "Try on dev, the library, or train.", rank=7),
        Action("test", ("T",), "test split", "Try it on the test split, at the end."),
        Action("judge", ("J",), "judge", "Choose the model that judges."),
        Action("undo_all", ("U",), "undo all", "Go back to what the file says."),
        Action("back", ("escape", "q"), "back", "Leave the text, or the criteria.", rank=8),
    ),
    "versions": (
        Action("cursor_down", ("j", "down"), "scroll", "Go down by a line.", rank=3, shown="j k"),
        Action("cursor_up", ("k", "up"), "scroll up", "Go up by a line."),
        *_MOVES[2:],
        Action(
            "left_later", ("right", "l"), "left", "Show a later version at the left.", rank=1, shown="← →"
        ),
        Action("left_earlier", ("left", "h"), "left earlier", "Show an earlier version at the left."),
        Action(
            "right_later",
            ("right_square_bracket",),
            "right",
            "Show a later version at the right.",
            rank=2,
            shown="[ ]",
        ),
        Action(
            "right_earlier", ("left_square_bracket",), "right earlier", "Show an earlier one at the right."
        ),
        Action("take", ("enter",), "take left", "Put the left version into the editor.", rank=4),
        Action("back", ("escape", "q", "v"), "back", "Go back.", rank=5),
    ),
    "question": (
        *_CHOICES,
        Action("choose", ("enter",), "choose", "Take this answer.", rank=1),
        Action("cancel", ("escape",), "cancel", "Go back; nothing is done.", rank=2),
    ),
    "import": (
        Action("take", ("enter",), "import", "Open the folder, or import the file.", rank=1),
        Action("complete", ("tab",), "complete", "Complete the path, then go on to the role.", rank=2),
        Action("choice_down", ("down",), "down", "Go to the next file.", rank=3, shown="↑ ↓"),
        Action("choice_up", ("up",), "up", "Go to the file before."),
        Action("cancel", ("escape",), "cancel", "Go back; a file is imported whole or not at all.", rank=4),
    ),
    "compare": (
        *_MOVES,
        Action("open", ("enter",), "read both", "Read both transcripts side by side.", rank=1),
        Action(
            "next_metric", ("right", "l"), "metric", "Show the pairs of the next metric.", rank=2, shown="← →"
        ),
        Action("previous_metric", ("left", "h"), "metric before", "Show the pairs of the metric before."),
        Action("choose_a", ("a",), "run A", "Choose the run, or target, that is compared.", rank=3),
        Action("choose_b", ("b",), "run B", "Choose the run, or target, it is compared with.", rank=4),
        Action("swap", ("x",), "swap", "Let A and B change places.", rank=5),
        Action("back", ("escape", "q"), "back", "Go back.", rank=6),
    ),
    "pair": (
        Action(
            "cursor_down", ("j", "down"), "turn", "Go to the next turn, on both sides.", rank=1, shown="j k"
        ),
        Action("cursor_up", ("k", "up"), "turn up", "Go to the turn before, on both sides."),
        *_MOVES[2:],
        Action("next_difference", ("n",), "next change", "Go to the next turn that differs.", rank=2),
        Action("previous_difference", ("N",), "change before", "Go back to such a turn."),
        Action("next_pair", ("J",), "pair", "Go to the next pair of the list.", rank=3, shown="J K"),
        Action("previous_pair", ("K",), "pair before", "Go to the pair before."),
        Action("other_side", ("tab", "left", "right"), "side", "Go to the other side, A or B.", rank=4),
        Action("open", ("enter",), "review", "Review the session of this side.", rank=5),
        Action("why", ("w",), "why", "Show what is behind the score of this side.", rank=6),
        Action("fold", ("space",), "fold", "Open or fold the turn on both sides."),
        Action("copy", ("y",), "copy", "Copy the turn's text."),
        Action("back", ("escape", "q"), "back", "Go back to the comparison.", rank=7),
    ),
    "agreement": (
        *_MOVES,
        Action("open", ("enter",), "review", "Read the session that judge and people differ on.", rank=1),
        Action("next_metric", ("right", "l"), "metric", "Show the next metric.", rank=2, shown="← →"),
        Action("previous_metric", ("left", "h"), "metric before", "Show the metric before."),
        Action("other_pane", ("tab",), "metrics", "Go to the metrics, or back to the sessions.", rank=3),
        Action("author", ("a",), "whose labels", "Take one person's labels, or the majority's.", rank=4),
        Action("blind", ("b",), "blind only", "Count only labels given while scores were hidden.", rank=5),
        Action("back", ("escape", "q"), "back", "Go back.", rank=6),
    ),
    "choose_run": (
        *_CHOICES,
        Action("choose", ("enter",), "choose", "Take this run.", rank=1),
        Action("cancel", ("escape",), "cancel", "Go back; nothing changes.", rank=2),
    ),
    "rejections": (
        Action("scroll_down", ("j", "down", "pagedown"), "down", "Scroll down."),
        Action("scroll_up", ("k", "up", "pageup"), "up", "Scroll up."),
        Action("close", ("escape", "enter", "q"), "close", "Go back to the list.", rank=1),
    ),
    "pictures": (
        Action("next_picture", ("right", "j", "down"), "image", "Show the next image.", rank=1, shown="← →"),
        Action("previous_picture", ("left", "k", "up"), "image before", "Show the image before."),
        Action("close", ("escape", "enter", "q", "i"), "close", "Go back.", rank=2),
    ),
    "help": (
        Action("scroll_down", ("j", "down", "pagedown"), "down", "Scroll down.", rank=2, shown="j k"),
        Action("scroll_up", ("k", "up", "pageup"), "up", "Scroll up."),
        Action("close", ("escape", "question_mark", "q"), "close", "Go back.", rank=1),
    ),
    "jump": (Action("cancel", ("escape",), "leave", "Stay where you are.", rank=1),),
}


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
FOCUS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "TranscriptView": ("in the turns", _IN_TURNS),
    "ScoreList": ("in the scores", _IN_SCORES),
    "SessionList": ("in the list", {"cursor_down": "Go to the next session.", "open": "Read it."}),
    "Input": ("while you type", {"help": "f1, because ? is typed.", "clear": "Clear the line."}),
    "TextField": (
        "while you write",
        {
            "try": "ctrl+t, because t is typed.",
            "save": "ctrl+s, because s is typed.",
            "draft": "ctrl+r, because d is typed.",
            "help": "f1, because ? is typed.",
        },
    ),
    "MessageEditor": ("while you write", {"help": "f1, because ? is typed."}),
    "NoteEditor": ("while you write a note", {"help": "f1, because ? is typed."}),
}
"""What actions do where a kind of widget has the focus: its class -> where that is, and help by action."""

_ALWAYS = ("quit_soon", "command_palette")
"""What of "everywhere" no widget can take the keys of, and no dialog shuts out."""

Table = Mapping[Place, tuple[Action, ...]]
"""The actions of every place, with the keys of the registry or those of a user's keymap."""


def binding_id(place: Place, action: Action) -> str:
    """Return the name of an action's binding, which no other action has."""
    return f"{place}.{action.name}" + (f".{action.keys[0]}" if action.name == "quit_soon" else "")


def bindings(place: Place) -> list[Binding]:
    """Return the bindings of a screen, or of the app for "everywhere"; each has a name of its own."""
    # Commands that print the table of keys load no textual.
    from textual.binding import Binding

    return [
        Binding(
            ",".join(action.keys),
            f"app.{action.name}" if action.name == "quit_soon" else action.name,
            action.title,
            show=action.rank > 0,
            key_display=action.key_text,
            tooltip=action.help,
            id=binding_id(place, action),
            priority=place == "everywhere" and action.name in _ALWAYS,
        )
        for action in ACTIONS[place]
    ]


def line_of_keys(place: Place, table: Table = ACTIONS) -> list[Action]:
    """Return the actions that stand in the line of keys, in order."""
    own = {action.name for action in table[place]}
    shared = [action for action in table["everywhere"] if action.name not in own]
    ranked = [action for action in (*table[place], *shared) if action.rank]
    return sorted(ranked, key=lambda action: action.rank)
