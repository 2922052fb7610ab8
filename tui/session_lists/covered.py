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

if TYPE_CHECKING:
    from turnwise.tui.shell.shell import Shell

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


def waiting_words(count: int, what: str = "not searched") -> str:
    """Say of how many covered sessions a filter was not asked, or what else is so of them; empty for none.

    These are all that wait, whatever the filter would find: a count of those it would tell how they came out.
    """
    return f"{count:,} wait{'s' * (count == 1)} for your label: {what}" if count else ""


def is_covered(shell: Shell, row: SessionRow) -> bool:
    """Whether a session waits in a review queue for a label, and its scores were not seen in this sitting."""
    return row.queued and shell.settings.blind and row.id not in shell.seen
