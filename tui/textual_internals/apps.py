"""Apps: what an app does about its screens, keys and toasts, and about errors that nothing caught."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar, cast

from textual.app import App
from textual.await_remove import AwaitRemove
from textual.dom import DOMNode
from textual.message_pump import MessagePump
from textual.notifications import Notification
from textual.screen import Screen
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets._toast import Toast, ToastRack

_App = TypeVar("_App", bound=App[Any])
IN_LINE = "-in-line"
"""The class of the toasts that stand in the line of keys."""


def covers_what_is_below(kind: type[_App]) -> type[_App]:
    """Let apps of a class draw nothing of the screens below one that lets nothing through.

    Textual counts the next screen as seen through the top one, whatever that one's background: each change of
    it, as of a list that rereads marks, draws all of the top screen anew. No issue was found.
    """
    usual = cast("property", kind._background_screens).fget

    def seen_through(app: _App) -> list[Screen[Any]]:
        opaque = bool(app._screen_stack) and app._screen_stack[-1].styles.background.a == 1
        return [] if opaque or usual is None else usual(app)

    kind._background_screens = property(seen_through)  # type: ignore[assignment]
    return kind


def goes_on_where_a_part_is_cancelled(kind: type[_App]) -> type[_App]:
    """Let apps of a class go on where a part of a screen that goes was cancelled, as a dialog on its way is.

    Textual waits for all of its parts, and what one of them was cancelled with would end the app unheard. No
    issue was found.
    """
    usual = kind._replace_screen

    async def replace_screen(app: _App, screen: Screen[Any]) -> Screen[Any]:
        try:
            return await usual(app, screen)
        except asyncio.CancelledError:
            task = asyncio.current_task()
            if task is None or task.cancelling():
                raise
            return screen

    kind._replace_screen = replace_screen  # type: ignore[assignment, method-assign]
    return kind


def lets_screens_go_quietly(kind: type[_App]) -> type[_App]:
    """Let apps of a class lay nothing out anew because a screen that was closed has gone.

    Textual lays out the screen in front whenever any part of the app was taken away; a screen is no part of
    another. No issue was found.
    """
    usual = kind._prune

    def prune(app: _App, *nodes: Widget, parent: DOMNode | None = None) -> AwaitRemove:
        return usual(app, *nodes, parent=None if parent is app else parent)

    kind._prune = prune  # type: ignore[assignment, method-assign]
    return kind


async def screen_is_there(screen: Screen[Any], seconds: float) -> None:
    """Wait for the parts of a screen that is only just opened, so long at most.

    Keys of one burst are for the screen that the first of them opens. No issue was found; Textual offers
    `is_mounted`, which can be asked, but nothing to wait for.
    """
    if not screen.is_mounted:
        with suppress(TimeoutError):
            await asyncio.wait_for(screen._mounted_event.wait(), seconds)


async def answer_key(app: App[Any], key: str) -> bool:
    """Do what a key is bound to, before the next one is read; return whether it is bound to anything.

    Textual sends the key to the widget with the focus as a message. On its way there and back it would be
    overtaken by the keys of the same burst: what is typed after the key that opens a line would not reach
    that line. No issue was found.
    """
    app.screen._clear_tooltip()
    return await app._check_bindings(key, priority=True) or await app._check_bindings(key)


def is_leaving(node: MessagePump) -> bool:
    """Whether a screen or widget is being taken away, or is gone: its parts may no longer be there.

    Parts go before what holds them, so a screen that is still attached may have none left. What Textual
    offers to ask (`is_running`, `is_attached`, `is_mounted`) still says yes then. As the app ends, a screen
    that is not open loses its parts before it is closed itself. No issue was found.
    """
    return node._closing or node._closed or getattr(node, "_pruning", False) or not node.app.is_running


def on_front_change(app: App[Any], do: Callable[[], object]) -> None:
    """Call back whenever another screen is in front; no longer once the app has ended.

    Textual tells subscribers by a message, which may be heard when all screens are gone. To ask for the one
    in front is an error then. No issue was found.
    """
    app.screen_change_signal.subscribe(app, lambda _: do() if app.screen_stack else None)


LEAST_SECONDS = 0.001


def let_timers_end() -> None:
    """Let a timer whose time is over already ring at once.

    Textual counts without an end in one of less than no time, as that of a toast is which was told while the
    machine slept or was busy, and the app hangs; in one of no time at all it divides by zero. No issue was
    found.
    """
    Timer.__init__ = _init_timer  # type: ignore[method-assign, assignment]


_usual_init_timer = Timer.__init__


def _init_timer(timer: Timer, event_target: MessagePump, interval: float, **options: Any) -> None:
    _usual_init_timer(timer, event_target, max(LEAST_SECONDS, interval), **options)


def drop_toasts(app: App[Any], goes: Callable[[Notification], bool]) -> None:
    """Take away the toasts that are to go.

    They heap up otherwise until they cover the screen. Textual offers to clear all of them or none, and
    leaves the line in which each stood, so that the next one stands further off; no issue was found.
    """
    for told in filter(goes, list(app._notifications)):
        app._unnotify(told, refresh=False)
    racks = (part for part in app.screen.children if isinstance(part, ToastRack)) if app.screen_stack else ()
    for held in [holder for rack in racks for holder in rack.children]:
        toasts = (toast for toast in held.children if isinstance(toast, Toast))
        if all(toast._notification not in app._notifications for toast in toasts):
            held.remove()


def standing_toasts(app: App[Any]) -> list[Notification]:
    """Return what is told now, oldest first. Textual offers nothing to ask for it."""
    return list(app._notifications)


def place_toasts(app: App[Any], *, in_line: bool) -> None:
    """Let toasts stand in the last line of the screen, or above it. Textual has one place for all of them.

    It is the rack alone that gets a class, as that of a screen would look up the styles of all its parts.
    """
    for part in app.screen.children if app.screen_stack else ():
        if isinstance(part, ToastRack):
            part.set_class(in_line, IN_LINE)


Take = Callable[[Exception], Exception | None]


def take_errors(app: App[Any], take: Take) -> None:
    """Let `take` hear of each error that nothing caught; what it returns is left to Textual.

    Textual prints a traceback for every exception and has no hook to put words in its place:
    https://github.com/Textualize/textual/issues/5325 and https://github.com/Textualize/textual/issues/2818.
    """
    usual = app._handle_exception

    def handle(error: Exception) -> None:
        if (left := take(error)) is not None:
            usual(left)

    app._handle_exception = handle  # type: ignore[method-assign]


def hand_error(app: App[Any], error: Exception) -> None:
    """Treat an error as one that came up in the app's own code. Call it in the app's loop."""
    app._handle_exception(error)


def keep_for_tests(app: App[Any], error: Exception) -> None:
    """Let a test that runs the app raise its first error again, as Textual does with those it prints."""
    if app._exception is None:
        app._exception = error
        app._exception_event.set()


def break_off(app: App[Any], code: int) -> None:
    """End the app at once with an exit code, as Textual ends it after a traceback.

    `exit` would wait for a loop that may have broken off: https://github.com/Textualize/textual/issues/5325.
    """
    app._return_code = code
    app._close_messages_no_wait()
