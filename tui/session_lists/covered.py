"""Which sessions' scores are covered in lists, so that a label of theirs will be blind."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from turnwise.conversations.store import (
    SessionOrder,
    SessionRow,
    Store,
    order_tells_outcome,
    query_tells_outcome,
)
from turnwise.conversations.words import counted

if TYPE_CHECKING:
    from turnwise.tui.shell.shell import Shell

FEW = 30
"""Of so few sessions, figures of all beside those of the open ones tell how a covered one came out."""
HIDDEN = "Scores hidden: it waits in a queue for your label."


def covered_sessions(shell: Shell, store: Store) -> frozenset[int]:
    """Return all sessions that are covered: call it from a thread."""
    if not shell.settings.blind:
        return frozenset()
    return frozenset(store.queues.waiting() - set(shell.seen))


def rests_on_covered(query: str, order: SessionOrder) -> bool:
    """Whether which sessions are covered changes what a query finds, or in what order."""
    return query_tells_outcome(query) or order_tells_outcome(order)


def in_covered_order(
    session_ids: list[int], query: str, order: SessionOrder, covered: Callable[[], Collection[int]]
) -> list[int]:
    """Return the sessions of a list such that their places say nothing of those that are covered.

    A filter that asks how sessions came out does not find them, and in an order by that they stand last.
    covered: finds them; asked only where it counts.
    """
    filters, sorts = query_tells_outcome(query), order_tells_outcome(order)
    hidden = covered() if filters or sorts else ()
    if not hidden:
        return session_ids
    open_ones = [one for one in session_ids if one not in hidden]
    return open_ones if filters else [*open_ones, *sorted(one for one in session_ids if one in hidden)]


def open_query(store: Store, query: str, covered: Collection[int]) -> tuple[str, int]:
    """Return a query for the sessions of another one that are not covered, and how many are left out.

    All sessions stay all where they are many. Of a filter that asks how sessions came out all that are
    covered count as left out, as which of them it would find tells that. Call it from a thread.
    """
    if not covered or not (query.strip() or store.sessions.count() <= FEW):
        return query, 0
    tells = query_tells_outcome(query)
    out = sorted(covered if tells else set(store.sessions.ids(query, None)).intersection(covered))
    return (f"{query} -id:{','.join(map(str, out))}".strip() if out else query), len(out)


def waiting_words(count: int, what: str = "not searched", *, named: bool = False) -> str:
    """Say of how many covered sessions a filter was not asked, or what else is so of them; empty for none.

    These are all that wait, whatever the filter would find: a count of those it would tell how they came out.
    named: whether it says that they are sessions, as beside a list of something else.
    """
    told = counted(count, "session") if named else f"{count:,}"
    return f"{told} wait{'s' * (count == 1)} for your label: {what}" if count else ""


def hiding_words(count: int, what: str) -> str:
    """Say of how many sessions scores are hidden, and what is so of them; empty for none.

    Of a queue more may be left to label: one whose scores were seen hides them no more.
    """
    verb = "hides" if count == 1 else "hide"
    return f"{counted(count, 'session')} {verb} scores: {what}" if count else ""


def is_covered(shell: Shell, row: SessionRow) -> bool:
    """Whether a session waits in a review queue for a label, and its scores were not seen in this sitting."""
    return row.queued and shell.settings.blind and row.id not in shell.seen
