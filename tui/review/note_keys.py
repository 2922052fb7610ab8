"""NoteKeys: what the keys do by which one writes a note about a session, and how it is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from textual.screen import Screen

from turnwise.conversations.errors import TurnwiseError
from turnwise.tui.parts.newest_reading import run_newest
from turnwise.tui.review.finder import Finder
from turnwise.tui.review.label_keys import LabelKeys
from turnwise.tui.review.note_line import NoteLine, WrittenNote, edit_elsewhere
from turnwise.tui.review.panes import Panes
from turnwise.tui.review.session_labels import SessionLabels
from turnwise.tui.review.session_reader import EarlyKeys
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.shell.shell import Shell
from turnwise.tui.textual_internals.apps import is_leaving


class NoteKeys:
    """Answers the actions of a review that write a note, and keeps what was written.

    A note belongs to the session it was begun on, be that still the one that is read or not.
    """

    def __init__(
        self,
        screen: Screen[Any],
        shell: Shell,
        panes: Panes,
        labels: SessionLabels,
        label_keys: LabelKeys,
        finder: Finder,
        early: EarlyKeys,
        *,
        read_again: Callable[[], None],
    ) -> None:
        """screen: has one NoteLine. finder: stops to ask for words where a note is written.

        early: keeps what is asked for until the session is read.

        read_again: reads anew what is said of the session that is read.
        """
        self._screen = screen
        self._shell = shell
        self._panes = panes
        self._labels = labels
        self._label_keys = label_keys
        self._finder = finder
        self._early = early
        self._read_again = read_again
        self._keeping: set[asyncio.Task[None]] = set()

    @property
    def line(self) -> NoteLine:
        """Where notes are written."""
        return self._screen.query_one(NoteLine)

    def action_note(self) -> None:
        """Write a note; where one is written already, take back what was typed."""
        if self.line.asking:
            self.line.take_back()
            return
        self._finder.stop()
        self._panes.scores.name_keys(do_something=False)
        self.line.ask(self._labels.session.id, self._labels.note if self._labels.is_read else None)

    def cover(self, lines: int) -> None:
        """Let the turn that is looked at not hide below the line, which takes so many lines now."""
        if not is_leaving(self._screen):
            # Over a frame it covers the edge first, and in a narrow window it lies over nothing.
            above = self._screen.query_one("#body").region.bottom - lines
            self._panes.transcript.cover(max(0, self._panes.transcript.region.bottom - above))

    def session_read(self) -> None:
        """Take that the session is there: a note on it that was begun before goes on from the one it has."""
        self.line.know(self._labels.note)

    def action_note_in_editor(self) -> None:
        """Write the note in the text editor of $VISUAL or $EDITOR."""
        if self.line.asking:
            self.line.hand_on(in_editor=True)
        elif not self._early.holds(self.action_note_in_editor):
            run_newest(self._screen, self._write_in_editor, group="editor")

    async def _write_in_editor(self) -> None:
        here = key_of(self._shell.actions, "review", "note")
        session_id = self._labels.session.id
        text = await edit_elsewhere(self._screen, self._labels.note, otherwise=f"{here} writes the note here")
        if text is not None:
            await self._keep(text, session_id, self._labels.changes.place())

    def written(self, note: WrittenNote) -> None:
        """Keep a note that was written, before what the next key changes."""
        if not is_leaving(self._screen):
            self._panes.scores.name_keys(do_something=True)
        if not is_leaving(self._screen) and (
            self._screen.focused in (None, self.line.editor) or not self._panes.in_scores
        ):
            # Now, for the keys that follow.
            self._screen.set_focus(self._panes.transcript)
        keeping = asyncio.create_task(self._keep_and_go_on(note, self._labels.changes.place()))
        self._keeping.add(keeping)
        keeping.add_done_callback(self._keeping.discard)

    async def kept(self) -> None:
        """Wait until all that was written is kept."""
        await asyncio.gather(*self._keeping)

    async def _keep_and_go_on(self, note: WrittenNote, place: AbstractAsyncContextManager[None]) -> None:
        # Elsewhere esc drops what was typed, and here it keeps it.
        undo = key_of(self._shell.actions, "review", "undo")
        told = f"note kept; {undo} takes it back" if note.by_escape else ""
        await self._keep(note.text, note.about, place, adds=note.adds, told=told)
        if note.about == self._labels.session.id:
            if note.in_editor:
                self.action_note_in_editor()
            elif note.by_enter and self._label_keys.waits:
                self._label_keys.go_on()

    async def _keep(
        self,
        text: str,
        session_id: int,
        place: AbstractAsyncContextManager[None],
        *,
        adds: bool = False,
        told: str = "",
    ) -> None:
        try:
            if not await self._labels.write_note(text, session_id, place, adds=adds, told=told):
                self._read_again()
        except TurnwiseError as error:
            self._shell.tell_error(error)
