"""The actions of the screens about failure modes."""

from __future__ import annotations

from turnwise.tui.actions.action import CHOICE_MOVES, LIST_MOVES, Action, Place, aimed
from turnwise.tui.actions.places import places_but

NAMING_FAILURES: dict[Place, tuple[Action, ...]] = {
    "failure_modes": (
        *aimed("table", *LIST_MOVES),
        Action("open", ("enter",), "open", "Read the note's session, or list the sessions.", rank=1),
        Action(
            "next_part", ("tab",), "other list", "Go to the next list: notes, failure modes, rates.", rank=2
        ),
        Action("notes", ("c",), "notes", "Show the notes: what failure modes are made from."),
        Action("modes", ("l",), "modes", "Show the failure modes with their definitions."),
        Action("rates", ("percent_sign",), "rates", "Show how often each failure mode occurs."),
        Action(
            "tick",
            ("space",),
            "tick",
            "Tick the note, to give its session a failure mode, or leave it out.",
            rank=3,
        ),
        Action("tick_all", ("a",), "all", "Tick all notes that are shown, or none."),
        Action(
            "assign",
            ("m",),
            "assign",
            "Give a failure mode to the sessions of the ticked notes, or of this one.",
            rank=4,
        ),
        Action("find", ("slash",), "find", "Show only rows that have the words you type.", rank=7),
        Action("uncoded", ("F",), "without mode", "Show only notes without a failure mode, or all.", rank=7),
        Action(
            "propose",
            ("r",),
            "propose",
            "Let the judge propose failure modes from the notes; you decide.",
            rank=6,
        ),
        Action(
            "by", ("ctrl+g",), "grouping", "Count over all sessions, or by role, tag or metadata.", rank=3
        ),
        Action("add", ("ctrl+n",), "new mode", "Name a failure mode.", rank=5),
        Action("edit", ("E",), "edit", "Change its name or its definition.", rank=4),
        Action("merge", ("M",), "merge", "Merge it into another one, whose name its sessions get.", rank=6),
        Action("retire", ("D",), "retire", "Take it out of use; what it was given to is kept."),
        Action("undo", ("u",), "undo", "Take back your newest change.", rank=8),
        Action("redo", ("U",), "redo", "Make the change again."),
        Action("back", ("escape", "q"), "back", "Show all rows again, or go back.", rank=9),
        *places_but("failure_modes"),
    ),
    "mode_choice": (
        Action(
            "give", ("enter",), "give or take away", "Give the session the mode, or take yours away.", rank=1
        ),
        Action(
            "choice_down", ("down",), "mode", "Go to the next mode.", rank=2, shown="↑ ↓", target="choices"
        ),
        Action("choice_up", ("up",), "mode before", "Go to the mode before.", target="choices"),
        Action("cancel", ("escape",), "done", "Go back; what you chose is kept.", rank=3),
        Action("help", ("f1",), "help", "Show all keys, also while you type.", rank=90),
    ),
    "mode_pick": (
        Action("choose", ("enter",), "choose", "Choose this mode.", rank=1),
        Action(
            "choice_down", ("down",), "mode", "Go to the next mode.", rank=2, shown="↑ ↓", target="choices"
        ),
        Action("choice_up", ("up",), "mode before", "Go to the mode before.", target="choices"),
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
        *CHOICE_MOVES,
        Action("accept", ("enter",), "accept", "Keep the mode, and give it to its sessions.", rank=1),
        Action("edit", ("E",), "edit", "Change name or definition, then accept.", rank=2),
        Action("decline", ("D",), "decline", "Leave the proposal out.", rank=3),
        Action("cancel", ("escape", "q"), "back", "Go back; what you accepted is kept.", rank=4),
    ),
}
