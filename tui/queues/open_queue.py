"""How a queue is reviewed: from the first of its sessions that is not done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.app import App

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store import QueueRow
from turnwise.tui.session_lists.pages import SessionToRead
from turnwise.tui.session_lists.stored_sessions import QueueSessions
from turnwise.tui.settings.settings import author_of
from turnwise.tui.shell.shell import Shell


def first_to_read(shell: Shell, queue: QueueRow) -> SessionToRead | None:
    """Return the first session of a queue that is not done; where all are, the first of all."""
    sessions = QueueSessions(shell.store, queue, author_of(shell.settings))
    first = sessions.next_to_review() or next(iter(sessions.ids()), None)
    return SessionToRead(first, sessions) if first is not None else None


def open_queue(app: App[Any], shell: Shell, queue_id: int, then: Callable[[int | None], None]) -> None:
    """Review a queue from its first session that is not done; where all are, the review shows its end.

    shell and app: both are the app. then: is told the session that was read last.
    """
    try:
        queue = shell.store.queues.get(queue_id)
    except TurnwiseError as error:
        shell.tell_error(error)
        return
    if (first := first_to_read(shell, queue)) is not None:
        read_queue(app, shell, first, then)


def read_queue(app: App[Any], shell: Shell, first: SessionToRead, then: Callable[[int | None], None]) -> None:
    """Review a queue from a session on, as `first_to_read` gave it."""
    from turnwise.tui.review.review_screen import ReviewScreen

    app.push_screen(shell.kept_dialogs.take(ReviewScreen, *first), then)
