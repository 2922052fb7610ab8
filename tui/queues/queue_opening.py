"""Opening a queue: which of its sessions is read first, and the queue of all that people dispute."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.app import App

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store import QueueRow, Store
from turnwise.engine.people.next_labels import NO_LIMIT, make_queue
from turnwise.engine.people.queues import QueuePlan
from turnwise.tui.queues.queue_words import new_name
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


def standing_disputed_queue(store: Store) -> int | None:
    """Return the number of a queue of what people dispute that is not done; None where there is none."""
    open_ones = (
        row.id
        for row in store.queues.all()
        if row.sampler == "disputed" and row.done < row.count and not row.settings.get("query")
    )
    return next(open_ones, None)


def new_disputed_queue(store: Store) -> int:
    """Make a queue of all that people dispute, and return its number. Raises SettingError for nothing."""
    name = new_name("disputed", store.queues.all())
    return make_queue(store, name, QueuePlan("disputed", NO_LIMIT))
