"""Ctrl+c: what it does to a command, from its first line to its last.

Before a command begins, the process ends at once. A command without an event loop is broken off by
KeyboardInterrupt, one with a loop is told (`run_async`). Once it ends, further presses change nothing: what
is being kept is kept. Whatever hangs for seconds after that is ended by the next press.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from turnwise.tui.ending import end_is_raised_anew, signal_main_soon

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Coroutine

INTERRUPTED = 130
STOPPING = "Finishing what is under way; ctrl+c again drops it."
SECONDS_TO_END = 3.0
"""So long a command that was broken off may take to keep what landed, before another press ends it."""
_SECONDS_TO_LEAVE = 0.5
"""So long the threads of a loop are waited for once all is kept and told."""

T = TypeVar("T")


class Interrupts:
    """Hears ctrl+c for the whole process. presses: how often it came so far."""

    def __init__(self) -> None:
        self.presses = 0
        self._last = 0.0
        self._hear: Callable[[int], None] | None = None
        self._raises_later = False

    def begin(self) -> None:
        """Take ctrl+c over, in the main thread of a process that is a command."""
        signal.signal(signal.SIGINT, self._press)
        sys.unraisablehook = self._unraisable

    def end(self) -> None:
        """Hear no more: nothing is under way any longer, and Python takes itself apart."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def forgive(self) -> None:
        """Take the presses so far as answered: the command goes on."""
        self.presses = 0

    @contextmanager
    def heard(self, hear: Callable[[int], None]) -> Iterator[None]:
        """Have presses told in the block, in the main thread, in the place of KeyboardInterrupt.

        hear: given how often it came so far.
        """
        before, self._hear = self._hear, hear
        try:
            yield
        finally:
            self._hear = before

    @contextmanager
    def stopping(self, stop: threading.Event) -> Iterator[None]:
        """Have the first press set an event in the block: what is under way ends by itself, cleanly."""

        def hear(_presses: int) -> None:
            stop.set()

        with _listening(hear):
            yield
        self.forgive()

    def _press(self, number: int, frame: object) -> None:
        if self._raises_later:
            # What is raised in a hook is dropped, too.
            self._raise_later()
            return
        now = time.monotonic()
        self.presses += 1
        late = self.presses > 2 and now - self._last > SECONDS_TO_END
        if self.presses <= 2:
            self._last = now
        if late:
            end_at_once()
        if self._hear is not None:
            self._hear(self.presses)
        elif self.presses == 1:
            raise KeyboardInterrupt

    def _unraisable(self, told: sys.UnraisableHookArgs) -> None:
        """Raise anew an interruption or exit that fell where Python can raise nothing, and would drop it."""
        if isinstance(told.exc_value, SystemExit) and end_is_raised_anew(told.exc_value):
            return
        if told.exc_type is KeyboardInterrupt:
            self.presses = 0
            # Here too it could be raised to nobody.
            self._raises_later = True
            self._raise_later()
            self._raises_later = False
        else:
            sys.__unraisablehook__(told)

    @staticmethod
    def _raise_later() -> None:
        signal_main_soon(signal.SIGINT)


interrupts = Interrupts()


def end_at_once(number: int = signal.SIGINT, frame: object = None) -> NoReturn:
    """End the process with 130, whatever it is doing."""
    for stream in (sys.stdout, sys.stderr):
        # Another write may be under way just now.
        with suppress(Exception):
            stream.flush()
    with suppress(OSError):
        os.write(2, b"Interrupted.\n")
    os._exit(INTERRUPTED)


def run_async(
    main: Coroutine[Any, Any, T], *, stop: asyncio.Event | None = None, ends_itself: bool = False
) -> T:
    """Run a coroutine in a loop of its own, which ctrl+c cancels.

    stop: set by the first ctrl+c; then the second cancels. ends_itself: it ends at once when stop is set, and
    nothing is left to cancel. Raises KeyboardInterrupt where it was cancelled and did not return all the
    same.
    """
    import asyncio

    from turnwise.tui.cli.output import narrate

    loops: list[asyncio.AbstractEventLoop] = []
    tasks: list[asyncio.Task[T]] = []
    heard: list[int] = []

    def act(presses: int) -> None:
        if stop is not None and presses == 1:
            if not ends_itself:
                narrate(f"\n{STOPPING}")
            stop.set()
        elif presses == (1 if stop is None else 2) and tasks and not ends_itself:
            tasks[0].cancel()

    def hear(presses: int) -> None:
        heard.append(presses)
        if loops:
            with suppress(RuntimeError):  # the loop has ended
                loops[0].call_soon_threadsafe(act, presses)

    async def watched() -> T:
        loops.append(asyncio.get_running_loop())
        tasks.append(asyncio.ensure_future(main))
        if heard:
            # It came before there was anything to cancel.
            tasks[0].cancel()
        try:
            return await tasks[0]
        finally:
            if interrupts.presses:
                _leave_soon()

    with _listening(hear):
        try:
            return asyncio.run(watched())
        except asyncio.CancelledError:
            if heard:
                raise KeyboardInterrupt from None
            raise


@contextmanager
def _listening(hear: Callable[[int], None]) -> Iterator[None]:
    """Have presses told, also in a process that is no command of ours, such as a test."""
    ours = signal.getsignal(signal.SIGINT) == interrupts._press
    if ours or threading.current_thread() is not threading.main_thread():
        with interrupts.heard(hear):
            yield
        return
    presses = count(1)
    before = signal.signal(signal.SIGINT, lambda *_: hear(next(presses)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _leave_soon() -> None:
    """End the process shortly, where a thread that nobody can stop would keep it: all is kept and told."""
    if signal.getsignal(signal.SIGINT) == interrupts._press:
        waiting = threading.Timer(_SECONDS_TO_LEAVE, os._exit, [INTERRUPTED])
        waiting.daemon = True
        sys.stdout.flush()
        waiting.start()
