"""Asked: what is read for a key before its dialog opens, and how the keys after it wait for that."""

from __future__ import annotations

import asyncio
import time
from typing import Any, TypeVar

from textual.app import App
from textual.await_complete import AwaitComplete
from textual.worker import Worker, active_worker

_App = TypeVar("_App", bound=App[Any])
ASK = "ask"
"""The group of the workers that open a dialog, or a screen, for a key."""
SECONDS_AFTER_CLOSING = 0.25
"""Keys of one go with the answer of a dialog wait at most so long for what its worker does with that."""
_OPENED = "_opened"
_GIVEN_UP = "_given_up"
_CLOSED_AT = "_closed_at"
_NEWS = "_news_of_opening"


def tells_what_opens(kind: type[_App]) -> type[_App]:
    """Let apps of a class know which of their workers has opened what a key asked for.

    Textual says that a worker goes on, but not whether it waits for a person by now. No issue was found.
    """
    usual, usual_end = kind.push_screen, kind.pop_screen

    def push_screen(app: _App, *args: Any, **options: Any) -> Any:
        opened = usual(app, *args, **options)
        if (worker := active_worker.get(None)) is not None:
            worker.__dict__[_OPENED] = app.screen
        _tell(app)
        return opened

    def pop_screen(app: _App) -> AwaitComplete:
        app.__dict__[_CLOSED_AT] = time.monotonic()
        return usual_end(app)

    kind.push_screen = push_screen  # type: ignore[assignment, method-assign]
    kind.pop_screen = pop_screen  # type: ignore[assignment, method-assign]
    return kind


async def asked_is_there(app: App[Any], seconds: float) -> None:
    """Wait until the workers that a key before began have opened their dialogs, or ended; so long at most.

    Of a dialog that was answered just now its worker may open another, or act upon the answer. Nothing waits
    a second time for one that takes longer.
    """
    until = time.monotonic() + seconds
    while coming := [worker for worker in app.workers if _is_coming(app, worker)]:
        news: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        app.__dict__[_NEWS] = news

        def ended(_: object) -> None:
            _tell(app)

        tasks = [worker._task for worker in coming if worker._task is not None]
        for task in tasks:
            task.add_done_callback(ended)
        last = until if any(_OPENED not in worker.__dict__ for worker in coming) else _end_of_closing(app)
        heard, _ = await asyncio.wait([news], timeout=max(0.0, last - time.monotonic()))
        for task in tasks:
            task.remove_done_callback(ended)
        if not heard:
            for worker in coming:
                worker.__dict__[_GIVEN_UP] = True


def _is_coming(app: App[Any], worker: Worker[Any]) -> bool:
    if worker.group != ASK or worker.is_finished or _GIVEN_UP in worker.__dict__:
        return False
    opened = worker.__dict__.get(_OPENED)
    return opened is None or (opened not in app.screen_stack and time.monotonic() < _end_of_closing(app))


def _end_of_closing(app: App[Any]) -> float:
    closed_at: float = app.__dict__.get(_CLOSED_AT, 0.0)
    return closed_at + SECONDS_AFTER_CLOSING


def _tell(app: App[Any]) -> None:
    news: asyncio.Future[None] | None = app.__dict__.get(_NEWS)
    if news is not None and not news.done():
        news.set_result(None)
