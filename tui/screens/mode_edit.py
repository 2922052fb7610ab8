"""ModeEditDialog: the name of a failure mode and its definition, to write or to change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store.mode_names import checked_definition, checked_name
from turnwise.tui.actions import Place, bindings
from turnwise.tui.screens.dialog import Dialog
from turnwise.tui.screens.mode_choice import DEFINITION_HINT
from turnwise.tui.widgets.key_line import KeyLine
from turnwise.tui.widgets.safe_text import make_safe_line


@dataclass(frozen=True, slots=True)
class WrittenMode:
    """What was written."""

    name: str
    definition: str


class ModeEditDialog(Dialog[WrittenMode | None]):
    """Asks for both lines; ends with what was written, or None where it was cancelled."""

    PLACE: ClassVar[Place] = "mode_edit"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("mode_edit"))
    DEFAULT_CSS = """
    ModeEditDialog Input { margin-bottom: 1; }
    """

    def __init__(self, title: str, name: str = "", definition: str = "") -> None:
        super().__init__()
        self._title = title
        self._name = name
        self._definition = definition

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static(make_safe_line(self._title), classes="title", markup=False)
            yield Static("Name: what the chatbot does, in a few words", classes="words", markup=False)
            yield Input(self._name, id="name", placeholder="asks again for what it was told")
            yield Static("Definition: two people would decide alike by it", classes="words", markup=False)
            yield Input(self._definition, id="definition", placeholder=DEFINITION_HINT, select_on_focus=False)
            yield Static("", classes="wrong", markup=False)
            yield KeyLine("mode_edit")

    def on_input_submitted(self) -> None:
        """Go on to the definition, or keep both."""
        self.action_keep()

    def action_help(self) -> None:
        """Show all keys."""
        self.app.action_help()

    def action_next_field(self) -> None:
        """Go on to the other line."""
        other = "#definition" if self.query_one("#name", Input).has_focus else "#name"
        self.query_one(other, Input).focus()

    def action_keep(self) -> None:
        """Keep what was written, once both lines are."""
        name, definition = (self.query_one(f"#{field}", Input) for field in ("name", "definition"))
        if name.has_focus and not definition.value.strip():
            definition.focus()
            return
        try:
            written = WrittenMode(checked_name(name.value), checked_definition(definition.value))
        except TurnwiseError as error:
            line = self.query_one(".wrong", Static)
            line.update(make_safe_line(f"{error.title}. {error.next_step}"))
            line.display = True
            return
        self.dismiss(written)
