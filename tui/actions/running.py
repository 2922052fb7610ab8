"""The actions of the screens about runs and review queues."""

from __future__ import annotations

from turnwise.tui.actions.action import LIST_MOVES, Action, Place, aimed
from turnwise.tui.actions.places import places_but

RUNNING: dict[Place, tuple[Action, ...]] = {
    "runs": (
        *aimed("table", *LIST_MOVES),
        Action("open", ("enter",), "sessions", "List its sessions; two chosen runs are compared.", rank=1),
        Action("go_on", ("r",), "go on", "Judge what is left of it, and its failures once more.", rank=2),
        Action("choose", ("space",), "choose", "Choose the run to be compared, or leave it.", rank=3),
        Action("compare", ("C",), "compare", "Compare the two that are chosen.", rank=4),
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
        Action("remove", ("D",), "forget", "Forget the queue; the labels stay.", rank=3),
        Action(
            "export", ("e",), "hand out", "Write the queue as a page that is labelled in a browser.", rank=4
        ),
        Action(
            "import", ("b",), "take labels", "Bring in the file of labels that such a page saved.", rank=5
        ),
        Action("back", ("escape", "q"), "back", "Go back.", rank=6),
        *places_but("queues"),
    ),
}
