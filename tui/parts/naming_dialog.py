"""NamingDialog: asks for a name under which something is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from turnwise.conversations.safe_text import make_safe_line
from turnwise.tui.actions import Action, Place, bindings
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.error_words import error_words
from turnwise.tui.parts.key_line import KeyLine
from turnwise.tui.parts.rewriting import rewrite


class NamingDialog(Dialog[str | None]):
    """Ask for a name; ends with it, or with None."""

    PLACE: ClassVar[Place] = "naming"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("naming"))

    def begin(
        self,
        title: str,
        about: str = "",
        name: str = "",
        *,
        what: str = "a name",
        does: str = "",
        wrong: str = "",
    ) -> None:
        """about: a line on what is kept. name: what stands there at first.

        what: is asked for, such as "a path". does: what enter does with it, where it does not keep something.
        wrong: why it asks once more.
        """
        self._title, self._about, self._name_given = title, about, name
        self._what, self._does, self._wrong = what, does, wrong

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            yield Static(Content(""), classes="title")
            yield Input()
            yield Static(Content(""), classes="words")
            yield Static(Content(""), classes="wrong")
            yield KeyLine("naming")

    def on_mount(self) -> None:
        """Show what is asked."""
        self.fill()

    def fill(self) -> None:
        """Show what is asked, and why once more; whatever is typed takes the place of what stands there."""
        rewrite(self.query_one(".title", Static), self._title)
        field = self.query_one(Input)
        what = self._what.partition(" ")[2]
        field.value, field.placeholder = self._name_given, f"({what})" if what else ""
        field.select_all()
        about = self.query_one(".words", Static)
        rewrite(about, make_safe_line(self._about))
        about.display = bool(self._about)
        self._say(self._wrong)
        self.refresh_bindings()

    def key_now(self, action: Action) -> Action:
        """Say what enter does here."""
        return replace(action, title=self._does) if action.name == "keep" and self._does else action

    def on_input_submitted(self) -> None:
        """Keep it."""
        self.action_keep()

    def action_keep(self) -> None:
        """Give the name back."""
        if name := " ".join(self.query_one(Input).value.split()):
            self.dismiss(name)
            return
        self._say(f"Type {self._what} first.")

    def _say(self, text: str) -> None:
        line = self.query_one(".wrong", Static)
        rewrite(line, error_words(text))
        line.display = bool(text)
