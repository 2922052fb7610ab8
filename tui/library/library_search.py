"""LibrarySearch: finds the sessions that the filter and the order of the library ask for, and shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

from textual.screen import Screen
from textual.worker import get_current_worker

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store import USUAL_ORDER, FilterTerm, SessionOrder
from turnwise.tui.library.arrangement import Arrangement, match_words
from turnwise.tui.library.filter_line import FilterLine
from turnwise.tui.library.no_match import found_by_name, found_without, nothing_matches
from turnwise.tui.library.select_keys import SelectKeys
from turnwise.tui.parts.newest_reading import hand_over, run_newest
from turnwise.tui.session_lists.session_list import SessionList
from turnwise.tui.session_lists.stored_sessions import AllSessions, FoundSessions
from turnwise.tui.shell.shell import Shell


class LibrarySearch:
    """Answers what is asked of the list by a filter or an order; what is typed meanwhile goes before.

    The list keeps its sessions until those that are found take their place, or for good where the filter
    means nothing.
    """

    def __init__(
        self,
        screen: Screen[Any],
        arranged: Arrangement,
        select_keys: SelectKeys,
        *,
        total: Callable[[], int],
        came: Callable[[], None],
    ) -> None:
        """screen: has one SessionList and one FilterLine. arranged: holds what is asked for and found.

        select_keys: hear of every other list. total: how many sessions there are, as the screen says.
        came: called once the list shows what was found.
        """
        self._screen = screen
        self._arranged = arranged
        self._select_keys = select_keys
        self._total = total
        self._came = came
        self._found_by: tuple[str, SessionOrder | None] = "", None
        """The filter and the chosen order of what the list shows."""

    @property
    def _list(self) -> SessionList:
        return self._screen.query_one(SessionList)

    @property
    def _line(self) -> FilterLine:
        return self._screen.query_one(FilterLine)

    @property
    def _shell(self) -> Shell:
        return cast("Shell", self._screen.app)

    @property
    def query(self) -> str:
        """The filter of what the list shows."""
        return self._found_by[0]

    @property
    def is_shown(self) -> bool:
        """Whether the list shows what was asked for last."""
        return self.query == self._arranged.asked

    def ask(self) -> None:
        """Find what the arrangement asks for, in a thread; what is asked later goes before."""
        find = partial(self._find, self._line, self._arranged.asked, self._arranged.order)
        self._screen.run_worker(find, thread=True, group="find", exclusive=True)

    def _find(self, line: FilterLine, query: str, order: SessionOrder) -> None:
        worker = get_current_worker()
        # What is typed meanwhile makes this search worthless: it ends at once.
        find = partial(self._arranged.find, order=order, stop=lambda: worker.is_cancelled)
        try:
            provider = find(query)
        except TurnwiseError as error:
            term = self._shell.store.sessions.wrong_term(query)
            hand_over(self._screen, self._show_wrong_query, query, error, term)
            return
        if worker.is_cancelled:
            return
        hand_over(self._screen, self._show_found, query, order, provider)
        # Once it is told that nothing matches: to try it without its terms takes as long again.
        if query and not provider.count():
            named = found_by_name(query, line.words, find)
            if told := [*named, *filter(None, [found_without(query, find)])]:
                hand_over(self._screen, self._show_found_else, query, told)

    def _show_wrong_query(self, query: str, error: TurnwiseError, term: FilterTerm | None) -> None:
        if query == self._arranged.asked:
            text = ". ".join(part for part in (error.title, error.next_step or error.detail) if part)
            self._line.show_error(text, (term.start, term.end) if term else None)

    def _show_found(self, query: str, order: SessionOrder, provider: FoundSessions | AllSessions) -> None:
        if query != self._arranged.asked:
            return
        self._arranged.provider = provider
        # What was asked for stands first; who takes a filter away wants to go on where they were.
        by = query, self._arranged.chosen_order
        from_top = (bool(query) and query != self._found_by[0]) or by[1] != self._found_by[1]
        self._found_by = by
        # Words that are in nearly all sessions are not ranked, so that order is not told before it is chosen.
        told = order if self._arranged.chosen_order is not None or order == USUAL_ORDER else None
        self._list_found(query, told, from_top=from_top)
        self._list.refresh()
        self._came()
        count, left_out = self._list.count, self._arranged.left_out()
        self._line.show_count(match_words(query, count, self._total(), order, left_out=left_out))
        if query and not count:
            self._list.nothing = nothing_matches(query, left_out, self._line.words)

    def _show_found_else(self, query: str, told: Sequence[str]) -> None:
        if query == self._arranged.asked == self.query:
            self._list.nothing = [*self._list.nothing, *told]
            self._list.refresh()

    def _list_found(self, query: str, order: SessionOrder | None, *, from_top: bool = False) -> None:
        """Let the list show what the arrangement holds. order: what its heads say that it is sorted by."""
        self._list.order = order
        self._list.ask(query)
        self._list.set_provider(self._arranged.provider, from_top=from_top)
        self._select_keys.list_anew()

    def show_all(self) -> None:
        """Show all sessions at once, the newest first, and not only when the cleared filter is answered."""
        self._line.clear()
        self._arranged.reset()
        self._list_found("", USUAL_ORDER)

    # The order

    def sort(self, order: SessionOrder) -> None:
        """Sort by what somebody chose; in this sitting also where it cannot be remembered."""
        try:
            self._arranged.sort_by(order)
        except TurnwiseError as error:
            self._shell.tell_error(error)
        self.ask()

    def action_sort(self) -> None:
        """Choose what to sort by."""
        run_newest(self._screen, self._choose_order, group="ask")

    async def _choose_order(self) -> None:
        from turnwise.tui.library.arrangement_dialogs import ask_for_order

        if (order := await ask_for_order(self._screen.app, self._shell, self._arranged)) is not None:
            self.sort(order)

    def action_reverse(self) -> None:
        """Sort the other way round."""
        self.sort(replace(self._arranged.order, reverse=not self._arranged.order.reverse))
