"""QuestionDialog: something is to be decided before it goes on: a question, and the answers there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Static

from turnwise.conversations.safe_text import make_safe
from turnwise.tui.actions import Place, bindings
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine


class QuestionDialog(Dialog[str | None]):
    """Ask; the result is the id of the answer, None where it was cancelled."""

    PLACE: ClassVar[Place] = "question"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("question"))
    DEFAULT_CSS = "QuestionDialog .words { margin-bottom: 1; }"

    def __init__(self, title: str, answers: Sequence[Choice], *, words: str = "") -> None:
        """words: what to know before one answers."""
        super().__init__()
        self._title = title
        self._answers = answers
        self._words = words

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static(make_safe(self._title), classes="title", markup=False)
            yield Static(make_safe(self._words), classes="words", markup=False)
            yield ChoiceList()
            yield KeyLine("question")

    def on_mount(self) -> None:
        """Show the answers."""
        self.query_one(".words", Static).display = bool(self._words)
        self.query_one(ChoiceList).show(self._answers)

    def on_option_list_option_selected(self) -> None:
        """Take the answer that was clicked."""
        self.action_choose()

    def action_choose(self) -> None:
        """Take the answer under the cursor."""
        if (choice := self.query_one(ChoiceList).current) is not None:
            self.dismiss(choice.id)
