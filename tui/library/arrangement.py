"""Arrangement: which sessions the library shows, in what order, and what has a column."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import (
    BEST_MATCH,
    ORDERS,
    USUAL_ORDER,
    SessionOrder,
    SessionRow,
    Store,
    order_of,
    query_tells_outcome,
    terms_of,
    words_of,
)
from turnwise.conversations.words import counted
from turnwise.tui.library.unlisted import unlisted_title
from turnwise.tui.session_lists.covered import in_covered_order, rests_on_covered, waiting_words
from turnwise.tui.session_lists.selection import Selection
from turnwise.tui.session_lists.session_columns import SessionColumn
from turnwise.tui.session_lists.stored_sessions import AllSessions, FoundSessions

COLUMNS, ORDER = "library.columns", "library.order"
"""The names under which the store remembers what was chosen, for the next time."""


SOURCE = "source"
"""A column that every session has a word for; the others of its kind are facts."""


def orders_offered() -> list[str]:
    """Return the names of the orders that the app offers, in the order in which it does, without metrics."""
    return sorted((by for by, kind in ORDERS.items() if kind.place), key=lambda by: ORDERS[by].place)


def order_words(order: SessionOrder) -> str:
    """Return an order in words: "lowest score first"."""
    kind = ORDERS[order.by]
    return kind.reverse if order.reverse else kind.usual


def order_name(order: SessionOrder) -> str:
    """Return what an order is by, as people say it."""
    return order.metric.replace("_", " ") or order.key or ORDERS[order.by].title


def sorted_words(order: SessionOrder) -> str:
    """Return by what and which way round a list is sorted: "turns, longest first"."""
    return order_words(order) if order.by == "match" else f"{order_name(order)}, {order_words(order)}"


def turned(current: SessionOrder, chosen: SessionOrder) -> SessionOrder:
    """Return the order that was chosen: turned round where the list is sorted by it already."""
    same = replace(current, reverse=False) == replace(chosen, reverse=False)
    return replace(chosen, reverse=not current.reverse) if same else chosen


class Arrangement:
    """What was asked for, and what was found: it owns no widget, and the screen shows what it holds.

    What somebody chooses is remembered in the store; where that fails it holds until turnwise ends, and the
    error is raised.
    """

    def __init__(self, store: Store, covered: Callable[[], Collection[int]] = frozenset) -> None:
        """covered: finds the sessions of which nobody is to be told how they came out; asked in a thread."""
        self._store, self._covered = store, covered
        self.asked = ""
        """The filter that was typed last; what it finds may be on its way."""
        # One for good: it remembers how many there are, which takes a while to count.
        self._all = AllSessions(store)
        self.provider: AllSessions | FoundSessions = self._all
        """The sessions that are shown."""
        self.columns: tuple[str, ...] = ()
        """What somebody chose: metrics, without any of them all, and such facts as `meta.language`."""
        self._order: SessionOrder | None = None
        """What somebody chose to sort by; None for the best match of words, else the newest first."""

    @property
    def order(self) -> SessionOrder:
        """What the sessions are sorted by."""
        return self._order or self.order_by_itself

    @property
    def order_by_itself(self) -> SessionOrder:
        """What they are sorted by where nobody chose."""
        return BEST_MATCH if words_of(self.asked) else USUAL_ORDER

    @property
    def chosen_order(self) -> SessionOrder | None:
        """What somebody chose to sort by; None where nobody did."""
        return self._order

    def take_up(self) -> bool:
        """Take up the columns and the order of the last time; return whether there is such an order."""
        remembered = self._store.remembered
        self.columns = tuple(map(str, remembered.get(COLUMNS) or ()))
        if order := remembered.get(ORDER):
            with suppress(TurnwiseError):
                self._order = order_of(str(order), self._store.sessions.metrics())
        return self._order is not None

    def reset(self) -> None:
        """Show all sessions, the newest first."""
        self.asked, self.provider, self._order = "", self._all, None

    def find(self, query: str, order: SessionOrder, stop: Callable[[], bool]) -> AllSessions | FoundSessions:
        """Return the sessions that a query finds, in an order. stop: is asked whether to end at once.

        It takes a while: call it from a thread. Raises a TurnwiseError where the query means nothing.
        """
        if query or order != USUAL_ORDER:
            found = self._store.sessions.ids(query, order, stop=stop)
            if not rests_on_covered(query, order):
                return FoundSessions(self._store, found)
            covered = frozenset(self._covered())
            in_order = in_covered_order(found, query, order, lambda: covered)
            return FoundSessions(self._store, in_order, covered=covered)
        return self._all

    def left_out(self) -> int:
        """Return of how many sessions the filter was not asked, because it tells how they came out."""
        provider = self.provider
        covered = provider.covered if isinstance(provider, FoundSessions) else None
        return len(covered) if covered and query_tells_outcome(self.asked) else 0

    def is_as_covered(self, covered: Collection[int]) -> bool:
        """Whether the list is as these covered sessions have it: none was seen, labelled or queued since."""
        provider = self.provider
        before = provider.covered if isinstance(provider, FoundSessions) else None
        return before is None or before == covered

    def sort_by(self, order: SessionOrder) -> None:
        """Sort by what somebody chose. Raises a TurnwiseError where it cannot be remembered."""
        self._order = None if order == self.order_by_itself else order
        self._store.remembered.keep(ORDER, self._order.text if self._order else "")

    def order_of_column(self, column: SessionColumn) -> SessionOrder | None:
        """Return the order that a click on a column's title asks for; None where it cannot be sorted by."""
        if column.kind == "metric":
            return turned(self.order, SessionOrder("metric", column.metric))
        if column.kind == "fact":
            return turned(self.order, order_of(column.fact, ()))
        return turned(self.order, SessionOrder(column.kind)) if column.kind in ORDERS else None

    def choose_columns(self, names: tuple[str, ...]) -> None:
        """Give these metrics and facts a column. Raises a TurnwiseError where it cannot be remembered."""
        self.columns = names
        self._store.remembered.keep(COLUMNS, names)

    def shown_metrics(self) -> tuple[list[str], bool]:
        """Return the metrics with outcomes that may have a column, and whether they were chosen.

        They stand in the order in which they came to be used, whatever was chosen first or run last.
        """
        metrics = self._store.sessions.metrics_by_age()
        chosen = [metric for metric in metrics if metric in self.columns]
        return chosen or metrics, bool(chosen)

    def shown_facts(self) -> list[str]:
        """Return which facts have a column: all that was chosen and is no metric."""
        metrics = set(self._store.sessions.metrics())
        facts = ("model", "scenario", SOURCE)
        return [name for name in self.columns if name not in metrics and (name in facts or "." in name)]

    def tell(self, rows: Sequence[SessionRow]) -> Sequence[SessionRow]:
        """Return rows with what they say under the facts that have a column."""
        facts = self.shown_facts()
        if not facts:
            return rows
        told = self._store.sessions.told([row.id for row in rows], facts)
        return [replace(row, told=told.get(row.id, {})) for row in rows]


