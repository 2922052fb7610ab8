"""The actions of the screens that a conversation is read, reviewed, recorded and replayed on."""

from __future__ import annotations

from turnwise.tui.actions.action import CHOICE_MOVES, LIST_MOVES, Action, Place, aimed

READING: dict[Place, tuple[Action, ...]] = {
    "review": (
        *aimed(
            "with_keys",
            Action("cursor_down", ("j", "down"), "turn", "Go to the next turn.", rank=1, shown="j k"),
            Action("cursor_up", ("k", "up"), "turn up", "Go to the turn before."),
            *LIST_MOVES[2:4],
            Action("home", ("home",), "first", "Go to the first; g g does so too."),
            LIST_MOVES[5],
        ),
        *aimed(
            "walk",
            Action(
                "next_session", ("J",), "session", "Go to the next session of the list.", rank=5, shown="J K"
            ),
            Action("previous_session", ("K",), "previous session", "Go to the session before."),
        ),
        *aimed(
            "move_keys",
            Action("next_failed", ("n",), "next ✗", "Go to the next failed verdict, or match found.", rank=2),
            Action("previous_failed", ("N",), "previous ✗", "Go back to such a turn."),
        ),
        Action("label_pass", ("p",), "pass", "Say that the session passes.", target="label_keys"),
        Action("label_fail", ("f",), "fail", "Say that it fails, first at this turn.", target="label_keys"),
        Action("label_defer", ("d",), "defer", "Put the decision off.", target="label_keys"),
        Action("note", ("c",), "note", "Write a note about the session.", target="note_keys"),
        Action(
            "note_in_editor",
            ("E",),
            "note in editor",
            "Write the note in $VISUAL or $EDITOR.",
            target="note_keys",
        ),
        Action(
            "anchor",
            ("exclamation_mark",),
            "first failure",
            "Say that this turn is the first that fails, or none.",
            target="label_keys",
        ),
        Action(
            "at_fault",
            ("X",),
            "whose fault",
            "Say of a fail who failed: the chatbot, its user, a tool or the judge; again for the next.",
            target="label_keys",
        ),
        Action(
            "near_mode",
            tuple("123456789"),
            "mode",
            "In a queue: give the failure mode of this number, or take back that you gave it.",
            shown="1-9",
            numbered=True,
        ),
        Action(
            "go_on_by_itself",
            ("greater_than_sign",),
            "auto-advance",
            "Let a label open the next session by itself, or not.",
            rank=15,
            target="label_keys",
        ),
        Action(
            "modes",
            ("m",),
            "failure modes",
            "Give the session failure modes.",
            rank=9,
            target="label_keys",
        ),
        Action(
            "undo", ("u",), "undo", "Take back your last label, note or failure mode.", target="label_keys"
        ),
        Action("redo", ("U",), "redo", "Make the change again that was undone last.", target="label_keys"),
        Action(
            "history",
            ("h",),
            "history",
            "Show who said what of this session, and when.",
            target="histories",
        ),
        Action(
            "compare",
            ("C",),
            "scores before",
            "Show what another judge, threshold or prompt found before, and what flipped.",
            target="histories",
        ),
        Action("reveal", ("s",), "show scores", "Show the scores before you label; it is recorded.", rank=3),
        Action(
            "agree", ("plus",), "agree", "Say the same of a metric as its score does.", target="label_keys"
        ),
        Action(
            "disagree", ("minus",), "disagree", "Say the opposite of a metric's score.", target="label_keys"
        ),
        Action(
            "other_pane",
            ("tab",),
            "scores",
            "Go to the scores, or back to the turns.",
            rank=4,
            target="move_keys",
        ),
        Action("open", ("enter",), "open", "Follow a score to its turn or to why; open or fold a turn."),
        Action("fold", ("space",), "fold", "Open or fold what is folded at this turn.", target="transcript"),
        Action(
            "fold_all",
            ("z",),
            "unfold all",
            "Open all that is folded, or fold it again.",
            rank=13,
            target="transcript",
        ),
        Action(
            "find",
            ("slash",),
            "find",
            "Find words or a regular expression in the turns.",
            rank=7,
            target="move_keys",
        ),
        Action(
            "why", ("w",), "why", "Show the very prompt and reply behind a score.", rank=3, target="move_keys"
        ),
        Action("score", ("r",), "score", "Score this session.", rank=11, target="elsewhere"),
        Action(
            "judge_again",
            ("f5",),
            "judge again",
            "Judge it by another judge or criterion, and see what is found otherwise.",
            target="histories",
        ),
        Action(
            "locate",
            ("at",),
            "where it fails",
            "Find the turn from which on it is no longer what the criterion asks for.",
            rank=14,
            target="histories",
        ),
        Action("replay", ("R",), "replay", "Play this session again.", rank=10, target="elsewhere"),
        Action("stop", ("x",), "stop", "Stop the run that is under way; what is scored is kept."),
        Action(
            "branches",
            ("f4",),
            "branches",
            "See the ways that this talk took beside each other, if several.",
            target="elsewhere",
        ),
        Action(
            "pictures",
            ("I",),
            "images",
            "See the images of this session, if there are any.",
            target="elsewhere",
        ),
        Action(
            "copy", ("y",), "copy", "Copy what is selected, or the turn's text.", rank=12, target="elsewhere"
        ),
        Action(
            "info",
            ("i",),
            "info",
            "Show metadata, system prompt, tools and times.",
            rank=8,
            target="move_keys",
        ),
        Action("turn", ("g",), "go to turn", "Go to a turn by its number.", rank=8, target="move_keys"),
        Action("back", ("escape", "q"), "back", "Close what is open, or go back to the list.", rank=6),
    ),
    "queue_end": (
        *CHOICE_MOVES,
        Action("choose", ("enter",), "go there", "Do what the cursor is on.", rank=1),
        Action("modes", ("4",), "modes", "See the failure modes, count and define them."),
        Action("agreement", ("6",), "agreement", "See how far metrics say what you say."),
        Action("look_back", ("K",), "look back", "Go back to the sessions of the queue.", rank=3),
        Action("undo", ("u",), "undo", "Take the last label back, and go to its session.", rank=4),
        Action("cancel", ("escape", "q"), "leave", "Leave the queue.", rank=2),
    ),
    "label_history": (
        *aimed(
            "lines",
            Action("scroll_down", ("j", "down", "pagedown"), "scroll", "Scroll down.", rank=2, shown="j k"),
            Action("scroll_up", ("k", "up", "pageup"), "scroll up", "Scroll up."),
        ),
        Action("close", ("escape", "enter", "q", "h"), "close", "Go back.", rank=1),
    ),
    "score_history": (
        *aimed(
            "lines",
            Action("scroll_down", ("j", "down", "pagedown"), "scroll", "Scroll down.", rank=2, shown="j k"),
            Action("scroll_up", ("k", "up", "pageup"), "scroll up", "Scroll up."),
        ),
        Action("close", ("escape", "enter", "q", "C"), "close", "Go back.", rank=1),
    ),
    "why": (
        *aimed(
            "view",
            Action("cursor_down", ("j", "down"), "scroll", "Go down by a line.", rank=1, shown="j k"),
            Action("cursor_up", ("k", "up"), "scroll up", "Go up by a line."),
            *LIST_MOVES[2:],
        ),
        Action("next_call", ("right",), "call", "Show the judge's next call.", rank=2, shown="← →"),
        Action("previous_call", ("left",), "call before", "Show the judge's call before."),
        Action("next_score", ("J",), "score", "Show what is behind the next score.", rank=3, shown="J K"),
        Action("previous_score", ("K",), "score before", "Show what is behind the score before."),
        Action("copy", ("y",), "copy", "Copy the prompt and the reply, as they were sent.", rank=4),
        Action("back", ("escape", "q", "w"), "back", "Go back.", rank=5),
    ),
    "record": (
        Action("stop", ("ctrl+x",), "stop", "Cut the reply short; what came is kept.", rank=1),
        Action("send", ("enter",), "send", "Send the message.", rank=1),
        Action("edit_and_fork", ("ctrl+e",), "edit", "Take your message back; go on in a branch.", rank=2),
        Action("regenerate", ("ctrl+r",), "retry", "Let the chatbot answer anew, in a branch.", rank=3),
        Action("score", ("ctrl+t",), "score", "Score the conversation so far.", rank=4),
        Action(
            "previous_branch",
            ("left_square_bracket",),
            "branch before",
            "After tab: the branch before.",
        ),
        Action(
            "next_branch",
            ("right_square_bracket",),
            "branch",
            "After tab: the next branch, with another reply or message.",
            shown="[ ]",
        ),
        Action(
            "branches", ("f4",), "beside", "See the branches of this talk beside each other, with scores."
        ),
        Action("finish", ("escape",), "finish", "Give up an edit, or end the recording.", rank=5),
        Action("new_line", ("ctrl+j",), "new line", "Begin a new line in the message.", rank=6),
        Action("page_up", ("pageup",), "page up", "Read what was said before."),
        Action("page_down", ("pagedown",), "page down", "Go on to what was said last."),
        Action("cursor_down", ("j", "down"), "next turn", "After tab: go to the next turn."),
        Action("cursor_up", ("k", "up"), "turn before", "After tab: go to the turn before."),
        Action("fold", ("space",), "fold", "After tab: open or fold what is folded.", target="view"),
        Action("help", ("f1",), "help", "Show all keys, also while you type.", rank=90),
    ),
    "branches": (
        *aimed(
            "transcript",
            Action(
                "cursor_down", ("j", "down"), "turn", "Go to the next turn, in both.", rank=1, shown="j k"
            ),
            Action("cursor_up", ("k", "up"), "turn up", "Go to the turn before, in both."),
            *LIST_MOVES[2:],
        ),
        *aimed(
            "differences",
            Action("next_difference", ("n",), "change", "Go to the next turn that differs.", rank=2),
            Action("previous_difference", ("N",), "change before", "Go back to such a turn."),
        ),
        Action(
            "next_branch",
            ("right_square_bracket",),
            "branch",
            "Show the next branch at the right.",
            rank=3,
            shown="[ ]",
        ),
        Action(
            "previous_branch",
            ("left_square_bracket",),
            "branch before",
            "Show the branch before at the right.",
        ),
        Action("other_side", ("tab", "left", "right"), "side", "Go to the other side, A or B.", rank=4),
        Action("open", ("enter",), "go on", "Go on in the branch that has the keys.", rank=5),
        Action("fold", ("space",), "fold", "Open or fold the turn in both."),
        Action("back", ("escape", "q"), "back", "Go back.", rank=6),
    ),
    "talk": (
        Action("start", ("enter",), "start", "Begin to record.", rank=1),
        Action(
            "choice_down",
            ("down",),
            "chatbot",
            "Go to the next chatbot.",
            rank=6,
            shown="↑ ↓",
            target="choices",
        ),
        Action("choice_up", ("up",), "chatbot before", "Go to the chatbot before.", target="choices"),
        Action("next_field", ("tab",), "next field", "Go on to address, role and system prompt.", rank=2),
        Action("simulate", ("f2",), "simulate", "Let simulated users talk to the chatbot instead.", rank=3),
        Action("cancel", ("escape",), "cancel", "Go back; nothing is recorded.", rank=4),
        Action("help", ("f1",), "help", "Show all keys, also while you type.", rank=90),
    ),
    "simulate": (
        Action("start", ("enter",), "start", "Open the folder, or play the scenarios of the file.", rank=1),
        Action("complete", ("tab",), "complete", "Complete the path, then go on to the next line.", rank=2),
        *aimed(
            "choices",
            Action("choice_down", ("down",), "file", "Go to the next file.", rank=3, shown="↑ ↓"),
            Action("choice_up", ("up",), "file before", "Go to the file before."),
        ),
        Action("line_before", ("shift+tab",), "line before", "Go to the line before."),
        Action("cancel", ("escape",), "cancel", "Go back; nothing is played.", rank=4),
        Action("help", ("f1",), "help", "Show all keys, also while you type.", rank=90),
    ),
    "simulation": (
        *aimed("table", *LIST_MOVES),
        Action("stop", ("x",), "stop", "End every talk with the reply under way; it goes on later.", rank=1),
        Action("open", ("enter",), "read", "Read the conversation.", rank=2),
        Action("next_failed", ("n",), "next ✗", "Go to the next one that failed.", rank=3),
        Action("previous_failed", ("N",), "previous ✗", "Go back to one that failed."),
        Action("score", ("r",), "score", "Judge the conversations that ended.", rank=4),
        Action(
            "new",
            ("ctrl+n",),
            "play others",
            "Play scenarios; what is finished of the same is there at once.",
            rank=5,
        ),
        Action("back", ("escape", "q"), "back", "Go back; what was said is kept.", rank=6),
    ),
    "replay": (
        Action("play", ("space",), "play", "Play or pause.", rank=1),
        Action("forward", ("right",), "step", "Show the next turn.", rank=2, shown="← →"),
        Action("back_step", ("left",), "step back", "Go back by a turn."),
        Action(
            "event_forward", ("full_stop",), "event", "Show the next event, a score among them.", shown="."
        ),
        Action("event_back", ("comma",), "event back", "Go back by an event.", shown=","),
        Action("slower", ("left_square_bracket",), "slower", "Play at half the speed."),
        Action("faster", ("right_square_bracket",), "speed", "Play at twice the speed.", rank=3, shown="[ ]"),
        Action("turn", ("g",), "turn", "Go to a turn by its number.", rank=5),
        Action(
            "next_failed", ("n",), "next ✗", "Go on to the next verdict that failed, or what l chose.", rank=4
        ),
        Action("previous_failed", ("N",), "previous ✗", "Go back to such a verdict."),
        Action("reveal", ("s",), "show scores", "Show the scores before you label; it is recorded.", rank=3),
        Action(
            "kind",
            ("l",),
            "what to find",
            "Choose what n and N find: failures, tool calls, user's turns, scores, labels or failure modes.",
            rank=7,
        ),
        *aimed(
            "transcript",
            Action("cursor_down", ("j", "down"), "look down", "Look at the next turn; the play goes on."),
            Action("cursor_up", ("k", "up"), "look up", "Look at the turn before; the play goes on."),
            *LIST_MOVES[2:4],
        ),
        Action("fold", ("enter",), "fold", "Open or fold what is folded at the turn.", target="transcript"),
        Action("home", ("home",), "start", "Go back to the start; g g does so too."),
        Action("end", ("end", "G"), "end", "Show all."),
        Action("back", ("escape", "q"), "back", "Leave the replay.", rank=6),
    ),
    "pictures": (
        Action("next_picture", ("right", "j", "down"), "image", "Show the next image.", rank=1, shown="← →"),
        Action("previous_picture", ("left", "k", "up"), "image before", "Show the image before."),
        Action("close", ("escape", "enter", "q", "I"), "close", "Go back.", rank=2),
    ),
}
