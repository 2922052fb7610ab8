"""Which sessions' scores are covered in lists, so that a label of theirs will be blind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwise.conversations.store import SessionRow, Store

if TYPE_CHECKING:
    from turnwise.tui.shell.shell import Shell

HIDDEN = "Scores hidden: it waits in a queue for your label."


def covered_sessions(shell: Shell, store: Store) -> frozenset[int]:
    """Return all sessions that are covered: call it from a thread."""
    if not shell.settings.blind:
        return frozenset()
    return frozenset(store.queues.waiting() - set(shell.seen))


def is_covered(shell: Shell, row: SessionRow) -> bool:
    """Whether a session waits in a review queue for a label, and its scores were not seen in this sitting."""
    return row.queued and shell.settings.blind and row.id not in shell.seen
