"""Failure modes that were given or taken while a session is reviewed are taken back in order."""

from __future__ import annotations

from turnwise.conversations.store import AssignedMode
from turnwise.tui.shell.mode_steps import ModeSteps

SESSION = 7


def mode(number: int, turn: int | None = None) -> AssignedMode:
    return AssignedMode(number, f"mode {number}", turn, "ada", float(number), ("ada",))


def taken_back(steps: ModeSteps) -> list[str]:
    """Take back all that stands, and return what that was, in order."""
    told = []
    while change := steps.to_undo(SESSION, 0):
        told.append(change.words)
        steps.of(SESSION).undo()
    return told


def test_several_modes_of_one_dialog_are_taken_back_one_by_one_the_last_first() -> None:
    steps = ModeSteps("ada")
    steps.took(SESSION, [mode(1)], [mode(2), mode(3)], 0)
    assert taken_back(steps) == ["mode 3", "mode 2", "no mode 1"]


def test_a_mode_that_moved_to_another_turn_is_one_step() -> None:
    steps = ModeSteps("ada")
    steps.took(SESSION, [mode(1, 2)], [mode(1, 4)], 0)
    assert taken_back(steps) == ["mode 1"]
