"""ChooseRunDialog: which run, or which target of a run, is one side of a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static

from turnwise.conversations.store import Store
from turnwise.engine.comparing.sides import Side
from turnwise.tui.actions import Place, bindings
from turnwise.tui.compare.run_words import judge_of, side_words, when_words
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.rewriting import rewrite
from turnwise.tui.settings.keymap import key_of

MOST_RUNS = 100
"""Of more, the newest are offered; the command line compares any."""


@dataclass(frozen=True, slots=True)
class OfferedSide:
    """A side to choose, and what it is called: a run of a single target by that target too."""

    side: Side
    words: str


class ChooseRunDialog(Dialog[Side | None]):
    """Ask for a side; the result is it, or None where it was cancelled."""

    PLACE: ClassVar[Place] = "choose_run"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("choose_run"))

    def begin(self, letter: str, sides: Sequence[OfferedSide], present: Mapping[str, Side]) -> None:
        """letter: A or B. present: the sides of now, by their letters."""
        self._letter = letter
        self._sides = sides
        self._present = present
        self._letters = {(side.run.id, side.target): one for one, side in present.items()}

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static(Content(""), classes="title")
            yield ChoiceList()
            yield Static(classes="wrong", markup=False)
            yield KeyLine("choose_run")

    def on_mount(self) -> None:
        """Offer the runs."""
        super().on_mount()
        self.fill()

    def fill(self) -> None:
        """Offer the runs, the cursor on the one of now."""
        rewrite(self.query_one(".title", Static), f"Run {self._letter}")
        self.query_one(".wrong").display = False
        choices = self.query_one(ChoiceList)
        letters = [self._letters.get((one.side.run.id, one.side.target), "") for one in self._sides]
        choices.show(
            [
                Choice(
                    str(place), one.words, note=_note(one.side, letter), sign="·" if one.side.target else ""
                )
                for place, (one, letter) in enumerate(zip(self._sides, letters, strict=True))
            ],
            anew=True,
        )
        if self._letter in letters:
            choices.highlighted = letters.index(self._letter)

    def action_choose(self) -> None:
        """Take the run under the cursor, unless the other side is the same one."""
        if (choice := self.query_one(ChoiceList).current) is None:
            return
        side = self._sides[int(choice.id)].side
        there = self._letters.get((side.run.id, side.target), self._letter)
        if there == self._letter:
            self.dismiss(side)
        else:
            self._say_same(there)

    def _say_same(self, there: str) -> None:
        """Say that nothing differs from itself. there: the letter of the side that is the same."""
        swap = key_of(self.shell.actions, "compare", "swap")
        instead = f"; {swap} in the comparison swaps A and B" if len(self._present) > 1 else ""
        line = self.query_one(".wrong", Static)
        line.update(f"That is the same run as {there}. Choose another one{instead}.")
        line.display = True

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Take the run that was clicked."""
        self.action_choose()


def offered_sides(store: Store) -> list[OfferedSide]:
    """Return the newest runs, each of a suite with several targets followed by what each of them answered."""
    offered: list[OfferedSide] = []
    for run in store.runs.newest(MOST_RUNS):
        targets = store.run_outcomes.targets(run.id)
        offered.append(OfferedSide(Side(run), side_words(Side(run, targets[0] if len(targets) == 1 else ""))))
        sides = [Side(run, target) for target in targets if len(targets) > 1]
        offered += [OfferedSide(side, side_words(side)) for side in sides]
    return offered


def _note(side: Side, letter: str) -> str:
    now = f"{letter} now" if letter else ""
    passed = "" if side.target else f"{side.run.passed:,} of {side.run.scores:,} passed"
    # What has no room at the end is cut there.
    return " · ".join(part for part in (now, passed, when_words(side.run), judge_of(side.run)) if part)
