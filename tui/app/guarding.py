"""Guards a running app: signals, threads and tasks that end badly leave the terminal as it was."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from textual.app import App

from turnwise.tui.ending import end_hard, is_meant_for_another
from turnwise.tui.textual_internals.apps import hand_error

_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")
ENDING = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))


@contextmanager
def guarded_threads(app: App[Any]) -> Iterator[None]:
    """While the app runs, let an error in any thread end it with words instead of text over the screen."""

    def hear(arguments: threading.ExceptHookArgs) -> None:
        error = arguments.exc_value
        if not isinstance(error, Exception):
            return
        if isinstance(error, OSError):
            # The thread that draws has lost its terminal; nothing that waits for it may keep the process.
            end_hard(1)
        app.call_later(hand_error, app, error)

    before = threading.excepthook
    threading.excepthook = hear
    try:
        yield
    finally:
        threading.excepthook = before


def guard_loop(tell: Callable[[Exception], None], end: Callable[[signal.Signals], None]) -> None:
    """End the app in good order on signals, and tell of tasks that failed unheard. Call it in the loop.

    tell: hears of an error that nothing caught. end: begins to end the app.
    """
    loop = asyncio.get_running_loop()
    for number in ENDING:
        with suppress(NotImplementedError, RuntimeError, ValueError):
            loop.add_signal_handler(number, _end, end, number)

    def hear(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if isinstance(error := context.get("exception"), Exception):
            tell(error)

    loop.set_exception_handler(hear)


def _end(end: Callable[[signal.Signals], None], number: signal.Signals) -> None:
    if is_meant_for_another(number):
        return
    end_hard(128 + number)
    end(number)
