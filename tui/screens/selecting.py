"""SelectingScreen: a screen with a list of sessions, of which some are selected, tagged and exported."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import work

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store.session_tags import TagChange
from turnwise.tui.key_words import key_of
from turnwise.tui.screens.still import StillScreen
from turnwise.tui.stored_sessions import AllSessions, FoundSessions
from turnwise.tui.widgets.session_list import SessionList

if TYPE_CHECKING:
    from turnwise.tui.app import TurnwiseApp


class SelectingScreen(StillScreen[None]):
    """What is done with several sessions at once. Sessions stay selected when the list is filtered anew."""

    app: TurnwiseApp

    def __init__(self) -> None:
        super().__init__()
        self._provider: AllSessions | FoundSessions | None = None
        self._tag_changes: list[TagChange] = []
        """What can be taken back, oldest first."""

    @property
    def list(self) -> SessionList:
        """The list of sessions."""
        return self.query_one(SessionList)

    @abstractmethod
    def refresh_sessions(self) -> None:
        """Read the list anew."""

    def show_selection(self) -> None:
        """Show what is selected."""
        self.list.refresh()
        self.refresh_bindings()

    async def chosen_sessions(self, *, or_all: bool) -> Sequence[int]:
        """Return the selected sessions in the order of the list.

        Without any those that are shown, or the one under the cursor.
        """
        selection, provider = self.list.selection, self._provider
        if selection and provider is not None:
            return selection.in_order(await asyncio.to_thread(provider.ids))
        if or_all:
            return await asyncio.to_thread(provider.ids) if provider is not None else []
        return [row.id] if (row := self.list.current) is not None else []

    # Selecting

    def action_select(self) -> None:
        """Select the session under the cursor, or leave it out, and go on to the next."""
        if (row := self.list.current) is not None:
            self.list.selection.toggle(row.id)
            self.list.cursor_down()
            self.show_selection()

    @work(group="select", exclusive=True)
    async def action_select_range(self) -> None:
        """Select all from the session that was selected last to the one under the cursor."""
        if (row := self.list.current) is not None and self._provider is not None:
            selection = self.list.selection
            # To find all that are shown takes a while; a range is mostly among the rows in sight.
            near = [row.id] if selection.anchor is None else self.list.ids_to_cursor(selection.anchor)
            shown = near if near is not None else await asyncio.to_thread(self._provider.ids)
            selection.take_range(shown, row.id)
            self.show_selection()

    @work(group="select", exclusive=True)
    async def action_select_all(self) -> None:
        """Select all that are shown."""
        if self._provider is not None:
            self.list.selection.take(await asyncio.to_thread(self._provider.ids))
            self.show_selection()

    def on_session_list_taken(self, event: SessionList.Taken) -> None:
        """Select by the mouse."""
        if event.with_range:
            self.action_select_range()
        else:
            self.list.selection.toggle(event.row.id)
            self.show_selection()

    # With what is selected

    @work(group="ask", exclusive=True)
    async def action_tag(self) -> None:
        """Give tags, or take them away."""
        from turnwise.tui.screens.tagging import TagsDialog

        sessions = await self.chosen_sessions(or_all=False)
        if not sessions:
            return
        row = self.list.current
        changes = await self.app.push_screen_wait(TagsDialog(sessions, row.name if row else ""))
        if changes := [change for change in changes or [] if change.sessions]:
            self._tag_changes += changes
            self.refresh_sessions()
            count = len({session for one in changes for session, _ in (*one.given, *one.taken)})
            undo = key_of(self.app.actions, "library", "undo")
            self.notify(f"Tags of {_sessions(count)} changed. {undo} takes it back.")

    @work(thread=True, group="tags", exclusive=True)
    def action_undo(self) -> None:
        """Take the last change of tags back."""
        if not self._tag_changes:
            self.app.call_from_thread(self.notify, "There is no change of tags to take back.")
            return
        try:
            undone = self.app.store.tags.undo(self._tag_changes[-1])
        except TurnwiseError as error:
            self.app.call_from_thread(self.app.tell_error, error)
            return
        del self._tag_changes[-1]
        self.app.call_from_thread(self._show_undone, undone)

    def _show_undone(self, undone: TagChange) -> None:
        self.refresh_sessions()
        tags = dict.fromkeys(tag for _, tag in (*undone.given, *undone.taken))
        self.notify(f"Taken back: {', '.join(tags)}, {_sessions(undone.sessions)}.")

    @work(group="ask", exclusive=True)
    async def action_give_mode(self) -> None:
        """Give a failure mode."""
        from turnwise.tui.labeller import labeller
        from turnwise.tui.screens.mode_choice import ModePickDialog

        sessions = await self.chosen_sessions(or_all=False)
        if not sessions:
            return
        title = f"Give a failure mode to {_sessions(len(sessions))}"
        mode = await self.app.push_screen_wait(ModePickDialog(title))
        if mode is None:
            return
        new = await asyncio.to_thread(self.app.store.modes.assign, sessions, mode, labeller())
        self.notify(f"Given to {_sessions(new)}; {len(sessions) - new:,} had it.")
        self.refresh_sessions()

    @work(group="ask", exclusive=True)
    async def action_export(self) -> None:
        """Write sessions to a file."""
        from turnwise.tui.screens.exporting import ExportDialog

        if sessions := await self.chosen_sessions(or_all=True):
            self.app.push_screen(ExportDialog(sessions))


def _sessions(count: int) -> str:
    return f"{count:,} {'session' if count == 1 else 'sessions'}"
