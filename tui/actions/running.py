"""The actions of the screens about runs, review queues and pairs."""

from __future__ import annotations

from turnwise.tui.actions.action import CHOICE_MOVES, LIST_MOVES, Action, Place, aimed, side_moves
from turnwise.tui.actions.places import places_but

RUNNING: dict[Place, tuple[Action, ...]] = {
    "runs": (
        *aimed("table", *LIST_MOVES),
        Action("open", ("enter",), "sessions", "List its sessions; two chosen runs are compared.", rank=1),
        Action(
            "go_on",
            ("r",),
            "go on",
            "Judge what the run left, and once more what could not be judged.",
            rank=2,
        ),
        Action("choose", ("space",), "choose", "Choose the run to be compared, or leave it.", rank=3),
        Action(
            "compare",
            ("C",),
            "compare",
            "Compare the chosen runs, or this run with the one before.",
            rank=4,
        ),
        Action("rename", ("E",), "rename", "Give the run a name.", rank=5),
        Action("stop", ("x",), "stop", "Stop the run that is under way; what is scored is kept.", rank=6),
        Action("judge", ("L",), "judge", "Choose the model that judges.", rank=7),
        Action("back", ("escape", "q"), "back", "Go back.", rank=8),
        *places_but("runs"),
    ),
    "queues": (
        *aimed("table", *LIST_MOVES),
        Action("open", ("enter",), "review", "Go on with the queue.", rank=1),
        Action("add", ("Q", "ctrl+n"), "new queue", "Choose sessions for a queue.", rank=2),
        Action("remove", ("D",), "forget", "Forget the queue; the labels stay.", rank=4),
        Action(
            "export",
            ("e",),
            "labelling page",
            "Write the queue as a page that is labelled in a browser.",
            rank=5,
        ),
        Action(
            "import",
            ("b",),
            "import labels",
            "Bring in labels: what such a page saved, or a CSV or YAML.",
            rank=6,
        ),
        Action(
            "pairs",
            ("equals_sign",),
            "compare pairs",
            "Say which of two is better, read side by side.",
            rank=3,
        ),
        Action("back", ("escape", "q"), "back", "Go back.", rank=7),
        *places_but("queues"),
    ),
    "pairs": (
        *CHOICE_MOVES,
        Action("begin", ("enter",), "compare", "Make the pairs, or go on with them.", rank=1),
        Action(
            "rates",
            ("percent_sign",),
            "strengths",
            "See which group is preferred so far, and how often.",
            rank=2,
        ),
        Action("next_field", ("tab",), "next field", "Go on to how many, and the name.", rank=3),
        Action("remove", ("D",), "forget", "Forget the pairs, and what was said of them.", rank=5),
        Action("cancel", ("escape",), "cancel", "Go back.", rank=4),
    ),
    "preferring": (
        Action("prefer_left", ("left",), "left is better", "Say that the left one is better.", rank=1),
        Action("prefer_right", ("right",), "right is better", "Say that the right one is better.", rank=2),
        Action("tie", ("equals_sign",), "neither", "Say that neither is better.", rank=3),
        Action("undo", ("u",), "undo", "Take back what you said last, and go to its pair.", rank=4),
        *side_moves(5),
        Action("other_side", ("tab",), "side", "Give the keys to the other side.", rank=7),
        Action("note", ("c",), "note", "Write why.", rank=8),
        Action("next_pair", ("J",), "pair", "Go to the next pair.", rank=9, shown="J K"),
        Action("previous_pair", ("K",), "pair before", "Go to the pair before."),
        Action("fold", ("space",), "fold", "Open or fold the turn on both sides."),
        Action("back", ("escape", "q"), "back", "Go back; what was said is kept.", rank=10),
    ),
    "preferences": (
        *CHOICE_MOVES,
        Action("choose", ("enter",), "go there", "Do what the cursor is on.", rank=1),
        Action("cancel", ("escape", "q"), "leave", "Go back.", rank=2),
    ),
}
