"""ArrangingScreen: a list of sessions that is filtered, sorted, and has the columns that somebody chose."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial

from textual import work
from textual.worker import get_current_worker

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store.orders import BEST_MATCH, ORDERS, USUAL, Order, order_of
from turnwise.conversations.store.queries import Term, words_of
from turnwise.conversations.store.vocabulary import hints
from turnwise.tui.key_words import key_of
from turnwise.tui.order_words import sorted_words, turned
from turnwise.tui.screens.selecting import SelectingScreen
from turnwise.tui.stored_sessions import AllSessions, FoundSessions
from turnwise.tui.widgets.filter_line import FilterLine
from turnwise.tui.widgets.safe_text import make_safe_line
from turnwise.tui.widgets.session_list import SessionList

COLUMNS, ORDER = "library.columns", "library.order"
"""The names under which is kept what is taken up the next time."""


class ArrangingScreen(SelectingScreen):
    """Which sessions its list shows, in what order, with which metrics."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = ""
        """The filter that was typed last; what it finds may be on its way."""
        self._order: Order | None = None
        """What somebody chose to sort by; None for the best match of words, else the newest first."""
        self._columns: tuple[str, ...] = ()
        """The metrics that somebody chose; empty for those that were used last."""

    @property
    def order(self) -> Order:
        """What the list is sorted by."""
        return self._order or self._order_by_itself

    @property
    def _order_by_itself(self) -> Order:
        return BEST_MATCH if words_of(self.asked) else USUAL

    def take_up(self) -> None:
        """Take up the columns and the order of the last time."""
        remembered = self.app.store.remembered
        self._columns = tuple(map(str, remembered.get(COLUMNS) or ()))
        if order := remembered.get(ORDER):
            with suppress(TurnwiseError):
                self._order = order_of(str(order), self.app.store.sessions.metrics())
                self.ask()
        self.show_columns()

    def show_columns(self) -> None:
        """Show the metrics that were chosen, as far as they have outcomes; else those that were used last."""
        metrics = self.app.store.sessions.metrics_by_use()
        chosen = [metric for metric in self._columns if metric in metrics]
        self.list.pinned = bool(chosen)
        self.list.metrics = chosen or metrics

    # The filter

    def on_filter_line_asked(self, event: FilterLine.Asked) -> None:
        """Find what the query means, in a thread: typing goes on."""
        self.asked = event.query
        self.ask()

    def ask(self) -> None:
        """Find what the filter means, and show it; what is asked later goes before."""
        find = partial(self._find, self.asked, self.order)
        self.run_worker(find, thread=True, group="find", exclusive=True)

    def show_query(self, query: str | None) -> None:
        """Show the sessions that a query finds; None leaves the list as it is."""
        if query is not None:
            self.query_one(FilterLine).set_query(query)
            self.list.focus()

    def on_filter_line_left(self) -> None:
        """Give the keys back to the list."""
        self.list.focus()

    @work(group="vocabulary", exclusive=True)
    async def on_filter_line_words_wanted(self) -> None:
        """Read what completes a filter."""
        line = self.query_one(FilterLine)
        line.words = await asyncio.to_thread(self.app.store.sessions.vocabulary)

    def _find(self, query: str, order: Order) -> None:
        sessions, worker = self.app.store.sessions, get_current_worker()
        provider: AllSessions | FoundSessions = AllSessions(self.app.store)
        try:
            if query or order != USUAL:
                # What is typed meanwhile makes this search worthless: it ends at once.
                ids = sessions.ids(query, order, stop=lambda: worker.is_cancelled)
                provider = FoundSessions(self.app.store, ids)
        except TurnwiseError as error:
            self.app.call_from_thread(self._show_wrong_query, query, error, sessions.wrong_term(query))
            return
        if not worker.is_cancelled:
            self.app.call_from_thread(self._show_found, query, order, provider)

    def _show_wrong_query(self, query: str, error: TurnwiseError, term: Term | None) -> None:
        if query == self.asked:
            text = ". ".join(part for part in (error.title, error.next_step or error.detail) if part)
            self.query_one(FilterLine).show_error(text, (term.start, term.end) if term else None)

    def _show_found(self, query: str, order: Order, provider: FoundSessions | AllSessions) -> None:
        if query != self.asked:
            return
        self._provider = provider
        self.list.order = order if self._order is not None else None
        self.list.words = words_of(query)
        self.list.set_provider(provider)
        self.list.refresh()
        line = self.query_one(FilterLine)
        sorted_by = f" · {sorted_words(order)}" if order != USUAL else ""
        if not query:
            line.show_count("")
        elif self.list.count:
            line.show_count(f"{self.list.count:,} match{sorted_by}")
        else:
            line.show_count(f"no match · {key_of(self.app.actions, 'library', 'clear')} clears the filter")
            self.list.nothing = ["Nothing matches this filter.", *hints(query, line.words)]

    # Sorting, columns, saved filters

    @work(group="ask", exclusive=True)
    async def action_sort(self) -> None:
        """Choose what to sort by."""
        from turnwise.tui.screens.sorting import SortDialog

        metrics = self.app.store.sessions.metrics_by_use()
        with_match = self._order_by_itself == BEST_MATCH
        order = await self.app.push_screen_wait(SortDialog(self.order, metrics, with_match=with_match))
        if order is not None:
            self._sort(order)

    def action_reverse(self) -> None:
        """Sort the other way round."""
        self._sort(replace(self.order, reverse=not self.order.reverse))

    def on_session_list_header_clicked(self, event: SessionList.HeaderClicked) -> None:
        """Sort by the column; by the one that is sorted by the other way round."""
        if event.column.kind == "metric":
            chosen = Order("metric", event.column.metric)
        elif event.column.kind in ORDERS:
            chosen = Order(event.column.kind)
        else:
            self.action_columns()
            return
        self._sort(turned(self.order, chosen))

    def _sort(self, order: Order) -> None:
        self._order = None if order == self._order_by_itself else order
        self._remember(ORDER, self._order.text if self._order else "")
        self.ask()

    @work(group="ask", exclusive=True)
    async def action_columns(self) -> None:
        """Choose the metrics that have a column."""
        from turnwise.tui.screens.columns import ColumnsDialog

        metrics = self.app.store.sessions.metrics_by_use()
        chosen = await self.app.push_screen_wait(ColumnsDialog(metrics, self._columns))
        if chosen is not None:
            self._columns = chosen
            self._remember(COLUMNS, chosen)
            self.show_columns()

    def _remember(self, name: str, value: object) -> None:
        try:
            self.app.store.remembered.keep(name, value)
        except TurnwiseError as error:
            # It holds for this sitting all the same.
            self.app.tell_error(error)

    def commands(self) -> Iterator[tuple[str, str, Callable[[], None]]]:
        """Offer the saved filters to the command palette: title, help, what to do."""
        for one in self.app.store.filters.all():
            yield (
                f"filter: {make_safe_line(one.name)}",
                make_safe_line(one.query),
                partial(self.show_query, one.query),
            )

    @work(group="ask", exclusive=True)
    async def action_filters(self) -> None:
        """Take a saved filter, or save the present one."""
        from turnwise.tui.screens.filters import FiltersDialog

        self.show_query(await self.app.push_screen_wait(FiltersDialog(self.asked)))
