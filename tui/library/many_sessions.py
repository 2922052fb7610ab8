"""ManySessions: what the library does to several sessions at once: tags, failure modes, and undoing tags."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from textual.screen import Screen

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.words import counted
from turnwise.tui.parts.newest_reading import hand_over
from turnwise.tui.session_lists.selection import TagHistory
from turnwise.tui.session_lists.session_list import SessionList
from turnwise.tui.session_lists.stored_sessions import AllSessions, FoundSessions
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.settings.settings import labeller
from turnwise.tui.shell.shell import Shell

if TYPE_CHECKING:
    from turnwise.conversations.store import TagChange


class ManySessions:
    """Asks over a screen what is to be done, does it, and tells; the screen shows what changed."""

    def __init__(self, screen: Screen[Any]) -> None:
        self._screen = screen
        self._tags = TagHistory()

    @property
    def _shell(self) -> Shell:
        return cast("Shell", self._screen.app)

    @property
    def can_undo(self) -> bool:
        """Whether there is a change of tags to take back."""
        return bool(self._tags)

    async def tag(self, sessions: Sequence[int], name: str) -> bool:
        """Give tags, or take them away; return whether any session changed. name: of the one session."""
        from turnwise.tui.library.tags_dialog import TagsDialog

        if not sessions:
            return False
        changes = await self._screen.app.push_screen_wait(
            self._shell.kept_dialogs.of(TagsDialog, sessions, name)
        )
        if count := self._tags.add(changes or ()):
            undo = key_of(self._shell.actions, "library", "undo")
            self._screen.notify(f"Tags of {counted(count, 'session')} changed. {undo} takes it back.")
        return bool(count)

    def undo(self) -> bool:
        """Take the last change of tags back, in a thread; return whether any session changed."""
        try:
            undone = self._tags.undo(self._shell.store.tags)
        except TurnwiseError as error:
            hand_over(self._screen, self._shell.tell_error, error)
            return False
        told = _undone_words(undone) if undone is not None else "There is no change of tags to take back."
        hand_over(self._screen, self._screen.notify, told)
        return undone is not None

    async def give_mode(self, sessions: Sequence[int]) -> bool:
        """Give a failure mode; return whether one was given."""
        from turnwise.tui.failure_modes.mode_dialogs import ModePickDialog

        if not sessions:
            return False
        title = f"Give a failure mode to {counted(len(sessions), 'session')}"
        mode = await self._screen.app.push_screen_wait(self._shell.kept_dialogs.of(ModePickDialog, title))
        if mode is None:
            return False
        new = await asyncio.to_thread(self._shell.store.modes.assign, sessions, mode, labeller())
        had = len(sessions) - new
        before = f"; {had:,} had it" if had else ""
        self._screen.notify(f"Given to {counted(new, 'session')}{before}.")
        return True


async def chosen_sessions(
    listed: SessionList, provider: AllSessions | FoundSessions, *, or_all: bool
) -> Sequence[int]:
    """Return the selected sessions in the order of the list.

    Without any those that are shown, or the one under the cursor.
    """
    if listed.selection:
        await asyncio.to_thread(listed.selection.read)
        return listed.selection.in_order(await asyncio.to_thread(provider.ids))
    if or_all:
        return await asyncio.to_thread(provider.ids)
    return [row.id] if (row := listed.current) is not None else []


def _undone_words(undone: TagChange) -> str:
    tags = dict.fromkeys(tag for _, tag in (*undone.given, *undone.taken))
    return f"Taken back: {', '.join(tags)}, {counted(undone.sessions, 'session')}."
