"""TalkEditor: where a message is written, also one that was sent before and is written anew."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import Binding, BindingType

from turnwise.conversations.store import TurnRow
from turnwise.tui.actions import ACTIONS
from turnwise.tui.parts.message_editor import MessageEditor


class TalkEditor(MessageEditor):
    """The editor of a talk: the screen's keys with ctrl come before those of a text area."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key, f"screen.{action.name}", show=False)
        for action in ACTIONS["record"]
        for key in action.keys
        if action.name in ("edit_and_fork", "regenerate", "score", "stop", "branches", "page_up", "page_down")
    ]

    def __init__(self, *, placeholder: str = "") -> None:
        super().__init__(placeholder=placeholder)
        self.anew: int | None = None
        """The number of the turn that is written anew; None while a new message is written."""
        self._draft = ""
        """What stood here before the turn that is written anew."""

    def write_anew(self, row: TurnRow) -> None:
        """Put a message of the user here to be written anew; what stood here comes back afterwards."""
        if self.anew is None:
            self._draft = self.text
        self.anew = row.number
        self.write(row.content)
        self.focus()

    def give_up(self) -> bool:
        """Bring back what stood here before a turn was written anew; return whether one was."""
        if self.anew is None:
            return False
        self.anew = None
        self.write(self._draft)
        self._draft = ""
        return True

    def clear_sent(self) -> None:
        """Be empty again once the message was sent."""
        self.anew, self._draft = None, ""
        self.write("")