def title_words(
    chosen: Selection | None, judge: str, total: int, hidden: int, *, none_listed: bool = False
) -> str:
    """Say how many sessions are selected, who judges, how many there are, and how many hide scores.

    none_listed: whether a filter leaves none of them.
    """
    selected = unlisted_title(len(chosen), chosen.unlisted_count) if chosen is not None else ""
    # The dot is what stands in their columns, and the % of other columns leave them out. What comes after
    # the last comma gives way to a judge's name.
    covered = ""
    if hidden and not none_listed:
        covered = f", {hidden:,} hide{'s' * (hidden == 1)} scores (·), not in % until labelled"
    return f"{selected}{'   ' if selected else ''}{judge}   {counted(total, 'session')}{covered}"


def match_words(query: str, count: int, total: int, order: SessionOrder, *, left_out: int = 0) -> str:
    """Say how many of all sessions a filter found: "7 of 14", and by what they are sorted where that is not
    the usual order; nothing where there is no filter.

    Where it asks for what a run judged, it says that the list has the newest scores: later runs may have
    judged the same. left_out: of how many sessions it was not asked.
    """
    if not query:
        return ""
    if not count:
        # Why that may be, and what leads out of there, stands where the sessions would.
        return f"0 of {total:,}"
    of_a_run = any(term.text.lower().startswith("run:") for term in terms_of(query))
    parts = [
        f"{count:,} of {total:,}",
        waiting_words(left_out),
        sorted_words(order) if order != USUAL_ORDER else "",
        "newest scores, of any run" if of_a_run else "",
    ]
    return " · ".join(part for part in parts if part)


def filter_commands(
    store: Store, show: Callable[[str], None]
) -> Iterator[tuple[str, str, Callable[[], None]]]:
    """Yield the saved filters for the command palette: title, help, what to do. show: shows a query."""
    for one in store.filters.all():
        name, query = make_safe_line(one.name), make_safe_line(one.query)
        yield f"filter: {name}", query, partial(show, one.query)
