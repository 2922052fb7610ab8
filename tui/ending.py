"""Ending: a program that a signal ends tidies up first, and leaves by the exit code that shells know."""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SECONDS_TO_END = 4.0
"""A program that was told to end and has not by then is ended the hard way."""
_NAMES = ("SIGTERM", "SIGHUP")
_SECONDS_TO_RAISE = 0.01
_LENT = threading.Event()


def end_on_signals() -> None:
    """Let SIGTERM and SIGHUP end the program as an error does: children end, files are closed, and the exit
    code is 143 or 129. One that is ignored, as under nohup, stays ignored.
    """
    for number in _numbers():
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _end)


@contextmanager
def terminal_lent() -> Iterator[None]:
    """Pass ctrl+c over while another program has the terminal: it is sent to turnwise, too."""
    before = signal.getsignal(signal.SIGINT)
    mine = threading.current_thread() is threading.main_thread()
    _LENT.set()
    try:
        if mine:
            # What a program ignores is ignored by those that it starts, what it handles is not.
            signal.signal(signal.SIGINT, _pass_over)
        yield
    finally:
        _LENT.clear()
        if mine and before is not None:
            signal.signal(signal.SIGINT, before)


def is_meant_for_another(number: int) -> bool:
    """Return whether a signal came from a key that was pressed for the program that has the terminal."""
    return number == signal.SIGINT and _LENT.is_set()


def end_hard(code: int) -> None:
    """End the process after a while, should it still be there."""
    timer = threading.Timer(SECONDS_TO_END, os._exit, (code,))
    timer.daemon = True
    timer.start()


def signal_main_soon(number: int) -> None:
    """Send a signal to the main thread in a moment, so that it is heard also in the midst of a wait."""
    again = threading.Timer(_SECONDS_TO_RAISE, _signal_main, (number,))
    again.daemon = True
    again.start()


def end_is_raised_anew(end: SystemExit) -> bool:
    """Raise the exit of a signal again in a moment, where Python could raise it to nobody.

    Return whether it is the exit of a signal at all.
    """
    number = next((number for number in _numbers() if end.code == 128 + number), None)
    if number is None or threading.current_thread() is not threading.main_thread():
        return False
    signal.signal(number, _end_again)
    signal_main_soon(number)
    return True


def _end_again(number: int, frame: FrameType | None) -> None:
    signal.signal(number, _pass_over)
    _leave(128 + number)


def _signal_main(number: int) -> None:
    main = threading.main_thread().ident
    if sys.platform == "win32" or main is None:
        _thread.interrupt_main(signal.Signals(number))
    else:
        # What Python simulates is heard only when the wait is over.
        signal.pthread_kill(main, number)


def _end(number: int, frame: FrameType | None) -> None:
    # A second one must not break off the tidying up.
    for other in _numbers():
        signal.signal(other, _pass_over)
    end_hard(128 + number)
    # A command that has no loop does not load what has loops, which takes a while.
    asyncio = sys.modules.get("asyncio")
    try:
        loop = asyncio.get_running_loop() if asyncio is not None else None
    except RuntimeError:
        loop = None
    if loop is None:
        _leave(128 + number)
    else:
        # Between two steps of the loop no task is broken off; then all of them are cancelled.
        loop.call_soon_threadsafe(_leave, 128 + number)


def _leave(code: int) -> None:
    raise SystemExit(code)


def _pass_over(number: int, frame: FrameType | None) -> None:
    return


def _numbers() -> list[signal.Signals]:
    return [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
