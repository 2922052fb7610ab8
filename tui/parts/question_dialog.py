"""QuestionDialog: something is to be decided before it goes on: a question, and the answers there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, cast

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from turnwise.conversations.safe_text import make_safe
from turnwise.tui.actions import Place, bindings
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.rewriting import rewrite
from turnwise.tui.shell.shell import Shell


class QuestionDialog(Dialog[str | None]):
    """Ask; the result is the id of the answer, None where it was cancelled."""

    PLACE: ClassVar[Place] = "question"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("question"))
    DEFAULT_CSS = "QuestionDialog .words { margin-bottom: 1; }"

    def begin(self, title: str, answers: Sequence[Choice], *, words: str = "") -> None:
        """words: what to know before one answers."""
        self._title = title
        self._answers = answers
        self._words = words

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static(Content(""), classes="title")
            yield Static(Content(""), classes="words")
            yield ChoiceList()
            yield KeyLine("question")

    def on_mount(self) -> None:
        """Show the question."""
        self.fill()

    def fill(self) -> None:
        """Show the question; the cursor stands on the first answer."""
        rewrite(self.query_one(".title", Static), make_safe(self._title))
        words = self.query_one(".words", Static)
        rewrite(words, make_safe(self._words))
        words.display = bool(self._words)
        self.choices.show(self._answers, anew=True)

    def on_option_list_option_selected(self) -> None:
        """Take the answer that was clicked."""
        self.action_choose()

    def action_choose(self) -> None:
        """Take the answer under the cursor."""
        if (choice := self.query_one(ChoiceList).current) is not None:
            self.dismiss(choice.id)


async def ask(app: App[Any], title: str, answers: Sequence[Choice], *, words: str = "") -> str | None:
    """Ask, and return the id of the answer, None where it was cancelled. Call it from a worker."""
    kept = cast("Shell", app).kept_dialogs
    return await app.push_screen_wait(kept.of(QuestionDialog, title, answers, words=words))
