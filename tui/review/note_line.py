"""NoteLine: where a note about a session is written, here or in a text editor; nothing written is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click
from textual import events
from textual.app import ComposeResult, SuspendNotSupported
from textual.containers import Horizontal
from textual.screen import Screen
from textual.widgets import Static

from turnwise.conversations.safe_text import make_safe
from turnwise.tui.ending import terminal_lent
from turnwise.tui.parts.message_editor import MessageEditor
from turnwise.tui.parts.notice import note

EDITOR_KEY, BACK_KEY = "ctrl+e", "ctrl+u"
SECONDS_TO_HEAR = 0.05
"""So long a signal takes at the most to be heard by a busy loop."""


class NoteEditor(MessageEditor):
    """Writes a note, and says when it is left."""

    def __init__(
        self, is_asked: Callable[[], bool], leave: Callable[[str], None], take_back: Callable[[], None]
    ) -> None:
        """is_asked: whether a note is written now. leave: called with the key that leaves. take_back: called
        where nothing of what was typed is wanted.
        """
        super().__init__(placeholder=f"(What did you see? Enter or esc keeps it, {BACK_KEY} takes it back.)")
        self._is_asked = is_asked
        self._leave = leave
        self._take_back = take_back

    def on_key(self, event: events.Key) -> None:
        """Leave by enter, escape, tab and the key of the editor, or take back what was typed.

        The other keys are those of a message.
        """
        if not self._is_asked():
            # It came in one burst with the key that left: it is the screen's, which has the keys by now.
            self.app.post_message(events.Key(event.key, event.character))
        elif event.key in ("enter", "escape", "tab", EDITOR_KEY):
            self._leave(event.key)
        elif event.key == BACK_KEY:
            self._take_back()
        else:
            return
        event.stop()
        event.prevent_default()


@dataclass(frozen=True, slots=True)
class WrittenNote:
    """A note as it was written.

    about: what `ask` was told. adds: what stood before was not known, and goes before what was written.
    in_editor: it is to go on in the text editor. by_enter: it was ended by enter, not by leaving the line.
    by_escape: it was left by escape.
    """

    about: int
    text: str
    adds: bool
    in_editor: bool
    by_enter: bool
    by_escape: bool = False


class NoteLine(Horizontal):
    """A label and an editor, hidden until asked. Enter, escape, or a click elsewhere hand the note on."""

    DEFAULT_CSS = """
    NoteLine {
        height: auto;
        max-height: 8;
        display: none;
        background: $panel;
        & > .note--label { width: auto; padding: 0 1; text-style: bold; color: $accent; }
        & > NoteEditor { width: 1fr; }
    }
    """

    def __init__(self, written: Callable[[WrittenNote], object], covers: Callable[[int], object]) -> None:
        """written: called with each note, before another key is answered. covers: with the lines it takes."""
        super().__init__()
        self._written: Callable[[WrittenNote], object] = written
        self._covers = covers
        self.editor = NoteEditor(lambda: self.asking, self._leave, self.take_back)
        """Where one types; it is known here also when the line has lost its parts, as a screen goes."""
        self._about = 0
        self._asking = False
        """Of a line that is taken away Textual says that it is not displayed."""
        self._so_far: str | None = None
        """The note as it was when one began to write, None while that is not known."""

    def compose(self) -> ComposeResult:
        """Put the parts together."""
        yield Static("session note", classes="note--label", markup=False)
        yield self.editor

    @property
    def asking(self) -> bool:
        """Whether it is there."""
        return self._asking

    def ask(self, about: int, text: str | None) -> None:
        """Let a note be written. about: the session's id. text: the note so far, None if not known yet."""
        self._about, self._so_far = about, text
        editor = self.editor
        editor.write(text or "")
        self._asking = self.display = True
        # Now, not when its turn comes: what is typed in the same burst is no key of the screen.
        self.screen.set_focus(editor)

    def take_back(self) -> None:
        """Let the note be as it was when one began to write; ctrl+z brings back what was typed."""
        editor = self.editor
        end = editor.replace(make_safe(self._so_far or ""), (0, 0), editor.document.end).end_location
        editor.move_cursor(end)
        self.screen.set_focus(editor)

    def move_to(self, about: int) -> None:
        """Let what is being written be about another session, which was gone on to before it was begun."""
        if self.asking:
            editor = self.editor
            typed = editor.text.removeprefix(make_safe(self._so_far or ""))
            self.ask(about, None)
            editor.write(typed)

    def know(self, text: str) -> None:
        """Take the note so far, not known when one began to write: it goes before what was typed."""
        if self.asking and self._so_far is None:
            self._so_far = text
            self.editor.write_before(text)

    def on_resize(self, event: events.Resize) -> None:
        """Tell how many lines it takes now."""
        if self.asking:
            self._covers(event.size.height)

    def on_unmount(self) -> None:
        """Hand the note on where the screen goes, and keep nothing of that: Textual may remember a line."""
        self.hand_on()
        self._written, self._covers = _nobody, _nothing

    def on_descendant_blur(self) -> None:
        """Hand the note on where something else was clicked."""
        if self.app.screen is self.screen:
            self.hand_on()

    def _leave(self, key: str) -> None:
        self.hand_on(in_editor=key == EDITOR_KEY, by_enter=key == "enter", by_escape=key == "escape")

    def hand_on(self, *, in_editor: bool = False, by_enter: bool = False, by_escape: bool = False) -> None:
        """Close, and tell what was written. in_editor, by_enter, by_escape: as WrittenNote has them."""
        if self.asking:
            self._asking = self.display = False
            self._covers(0)
            text, adds = self.editor.text, self._so_far is None
            self._written(WrittenNote(self._about, text, adds, in_editor, by_enter, by_escape))


def _nobody(note: WrittenNote) -> None:
    """Take a note that nobody wrote."""


def _nothing(lines: int) -> None:
    """Cover nothing."""


async def edit_elsewhere(screen: Screen[Any], text: str, *, otherwise: str) -> str | None:
    """Let a text be edited in the editor of $VISUAL or $EDITOR; return None where it was not saved.

    otherwise: what to do where the terminal cannot be lent to an editor, in words.
    """
    try:
        # Nothing is drawn meanwhile; a run that is under way goes on.
        with screen.app.batch_update(), screen.app.suspend(), terminal_lent():
            edited = await asyncio.to_thread(click.edit, text, extension=".md")
            # A ctrl+c that the editor ended by may be heard here after that end.
            await asyncio.sleep(SECONDS_TO_HEAR)
            return edited
    except SuspendNotSupported:
        note(screen, f"This terminal cannot be lent to an editor: {otherwise}.")
    except click.ClickException as error:
        note(screen, f"{error.message.rstrip('.')}. $EDITOR names the editor.")
    return None
