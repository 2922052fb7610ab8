"""NoteLine: where a note about a session is written, here or in a text editor; nothing written is lost."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import click
from textual import events
from textual.app import ComposeResult, SuspendNotSupported
from textual.containers import Horizontal
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from turnwise.tui.parts.message_editor import MessageEditor
from turnwise.tui.parts.notice import note

EDITOR_KEY = "ctrl+e"


class NoteEditor(MessageEditor):
    """Writes a note; its line is told when it is left."""

    @dataclass
    class Left(Message):
        """Escape was pressed, or the text editor asked for."""

        in_editor: bool

    def on_key(self, event: events.Key) -> None:
        """Leave by escape, tab and the key of the editor; the others are those of a message."""
        if event.key in ("escape", EDITOR_KEY, "tab"):
            event.stop()
            event.prevent_default()
            self.post_message(self.Left(event.key == EDITOR_KEY))


class NoteLine(Horizontal):
    """A label and an editor, hidden until asked. Enter, escape, or a click elsewhere hand the note on."""

    DEFAULT_CSS = """
    NoteLine {
        height: auto;
        max-height: 8;
        display: none;
        background: $panel;
        &.-asking { display: block; }
        & > .note--label { width: auto; padding: 0 1; text-style: bold; color: $accent; }
        & > NoteEditor { width: 1fr; }
    }
    """

    @dataclass
    class Written(Message):
        """A note was written. about: what `ask` was told. in_editor: it is to go on in the text editor.

        by_enter: it was ended by enter, and not by leaving the line.
        """

        about: int
        text: str
        in_editor: bool = False
        by_enter: bool = False

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._about = 0

    def compose(self) -> ComposeResult:
        """Put the parts together."""
        yield Static("note", classes="note--label", markup=False)
        yield NoteEditor(placeholder="What did you see? Enter keeps it, esc too.")

    @property
    def asking(self) -> bool:
        """Whether it is there."""
        return self.has_class("-asking")

    def ask(self, about: int, text: str) -> None:
        """Let a note be written. about: the session's id. text: the note so far."""
        self._about = about
        editor = self.query_one(NoteEditor)
        editor.write(text)
        self.add_class("-asking")
        # Now, not when its turn comes: what is typed in the same burst is no key of the screen.
        self.screen.set_focus(editor)

    def on_note_editor_left(self, event: NoteEditor.Left) -> None:
        """Hand the note on."""
        event.stop()
        self.hand_on(in_editor=event.in_editor)

    def on_message_editor_submitted(self, event: MessageEditor.Submitted) -> None:
        """Hand the note on."""
        event.stop()
        self.hand_on(by_enter=True)

    def on_descendant_blur(self) -> None:
        """Hand the note on where something else was clicked."""
        if self.app.screen is self.screen:
            self.hand_on()

    def hand_on(self, *, in_editor: bool = False, by_enter: bool = False) -> None:
        """Close, and tell what was written. in_editor, by_enter: as Written has them."""
        if self.asking:
            self.remove_class("-asking")
            self.post_message(self.Written(self._about, self.query_one(NoteEditor).text, in_editor, by_enter))


async def edit_elsewhere(screen: Screen[Any], text: str, *, otherwise: str) -> str | None:
    """Let a text be edited in the editor of $VISUAL or $EDITOR; return None where it was not saved.

    otherwise: what to do where the terminal cannot be lent to an editor, in words.
    """
    try:
        # Nothing is drawn meanwhile; a run that is under way goes on.
        with screen.app.batch_update(), screen.app.suspend():
            return await asyncio.to_thread(click.edit, text, extension=".md")
    except SuspendNotSupported:
        note(screen, f"This terminal cannot be lent to an editor: {otherwise}.")
    except click.ClickException as error:
        note(screen, f"{error.message.rstrip('.')}. $EDITOR names the editor.")
    return None
