"""Asked: what is read for a key before its dialog opens, and how the keys after it wait for that."""

from __future__ import annotations

import asyncio
import time
from typing import Any, TypeVar

from textual.app import App
from textual.worker import Worker, active_worker

_App = TypeVar("_App", bound=App[Any])
ASK = "ask"
"""The group of the workers that open a dialog, or a screen, for a key."""
_HAS_OPENED = "_has_opened"
_NEWS = "_news_of_opening"


def tells_what_opens(kind: type[_App]) -> type[_App]:
    """Let apps of a class know which of their workers has opened what a key asked for.

    Textual says that a worker goes on, but not whether it waits for a person by now. No issue was found.
    """
    usual = kind.push_screen

    def push_screen(app: _App, *args: Any, **options: Any) -> Any:
        opened = usual(app, *args, **options)
        if (worker := active_worker.get(None)) is not None:
            worker.__dict__[_HAS_OPENED] = True
        _tell(app)
        return opened

    kind.push_screen = push_screen  # type: ignore[assignment, method-assign]
    return kind


async def asked_is_there(app: App[Any], seconds: float) -> None:
    """Wait until the workers that a key before began have opened their dialogs, or ended; so long at most.

    Nothing waits a second time for one that takes longer.
    """
    until = time.monotonic() + seconds
    while coming := [worker for worker in app.workers if _is_coming(worker)]:
        news: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        app.__dict__[_NEWS] = news

        def ended(_: object) -> None:
            _tell(app)

        tasks = [worker._task for worker in coming if worker._task is not None]
        for task in tasks:
            task.add_done_callback(ended)
        heard, _ = await asyncio.wait([news], timeout=max(0.0, until - time.monotonic()))
        for task in tasks:
            task.remove_done_callback(ended)
        if not heard:
            for worker in coming:
                worker.__dict__[_HAS_OPENED] = True


def _is_coming(worker: Worker[Any]) -> bool:
    return worker.group == ASK and not worker.is_finished and _HAS_OPENED not in worker.__dict__


def _tell(app: App[Any]) -> None:
    news: asyncio.Future[None] | None = app.__dict__.get(_NEWS)
    if news is not None and not news.done():
        news.set_result(None)
