"""Which sessions' scores are covered in lists, so that a label of theirs will be blind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwise.conversations.store import SessionRow

if TYPE_CHECKING:
    from turnwise.tui.shell.shell import Shell

HIDDEN = "Scores hidden: it waits in a queue for your label."


def is_covered(shell: Shell, row: SessionRow) -> bool:
    """Whether a session waits in a review queue for a label, and its scores were not seen in this sitting."""
    return row.queued and shell.settings.blind and row.id not in shell.seen
