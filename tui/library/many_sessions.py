"""ManySessions: what the library does to several sessions at once: tags, failure modes, forgetting, undo."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from textual.screen import Screen

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.words import counted
from turnwise.tui.library.library_history import LibraryHistory, TakenBack
from turnwise.tui.parts.newest_reading import hand_over
from turnwise.tui.session_lists.session_list import SessionList
from turnwise.tui.session_lists.stakes_words import stakes_words
from turnwise.tui.session_lists.stored_sessions import AllSessions, FoundSessions
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.settings.settings import labeller
from turnwise.tui.shell.shell import Shell

if TYPE_CHECKING:
    from turnwise.conversations.store import Forgotten

MOST_BROUGHT_BACK = 2_000
"""So many sessions at once can be forgotten and brought back: they are kept in memory."""


class ManySessions:
    """Asks over a screen what is to be done, does it, and tells; the screen shows what changed."""

    def __init__(self, screen: Screen[Any]) -> None:
        self._screen = screen
        self._history = LibraryHistory()

    @property
    def _shell(self) -> Shell:
        return cast("Shell", self._screen.app)

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back."""
        return bool(self._history)

    async def tag(self, sessions: Sequence[int], name: str) -> bool:
        """Give tags, or take them away; return whether any session changed. name: of the one session."""
        from turnwise.tui.library.tags_dialog import TagsDialog

        if not sessions:
            return False
        changes = await self._screen.app.push_screen_wait(
            self._shell.kept_dialogs.of(TagsDialog, sessions, name)
        )
        if count := self._history.add_tags(changes or ()):
            self._screen.notify(
                f"Tags of {counted(count, 'session')} changed. {self._undo_key} takes it back."
            )
        return bool(count)

    def undo(self) -> TakenBack | None:
        """Take the last change back, in a thread, and tell it; return what it was, None where nothing was."""
        try:
            taken = self._history.undo(self._shell.store)
        except TurnwiseError as error:
            hand_over(self._screen, self._shell.tell_error, error)
            return None
        told = make_safe_line(taken.words) if taken is not None else "There is no change to take back."
        hand_over(self._screen, self._screen.notify, told)
        return taken

    async def forget(self, sessions: Sequence[int], name: str) -> bool:
        """Forget sessions, after a question; return whether any may have gone. name: of the one session."""
        if not sessions or not await self._is_meant(sessions, name):
            return False
        if len(sessions) > MOST_BROUGHT_BACK:
            self._screen.notify(f"Forgetting {counted(len(sessions), 'session')}…")
        try:
            forgotten = await asyncio.to_thread(self._forget, sessions)
        except TurnwiseError as error:
            self._shell.tell_error(error)
            return True
        self._history.add_forgotten(forgotten)
        # The toast is seen in other places too, where the key means something else.
        undo = f" {self._undo_key} in the library brings {_it(sessions)} back." if forgotten.sessions else ""
        self._screen.notify(f"Forgotten: {stakes_words(forgotten.stakes)}.{undo}")
        return True

    async def _is_meant(self, sessions: Sequence[int], name: str) -> bool:
        """Say what goes with sessions, and ask whether they are to go."""
        from turnwise.tui.parts.choice_list import Choice
        from turnwise.tui.parts.question_dialog import QuestionDialog

        stakes = await asyncio.to_thread(self._shell.store.forgetting.stakes, sessions)
        it = _it(sessions)
        which = f"“{make_safe_line(name)}”" if len(sessions) == 1 else f"{len(sessions):,} sessions"
        back = (
            f"{self._undo_key}\u00a0brings {it} back until you leave turnwise; after that nothing does."
            if len(sessions) <= MOST_BROUGHT_BACK
            else "They are too many to be brought back."
        )
        stays = "The file that it came from stays." if it == "it" else "The files that they came from stay."
        words = f"{stakes_words(stakes)} would go. {back} {stays}"
        answers = [Choice("keep", f"Keep {it}"), Choice("forget", f"Forget {it}")]
        asked = QuestionDialog(f"Forget {which}?", answers, words=words)
        return await self._screen.app.push_screen_wait(asked) == "forget"

    def _forget(self, sessions: Sequence[int]) -> Forgotten:
        shell = self._shell
        with shell.store.impatient():
            return shell.store.forgetting.forget(
                sessions,
                to_bring_back=len(sessions) <= MOST_BROUGHT_BACK,
                # Whoever leaves meanwhile is not kept waiting: the rest stays.
                stop=lambda: not self._screen.app.is_running,
            )

    @property
    def _undo_key(self) -> str:
        return key_of(self._shell.actions, "library", "undo")

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


def _it(sessions: Sequence[int]) -> str:
    return "it" if len(sessions) == 1 else "them"


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
