"""SpeakersDialog: who of those who speak in a file is the chatbot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import OptionList, Static

from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.words import counted
from turnwise.tui.actions import Action, Place, bindings
from turnwise.tui.parts.choice_list import Choice, ChoiceList
from turnwise.tui.parts.dialog import Dialog
from turnwise.tui.parts.key_line import KeyLine


class SpeakersDialog(Dialog[tuple[str, ...] | None]):
    """Asks who the chatbot is; the result is the names, None if the person went back."""

    PLACE: ClassVar[Place] = "speakers"
    BINDINGS: ClassVar[list[BindingType]] = list(bindings("speakers"))
    DEFAULT_CSS = """
    SpeakersDialog ChoiceList { margin-top: 1; }
    """

    def __init__(self, file: str, speakers: Sequence[tuple[str, int]]) -> None:
        """speakers: who speaks, and in how many turns, the likeliest chatbot first."""
        super().__init__()
        self._file = file
        self._speakers = speakers
        self._ticked: set[str] = set()

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="panel"):
            title = f"Who is the chatbot in {make_safe_line(self._file)}?"
            yield Static(title, classes="title", markup=False)
            words = "Take the one under the cursor, or tick several. All others are users."
            yield Static(words, classes="words", markup=False)
            yield ChoiceList()
            yield KeyLine("speakers")

    def on_mount(self) -> None:
        """Show who speaks."""
        self._show()
        self.choices.focus()

    def _show(self) -> None:
        self.choices.show(
            [
                Choice(name, name, counted(turns, "turn"), "✓" if name in self._ticked else "·")
                for name, turns in self._speakers
            ]
        )

    def action_tick(self) -> None:
        """Tick the speaker, or leave them out; a chatbot may have several names."""
        if (choice := self.choices.current) is not None:
            self._ticked ^= {choice.id}
            self._show()
            self.query_one(KeyLine).refresh()

    def key_now(self, action: Action) -> Action:
        """Say whom enter takes."""
        if action.name != "choose":
            return action
        ticked = len(self._ticked)
        return replace(action, title=f"take {ticked:,} ticked" if ticked else "take this one")

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Take who was clicked."""
        event.stop()
        self.action_choose()

    def action_choose(self) -> None:
        """Take those who are ticked, else the one under the cursor."""
        current = self.choices.current
        names = [name for name, _ in self._speakers if name in self._ticked]
        if names or current is not None:
            self.dismiss(tuple(names or ([current.id] if current else [])))
