"""Reading a session in the app under Pilot: for tests of the review screen and of what stands on it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any

from scored_sessions import BareApp
from textual.pilot import Pilot
from textual.widget import Widget
from textual.worker import WorkerFailed

from turnwise.conversations.store import Store
from turnwise.conversations.store.rows import LabelRow
from turnwise.tui.labels.label_pane import LabelPane
from turnwise.tui.review.review_screen import ReviewScreen
from turnwise.tui.session_lists.stored_sessions import QueueSessions
from turnwise.tui.settings.settings import Settings


@asynccontextmanager
async def reviewing(
    store: Store, session_id: int, size: tuple[int, int], sessions: Any = None, **settings: Any
) -> AsyncIterator[tuple[ReviewScreen, Pilot[int]]]:
    """Read a session as Mia. sessions: the list it was opened from. settings: of hers."""
    app = BareApp(store, settings=Settings(author="mia", **settings))
    async with app.run_test(size=size) as pilot:
        screen = ReviewScreen(session_id, sessions)
        await app.push_screen(screen)
        await settled(pilot)
        # What was read is shown by what comes after the thread.
        await settled(pilot)
        yield screen, pilot


def reading(
    store: Store, session_id: int, size: tuple[int, int] = (120, 30), sessions: Any = None
) -> AbstractAsyncContextManager[tuple[ReviewScreen, Pilot[int]]]:
    """Read a session with its scores in sight."""
    return reviewing(store, session_id, size, sessions, blind=False)


async def settled(pilot: Pilot[Any]) -> None:
    """Wait for the threads that read and write, and what they tell. One that failed told so on the screen."""
    with suppress(WorkerFailed):
        await pilot.app.workers.wait_for_complete()
    await pilot.pause()
    if isinstance(screen := pilot.app.screen, ReviewScreen):
        async with screen.labels.changes.place():
            pass
    await pilot.pause()


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """Press keys, and wait for what they do."""
    await pilot.press(*keys)
    await settled(pilot)


def drawn(widget: Widget) -> str:
    """Return a widget's lines as they are on the screen."""
    return "\n".join(widget.render_line(y).text.rstrip() for y in range(widget.size.height))


def current(screen: ReviewScreen) -> int | None:
    """Return the number of the turn the cursor is on."""
    return screen.transcript.current.number if screen.transcript.current else None


def told(pilot: Pilot[Any]) -> list[str]:
    """Return the toasts that are shown, oldest first."""
    return [toast.message for toast in pilot.app._notifications]


def pane(screen: ReviewScreen) -> str:
    """Return what is said of the session, as it is on the screen."""
    return drawn(screen.query_one(LabelPane))


def kept(store: Store, session: int) -> list[tuple[Any, ...]]:
    """Return label, turn and note of all that was said of a session, in order."""
    return [(row.label, row.turn, row.note) for row in store.labels.of(session)]


def newest(store: Store, session: int) -> LabelRow:
    """Return what was said of a session last."""
    return store.labels.of(session)[-1]


def queued(store: Store, ids: list[int]) -> QueueSessions:
    """Return sessions as those of a new queue."""
    return QueueSessions(store, store.queues.get(store.queues.add("friday", ids, sampler="random")))
