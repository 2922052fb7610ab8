"""Guards a running app: signals, threads and tasks that end badly leave the terminal as it was."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from turnwise.tui.app import TurnwiseApp

SECONDS_TO_END = 4.0
"""An app that was told to end and has not by then is ended the hard way."""
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")
ENDING = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))


@contextmanager
def guarded_threads(app: TurnwiseApp) -> Iterator[None]:
    """While the app runs, let an error in any thread end it with words instead of text over the screen."""

    def hear(arguments: threading.ExceptHookArgs) -> None:
        error = arguments.exc_value
        if not isinstance(error, Exception):
            return
        if isinstance(error, OSError):
            # The thread that draws has lost its terminal; nothing that waits for it may keep the process.
            end_hard(1)
        app.call_later(app._handle_exception, error)

    before = threading.excepthook
    threading.excepthook = hear
    try:
        yield
    finally:
        threading.excepthook = before


def guard_loop(app: TurnwiseApp) -> None:
    """End the app in good order on signals, and tell of tasks that failed unheard. Call it in the loop."""
    loop = asyncio.get_running_loop()
    for number in ENDING:
        with suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, _end, app, number)

    def hear(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if isinstance(error := context.get("exception"), Exception):
            app.tell_mistake(error)

    loop.set_exception_handler(hear)


def _end(app: TurnwiseApp, number: signal.Signals) -> None:
    end_hard(128 + number)
    app.end_by_signal(number)


def end_hard(code: int) -> None:
    """End the process after a while, should it still be there."""
    timer = threading.Timer(SECONDS_TO_END, os._exit, (code,))
    timer.daemon = True
    timer.start()
