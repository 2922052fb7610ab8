"""ManySessions: what the library does to several sessions at once: scoring, tags, modes, forgetting."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, cast

from textual.screen import Screen

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.words import counted
from turnwise.tui.library.library_history import LibraryHistory
from turnwise.tui.library.select_keys import SelectKeys
from turnwise.tui.parts.newest_reading import hand_over, run_newest
from turnwise.tui.session_lists.session_list import SessionList
from turnwise.tui.session_lists.stakes_words import stakes_words
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.settings.settings import author_of
from turnwise.tui.shell.shell import Shell

if TYPE_CHECKING:
    from turnwise.conversations.store import BroughtIn, Forgotten
    from turnwise.tui.library.library_history import TakenBack

NOTHING_TO_TAKE_BACK = "There is no change to take back. Labels are taken back in their review."
"""Told to who undoes here, be it right after they labelled: a line in a window of 80 columns."""
MOST_BROUGHT_BACK = 2_000
"""So many sessions at once can be forgotten and brought back: they are kept in memory."""


class ManySessions:
    """Answers the actions of the library that are about the selected sessions, or the one under the cursor.

    It asks over the screen what is to be done, does it, and tells; the screen shows what changed.
    """

    def __init__(
        self,
        screen: Screen[Any],
        select_keys: SelectKeys,
        *,
        refresh: Callable[[], None],
        came_back: Callable[[int], None],
    ) -> None:
        """screen: has one SessionList. select_keys: know which sessions are meant.

        refresh: reads the list anew. came_back: shows the session of an id that was forgotten before.
        """
        self._screen = screen
        self._select_keys = select_keys
        self._refresh = refresh
        self._came_back = came_back
        self._history = LibraryHistory()

    @property
    def _shell(self) -> Shell:
        return cast("Shell", self._screen.app)

    def _name(self, sessions: Sequence[int]) -> str:
        """Return the name of the session, where it is one: the selected one may not be under the cursor."""
        row = self._screen.query_one(SessionList).current
        if len(sessions) != 1:
            return ""
        if row is not None and row.id == sessions[0]:
            return row.name
        return next((one.name for one in self._shell.store.sessions.rows(sessions)), "")

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to take back."""
        return bool(self._history)

    @property
    def import_to_undo(self) -> BroughtIn | None:
        """The import that the key for undo takes back; None where it takes back something else."""
        return self._history.import_to_undo

    def add_imports(self, brought_in: Sequence[BroughtIn]) -> None:
        """Let imports be taken back, the last one first."""
        for brought in brought_in:
            self._history.add_import(brought)

    def action_tag(self) -> None:
        """Give tags, or take them away."""
        self._begin(self._tag)

    def action_remove(self) -> None:
        """Forget sessions."""
        self._begin(self._remove)

    def action_give_mode(self) -> None:
        """Give a failure mode."""
        self._begin(self._give_mode)

    def action_export(self) -> None:
        """Write them, or all that are shown, to a file."""
        self._begin(self._export)

    def action_score(self) -> None:
        """Judge the selected sessions, or all that are shown."""
        self._begin(self._score)

    def action_judge_again(self) -> None:
        """Judge them once more, and show what is found otherwise."""
        self._begin(self._judge_again)

    def action_undo(self) -> None:
        """Take the last change back: of tags, of sessions that were forgotten, or an import."""
        if self.import_to_undo is None:
            self._undo_in_thread()
        else:
            self._begin(self._undo_import)

    def _begin(self, asking: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Ask what is to be done; what was asked before is asked no longer."""
        run_newest(self._screen, asking, group="ask")

    async def _tag(self) -> None:
        from turnwise.tui.library.tags_dialog import TagsDialog

        if not (sessions := await self._select_keys.sessions(or_all=False)):
            return
        unlisted = await self._select_keys.unlisted_words()
        dialog = self._shell.kept_dialogs.of(TagsDialog, sessions, self._name(sessions), unlisted=unlisted)
        changes = await self._screen.app.push_screen_wait(dialog)
        if count := self._history.add_tags(changes or ()):
            self._screen.notify(
                f"Tags of {counted(count, 'session')} changed. {self._undo_key} takes it back."
            )
            self._refresh()

    async def _undo_import(self) -> None:
        """Take an import back; where something was done with its sessions since, only if that is meant."""
        if (brought := self.import_to_undo) is None:
            return
        try:
            would = await asyncio.to_thread(self._shell.store.taking_back.look, brought)
        except TurnwiseError as error:
            self._shell.tell_error(error)
            return
        if would.kept and would.stakes.sessions:
            from turnwise.tui.importing.take_back_question import take_back_question

            asked = take_back_question(self._shell.kept_dialogs, would, brought)
            if await self._screen.app.push_screen_wait(asked) != "take":
                return
        if would.stakes.sessions > MOST_BROUGHT_BACK:
            self._screen.notify(f"Taking {counted(would.stakes.sessions, 'session')} back…")
        self._undo_in_thread()

    def _undo_in_thread(self) -> None:
        self._screen.run_worker(self._undo, thread=True, group="tags", exclusive=True)

    def _undo(self) -> None:
        """Take the last change back, in a thread, and tell it."""
        # Whoever leaves meanwhile is not kept waiting: the rest of an import stays.
        stop: Callable[[], bool] = lambda: not self._screen.app.is_running  # noqa: E731
        try:
            taken = self._history.undo(self._shell.store, stop=stop)
        except TurnwiseError as error:
            hand_over(self._screen, self._shell.tell_error, error)
            return
        told = make_safe_line(taken.words) if taken is not None else NOTHING_TO_TAKE_BACK
        hand_over(self._screen, self._screen.notify, told)
        if taken is not None:
            hand_over(self._screen, self._show_taken_back, taken)

    def _show_taken_back(self, taken: TakenBack) -> None:
        if taken.some_went:
            self._select_keys.leave_all()
        self._refresh()
        if taken.sessions:
            self._came_back(taken.sessions[0])

    async def _remove(self) -> None:
        sessions = await self._select_keys.sessions(or_all=False)
        if await self._forget(sessions):
            self._select_keys.leave_all()
            self._refresh()

    async def _forget(self, sessions: Sequence[int]) -> bool:
        """Forget sessions, after a question; return whether any may have gone."""
        if not sessions or not await self._is_meant(sessions):
            return False
        if len(sessions) > MOST_BROUGHT_BACK:
            self._screen.notify(f"Forgetting {counted(len(sessions), 'session')}…")
        try:
            forgotten = await asyncio.to_thread(self._forget_all, sessions)
        except TurnwiseError as error:
            self._shell.tell_error(error)
            return True
        self._history.add_forgotten(forgotten)
        # The toast is seen in other places too, where the key means something else.
        undo = f" {self._undo_key} in the library brings {_it(sessions)} back." if forgotten.sessions else ""
        self._screen.notify(f"Forgotten: {stakes_words(forgotten.stakes)}.{undo}")
        return True

    async def _is_meant(self, sessions: Sequence[int]) -> bool:
        """Say what goes with sessions, and ask whether they are to go."""
        from turnwise.tui.parts.choice_list import Choice
        from turnwise.tui.parts.question_dialog import ask

        stakes = await asyncio.to_thread(self._shell.store.forgetting.stakes, sessions)
        unlisted = await self._select_keys.unlisted_words()
        it = _it(sessions)
        name = make_safe_line(self._name(sessions))
        which = f"“{name}”" if len(sessions) == 1 else f"{len(sessions):,} sessions"
        back = (
            f"{self._undo_key}\u00a0brings {it} back until you leave turnwise; after that nothing does."
            if len(sessions) <= MOST_BROUGHT_BACK
            else "They are too many to be brought back."
        )
        stays = "The file that it came from stays." if it == "it" else "The files that they came from stay."
        words = f"{stakes_words(stakes)} would go. {back} {stays}"
        # First: nobody is to forget what they do not see.
        words = f"{unlisted}\n\n{words}" if unlisted else words
        answers = [Choice("keep", f"Keep {it}"), Choice("forget", f"Forget {it}")]
        return await ask(self._screen.app, f"Forget {which}?", answers, words=words) == "forget"

    def _forget_all(self, sessions: Sequence[int]) -> Forgotten:
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

    async def _give_mode(self) -> None:
        from turnwise.tui.failure_modes.mode_dialogs import ModePickDialog

        if not (sessions := await self._select_keys.sessions(or_all=False)):
            return
        title = f"Give a failure mode to {counted(len(sessions), 'session')}"
        unlisted = await self._select_keys.unlisted_words()
        dialog = self._shell.kept_dialogs.of(ModePickDialog, title, means=unlisted)
        mode = await self._screen.app.push_screen_wait(dialog)
        if mode is None:
            return
        me = author_of(self._shell.settings)
        new = await asyncio.to_thread(self._shell.store.modes.assign, sessions, mode, me)
        had = len(sessions) - new
        before = f"; {had:,} had it" if had else ""
        self._screen.notify(f"Given to {counted(new, 'session')}{before}.")
        self._refresh()

    async def _score(self) -> None:
        await self._judge(await self._select_keys.sessions_when_asked())

    async def _judge_again(self) -> None:
        if not (sessions := await self._select_keys.sessions(or_all=False)):
            return
        if metrics := await asyncio.to_thread(self._scored_by, sessions):
            await self._judge(sessions, again=metrics)
        else:
            has, it = ("This session has", "it") if len(sessions) == 1 else ("These sessions have", "them")
            score = key_of(self._shell.actions, "library", "score")
            self._screen.notify(f"{has} no scores to compare with. {score} judges {it}.")

    def _scored_by(self, sessions: Sequence[int]) -> Sequence[str]:
        """Return the metrics that some of the first of these sessions have scores of."""
        from turnwise.tui.judging.metric_offers import LOOKED_AT

        rows = self._shell.store.sessions.rows(sessions[:LOOKED_AT])
        return list(dict.fromkeys(metric for row in rows for metric in row.marks))

    async def _judge(self, sessions: Sequence[int], *, again: Sequence[str] = ()) -> None:
        """again: the metrics that are to judge once more; empty where nothing is compared with before."""
        from turnwise.tui.judging.begin_scoring import begin_scoring

        unlisted = await self._select_keys.unlisted_words()
        await begin_scoring(
            self._screen.app,
            self._shell,
            sessions,
            again,
            compared=bool(again),
            unlisted=unlisted,
            blind=self._blind_words,
        )

    @property
    def _blind_words(self) -> str:
        """Say how to label blind before any score is in sight; else nothing."""
        listed = self._screen.query_one(SessionList)
        if any(row.marks or row.label for row in listed.known_rows()):
            return ""
        key = key_of(self._shell.actions, "library", "queues")
        return f"To label blind, first make a queue: {key} in the library."

    async def _export(self) -> None:
        from turnwise.tui.library.export_dialog import ExportDialog

        if sessions := await self._select_keys.sessions_when_asked():
            unlisted = await self._select_keys.unlisted_words()
            dialog = self._shell.kept_dialogs.of(ExportDialog, sessions, unlisted=unlisted)
            self._screen.app.push_screen(dialog)


def _it(sessions: Sequence[int]) -> str:
    return "it" if len(sessions) == 1 else "them"
