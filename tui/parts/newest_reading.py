"""What is begun for a screen: the newest of its kind, and taken unless the screen has gone meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, ParamSpec, TypeVar

from textual.dom import DOMNode

from turnwise.tui.textual_internals.apps import is_leaving

P = ParamSpec("P")
T = TypeVar("T")


def hand_over(node: DOMNode, take: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
    """Call `take` in the app's loop, from a thread, and wait for it; not where `node` has gone meanwhile.

    node: the screen, widget or app that `take` needs. A thread cannot be stopped, so it may end after the
    screen that started it, whose parts `take` would then look for in vain.
    """

    def unless_gone() -> None:
        if not is_leaving(node):
            take(*args, **kwargs)

    try:
        app = node.app
    except RuntimeError:  # A screen that has gone knows its app no longer.
        return
    app.call_from_thread(unless_gone)


def run_newest(node: DOMNode, work: Callable[[], Coroutine[Any, Any, None]], *, group: str) -> None:
    """Run an asynchronous function in the place of what was started before in the group.

    The function is handed on and not its coroutine, which nobody would wait for where a key that comes again
    at once ends it before it starts.
    """
    started: Callable[[], Any] = work
    node.run_worker(started, group=group, exclusive=True)


class NewestReading:
    """What a screen reads while keys go on; what was asked for last is what is taken.

        self._reading = NewestReading(self)
        self._reading.ask(lambda: agreement(store, metric), self._show)

    A thread cannot be stopped: were each key to start one, they would all be at work, and every key would
    wait for them. So the next one starts when the one before is done, and what was asked for in between
    is never read. Nothing is taken by a screen that has gone.
    """

    def __init__(self, node: DOMNode) -> None:
        """node: ends what is under way when it goes."""
        self._node = node
        self._next: tuple[Callable[[], Any], Callable[[Any], None]] | None = None
        self._ended = asyncio.Event()
        self._ended.set()
        self._dropped = False
        self._is_waited_for = True

    @property
    def under_way(self) -> bool:
        """Whether something is being read."""
        return not self._ended.is_set()

    @property
    def holds_keys(self) -> bool:
        """Whether keys wait for what is being read: none has waited in vain."""
        return self.under_way and self._is_waited_for

    async def end(self, seconds: float) -> None:
        """Wait until what was asked for is taken, so long at most.

        What takes longer is not waited for again.
        """
        try:
            await asyncio.wait_for(self._ended.wait(), seconds)
        except TimeoutError:
            self._is_waited_for = False

    def ask(self, read: Callable[[], T], take: Callable[[T], None]) -> None:
        """Call `read` in a thread, and `take` with what it found, unless another is asked for first."""
        self._next = read, take
        self._dropped = False
        self._is_waited_for = True
        if not self.under_way:
            self._ended.clear()
            # The function and not its coroutine, which nobody would wait for where the app ends at once.
            go_on: Callable[[], Any] = self._go_on
            self._node.run_worker(go_on, group="newest reading")

    def drop(self) -> None:
        """Let nothing be taken that was asked for until now: it is known already what is to be shown."""
        self._next, self._dropped = None, True

    async def _go_on(self) -> None:
        try:
            while self._next is not None:
                (read, take), self._next = self._next, None
                found = await asyncio.to_thread(read)
                if is_leaving(self._node):
                    return
                if self._next is None and not self._dropped:
                    take(found)
        finally:
            self._ended.set()
