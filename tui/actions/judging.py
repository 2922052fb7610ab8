"""The actions of the screens about judges, criteria and how far they agree."""

from __future__ import annotations

from dataclasses import replace

from turnwise.tui.actions.action import CHOICE_MOVES, LIST_MOVES, Action, Place, aimed, side_moves
from turnwise.tui.actions.places import places_but

_LIST_BESIDE_LINES = (
    *CHOICE_MOVES[:2],
    *CHOICE_MOVES[4:],
    *aimed(
        "lines",
        Action("page_down", ("pagedown", "ctrl+d"), "scroll", "Scroll down what was found.", rank=6),
        Action("page_up", ("pageup", "ctrl+u"), "scroll up", "Scroll it up."),
    ),
)
"""What moves in a list of choices, and scrolls what stands below it."""

JUDGING: dict[Place, tuple[Action, ...]] = {
    "score": (
        *CHOICE_MOVES,
        Action("tick", ("space",), "tick", "Take the metric, or leave it out.", rank=2),
        Action("find", ("slash",), "find", "Find a metric by its name, or by what it does.", rank=3),
        Action("tick_all", ("a",), "all", "Take all that are shown and can judge something.", rank=6),
        Action("each_turn", ("z",), "every exchange", "Let metrics of replies judge every exchange.", rank=5),
        Action("judge", ("L",), "judge", "Choose the model that judges.", rank=3),
        Action(
            "own_judge",
            ("f2",),
            "judge of this metric",
            "Give this metric a judge of its own, or none.",
            rank=7,
        ),
        Action("start", ("enter",), "start", "Begin to score.", rank=1),
        Action("cancel", ("escape",), "cancel", "Go back; nothing is scored.", rank=4),
    ),
    "judge": (
        *CHOICE_MOVES,
        Action("choose", ("enter",), "choose", "Take this judge.", rank=1, shown="enter 1-9", also="1-9"),
        Action(
            "trial",
            ("T",),
            "try it",
            "Try out whether this judge is swayed by what should not matter.",
            rank=3,
        ),
        Action("fetch", ("b",), "yes, fetch", "Fetch the model that was asked for.", rank=2),
        Action("cancel", ("escape",), "cancel", "Go back, or stop the fetch; what came is kept.", rank=4),
    ),
    "trial": (
        *_LIST_BESIDE_LINES,
        Action("start", ("enter",), "begin", "Ask the judge: a trial, or one more.", rank=1),
        Action("cancel", ("escape",), "back", "Stop, or go back; what was answered is kept.", rank=3),
    ),
    "criteria": (
        *aimed(
            "choices",
            Action("cursor_down", ("j", "down"), "down", "Go to the next one."),
            Action("cursor_up", ("k", "up"), "up", "Go to the one before."),
            *LIST_MOVES[2:],
        ),
        Action(
            "open", ("enter",), "edit", "Edit the criterion, or read the session under the cursor.", rank=1
        ),
        Action("next_field", ("tab",), "next field", "Go on to the next field, sessions or list."),
        Action(
            "try",
            ("r", "ctrl+t"),
            "try",
            "Score some sessions by it, and see how far that agrees with labels.",
            rank=2,
        ),
        Action("stop", ("x",), "stop", "Stop the trial; what is scored is kept.", rank=2),
        *aimed(
            "writing_keys",
            Action("draft", ("ctrl+r",), "draft steps", "Let the judge draft steps from the words.", rank=7),
            Action("save", ("ctrl+s",), "save", "Save it as YAML, in its file.", rank=3),
        ),
        Action("new", ("ctrl+n",), "new", "Write another criterion.", rank=5),
        *aimed(
            "writing_keys",
            Action("versions", ("V",), "versions", "Set two versions side by side.", rank=6),
            Action(
                "improve",
                ("I",),
                "improve",
                "See changes to it that would agree better with your labels.",
                rank=6,
            ),
        ),
        Action(
            "locate",
            ("at",),
            "where it fails",
            "Find in each session the turn from which on it fails the criterion.",
            rank=9,
        ),
        Action(
            "sample",
            ("l",),
            "other sessions",
            "Choose which sessions it is tried on: dev, the library, or train.",
            rank=4,
        ),
        Action("test", ("T",), "test split", "Try it on the labels that are held back for the end (test)."),
        Action("judge", ("L",), "judge", "Choose the model that judges."),
        Action("undo_all", ("u",), "undo all", "Go back to what is saved.", target="writing_keys"),
        Action("back", ("escape", "q"), "back", "Leave the field, or go back.", rank=8),
        *places_but("criteria"),
    ),
    "improve": (
        *CHOICE_MOVES,
        Action("tick", ("space",), "tick", "Choose the proposal, or leave it out.", rank=2),
        Action("use", ("enter",), "use them", "Put what is ticked into the editor.", rank=1),
        Action("cancel", ("escape",), "cancel", "Stop, or go back; what was judged is kept.", rank=3),
    ),
    "locate": (
        *CHOICE_MOVES,
        Action(
            "open", ("enter",), "go to turn", "Begin to search; then go to the turn that was found.", rank=1
        ),
        Action(
            "each_turn",
            ("z",),
            "judge every reply",
            "Judge after every reply, so that a replay has the whole curve, or only as often as it takes.",
            rank=2,
        ),
        Action("cancel", ("escape",), "back", "Stop, or go back; what was found is kept.", rank=3),
    ),
    "learn": (
        # Also where there are too few labels to learn from, one sees of what there are more.
        replace(CHOICE_MOVES[0], title="choose", rank=6, shown="j k"),
        *_LIST_BESIDE_LINES[1:],
        Action(
            "start",
            ("enter",),
            "learn",
            "Learn from these labels, and measure on others how well that works.",
            rank=1,
        ),
        Action(
            "score", ("r",), "score", "Score all sessions by what was learned; no judge is asked.", rank=2
        ),
        Action(
            "next_field", ("tab",), "next field", "Go on to the name, to what was found, and back.", rank=3
        ),
        Action("remove", ("D",), "forget", "Forget what was learned; its scores stay.", rank=5),
        Action("cancel", ("escape",), "back", "Stop, or go back; nothing half-learned is kept.", rank=4),
    ),
    "versions": (
        *aimed(
            "view",
            Action("cursor_down", ("j", "down"), "scroll", "Go down by a line.", rank=6, shown="j k"),
            Action("cursor_up", ("k", "up"), "scroll up", "Go up by a line."),
            *LIST_MOVES[2:],
        ),
        Action(
            "left_later", ("right",), "left version", "Show a later version at the left.", rank=1, shown="← →"
        ),
        Action("left_earlier", ("left",), "left earlier", "Show an earlier version at the left."),
        Action(
            "right_later",
            ("right_square_bracket",),
            "right version",
            "Show a later version at the right.",
            rank=2,
            shown="[ ]",
        ),
        Action(
            "right_earlier",
            ("left_square_bracket",),
            "right version earlier",
            "Show an earlier one at the right.",
        ),
        Action(
            "use",
            ("enter",),
            "edit left one",
            "Make the left version the text in the editor; the others are kept.",
            rank=4,
        ),
        Action("back", ("escape", "q", "V"), "back", "Go back.", rank=5),
    ),
    "agreement": (
        *aimed("table", *LIST_MOVES),
        Action("open", ("enter",), "review", "Read the session that judge and people differ on.", rank=1),
        Action("next_metric", ("right",), "metric", "Show the next metric.", rank=2, shown="← →"),
        Action("previous_metric", ("left",), "metric before", "Show the metric before."),
        Action("other_pane", ("tab",), "metrics", "Go to the metrics, or back to the sessions.", rank=4),
        Action(
            "agree",
            ("plus",),
            "judge is right",
            "Say that the judge is right of this metric; kept as a label of the metric.",
            rank=3,
        ),
        Action(
            "disagree",
            ("minus",),
            "is wrong",
            "Say that the judge is wrong of this metric; kept as a label of the metric.",
            rank=3,
        ),
        Action("undo", ("u",), "undo", "Take back what you said of a metric here."),
        Action(
            "settle", ("Q",), "settle disputes", "Review what people see differently, and settle it.", rank=4
        ),
        Action("author", ("P",), "whose labels", "Take one person's labels, or the majority's.", rank=5),
        Action("learn", ("Y",), "learn", "Let the labels teach a metric that asks no judge.", rank=7),
        Action("export", ("e",), "labels to a file", "Write all labels into a CSV or YAML.", rank=8),
        Action("import", ("b",), "bring in labels", "Bring in labels from a file.", rank=9),
        Action("blind", ("s",), "blind only", "Count only labels given while scores were hidden.", rank=5),
        Action("back", ("escape", "q"), "back", "Go back.", rank=6),
        *places_but("agreement"),
    ),
    "compare": (
        *aimed("list", *LIST_MOVES),
        Action("open", ("enter",), "read both", "Read both transcripts, turn by turn.", rank=1),
        Action(
            "next_metric", ("right",), "metric", "Show the pairs of the next metric.", rank=2, shown="← →"
        ),
        Action("previous_metric", ("left",), "metric before", "Show the pairs of the metric before."),
        Action("choose_a", ("A",), "choose A", "Choose run A, or what one target answered in a run.", rank=3),
        Action("choose_b", ("B",), "choose B", "Choose run B, or what one target answered in a run.", rank=4),
        Action("swap", ("S",), "swap", "Let A and B change places.", rank=5),
        Action(
            "hyperparameters",
            ("i",),
            "parameters",
            "Show the hyperparameters of both runs, such as the model, or fold them.",
            rank=7,
        ),
        Action("back", ("escape", "q"), "back", "Go back.", rank=6),
        *places_but("compare"),
    ),
    "pair": (
        *side_moves(1),
        Action("next_pair", ("J",), "pair", "Go to the next pair of the list.", rank=3, shown="J K"),
        Action("previous_pair", ("K",), "pair before", "Go to the pair before."),
        Action("other_side", ("tab", "left", "right"), "other side", "Go to the other side, A or B.", rank=4),
        Action("open", ("enter",), "review", "Review the session of this side.", rank=5),
        Action("why", ("w",), "why", "Show the prompt and reply behind the score of this side.", rank=6),
        Action("fold", ("space",), "fold", "Open or fold the turn on both sides."),
        Action("copy", ("y",), "copy", "Copy the turn's text."),
        Action("back", ("escape", "q"), "back", "Go back to the comparison.", rank=7),
    ),
    "choose_run": (
        *CHOICE_MOVES,
        Action("choose", ("enter",), "choose", "Take this run.", rank=1),
        Action("cancel", ("escape",), "cancel", "Go back; nothing changes.", rank=2),
    ),
}
