"""SelectKeys: what the keys of the library do that select sessions, and which ones are then meant."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, cast

from textual.screen import Screen

from turnwise.tui.library.arrangement import Arrangement
from turnwise.tui.library.unlisted import unlisted_words
from turnwise.tui.parts.newest_reading import run_newest
from turnwise.tui.session_lists.ids_when_asked import IdsWhenAsked
from turnwise.tui.session_lists.list_totals import SECONDS_OF_QUIET
from turnwise.tui.session_lists.session_list import SessionList
from turnwise.tui.session_lists.stored_sessions import AllSessions, FoundSessions
from turnwise.tui.settings.keymap import key_of
from turnwise.tui.shell.shell import Shell

FEW = 5_000
"""So many selected sessions are compared with those of a list in a few milliseconds."""


class SelectKeys:
    """Answers the actions of the library that select sessions, and leave them out again."""

    def __init__(self, screen: Screen[Any], arranged: Arrangement, show: Callable[..., None]) -> None:
        """screen: has one SessionList. arranged: knows all that it shows.

        show: shows what is selected; with rows=False no row but those that the cursor leaves and comes to.
        """
        self._screen = screen
        self._arranged = arranged
        self._show = show
        self._compared_with: AllSessions | FoundSessions | None = None
        """The list of which it is known which selected sessions it does not show."""

    @property
    def _list(self) -> SessionList:
        return self._screen.query_one(SessionList)

    async def sessions(self, *, or_all: bool) -> Sequence[int]:
        """Return the selected sessions in the order of the list.

        Without any those that are shown, or the one under the cursor.
        """
        listed, provider = self._list, self._arranged.provider
        if listed.selection:
            await asyncio.to_thread(listed.selection.read)
            return listed.selection.in_order(await asyncio.to_thread(provider.ids))
        if or_all:
            return await asyncio.to_thread(provider.ids)
        return [row.id] if (row := listed.current) is not None else []

    async def sessions_when_asked(self) -> Sequence[int]:
        """Return the selected sessions, else those that are shown, none of them read before it matters."""
        if self._list.selection:
            return await self.sessions(or_all=True)
        return IdsWhenAsked(self._arranged.provider)

    async def unlisted_words(self) -> str:
        """Say which of the selected sessions the list does not show; empty where it shows all of them."""
        selection = self._list.selection
        if selection and self._compared_with is not self._arranged.provider:
            await asyncio.to_thread(self._compare)
        if not selection.unlisted_count:
            return ""
        shell = cast("Shell", self._screen.app)
        clear = key_of(shell.actions, "library", "clear")
        return await asyncio.to_thread(unlisted_words, shell.store, len(selection), selection.unlisted, clear)

    def list_anew(self) -> None:
        """Let the selection know which sessions the list shows by now: at once where few are selected."""
        if len(self._list.selection) <= FEW or not isinstance(self._arranged.provider, FoundSessions):
            self._compare()
        else:
            run_newest(self._screen, self._compare_and_show, group="unlisted")

    async def _compare_and_show(self) -> None:
        await asyncio.to_thread(self._compare)
        self._show(rows=False)

    def _compare(self) -> None:
        selection, provider = self._list.selection, self._arranged.provider
        # Those that are all cannot lack any.
        shown = provider.ids() if selection and isinstance(provider, FoundSessions) else None
        selection.is_listed_by(shown)
        self._compared_with = provider

    def action_select(self) -> None:
        """Select the session under the cursor, or leave it out, and go on to the next."""
        if (row := self._list.current) is not None:
            self._list.selection.toggle(row.id)
            # Of the rows only the two between which the cursor moves look otherwise.
            self._list.action_cursor_down()
            self._show(rows=False)

    def action_select_range(self) -> None:
        """Select all from the session that was selected last to the one under the cursor."""
        run_newest(self._screen, self._select_range, group="select")

    async def _select_range(self) -> None:
        if (row := self._list.current) is not None:
            selection = self._list.selection
            # To find all that are shown takes a while; a range is mostly among the rows in sight.
            near = [row.id] if selection.anchor is None else self._list.ids_to_cursor(selection.anchor)
            shown = near if near is not None else await asyncio.to_thread(self._arranged.provider.ids)
            selection.take_range(shown, row.id)
            self._show()

    def action_select_all(self) -> None:
        """Select all that are shown."""
        run_newest(self._screen, self._select_all, group="select")

    async def _select_all(self) -> None:
        selection, shown = self._list.selection, IdsWhenAsked(self._arranged.provider)
        if selection:
            await asyncio.to_thread(shown.read)
        selection.take_all(shown)
        self._show()
        # Who they are is read once keys rest, and not by the key.
        await asyncio.sleep(SECONDS_OF_QUIET)
        await asyncio.to_thread(selection.read)

    def take(self, event: SessionList.Taken) -> None:
        """Select by the mouse."""
        if event.with_range:
            self.action_select_range()
        else:
            self._list.selection.toggle(event.row.id)
            self._show()

    def leave_all(self) -> None:
        """Leave all out."""
        self._list.selection.clear()
        self._show()
