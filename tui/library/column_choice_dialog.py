"""ColumnChoiceDialog: pick one of many columns or metrics by its name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from turnwise.tui.actions import Place, bindings
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.findable_choices import FindableChoices, FindingDialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.rewriting import rewrite


class ColumnChoiceDialog(FindingDialog[str | None]):
    """Ends with the id of the choice that was taken, or None."""

    PLACE: ClassVar[Place] = "column_choice"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("column_choice"))
    DEFAULT_CSS = "ColumnChoiceDialog #panel { width: 60; }"

    def begin(self, title: str, choices: Sequence[Choice], current: str) -> None:
        """current: the id of the choice that the cursor stands on."""
        self._words = title
        self._choices = choices
        self._current = current

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static(Content(""), classes="title")
            yield FindableChoices()
            yield KeyLine("column_choice")

    def on_mount(self) -> None:
        """Show what there is."""
        self.fill()

    def fill(self) -> None:
        """Show what there is; the cursor stands on the present one."""
        rewrite(self.query_one(".title", Static), self._words)
        choices = self.found
        if not (self._choices or choices.list.options):
            # Made ahead: a list that held none yet knows at once how high it is.
            return
        choices.show(self._choices, anew=True)
        ids = [choice.id for choice in self._choices]
        if self._current in ids:
            choices.list.highlighted = ids.index(self._current)

    def on_option_list_option_selected(self) -> None:
        """Take what was clicked."""
        self.action_choose()

    def on_input_submitted(self) -> None:
        """Take what was found."""
        self.action_choose()

    def action_choose(self) -> None:
        """Give back what is under the cursor."""
        if (choice := self.query_one(ChoiceList).current) is not None and not choice.disabled:
            self.dismiss(choice.id)
