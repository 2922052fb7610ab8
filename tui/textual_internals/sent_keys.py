"""Keys that were sent to a widget: answered by its dialog, and waited for by those after them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from textual import events
from textual.app import App
from textual.dom import DOMNode
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.worker import Worker

SECONDS_OF_A_BURST = 0.1
"""A key that comes later than this after another was not sent in one go with it."""
_SENT = "_sent_key"
_ROUNDS = 2
"""A key makes a field tell its screen that it is done: that news goes the way of the key a second time."""


@dataclass(frozen=True, slots=True)
class _Sent:
    """A key that was sent. at: when it was pressed. chain: the widget that it went to, and what holds that;
    empty where it was typed there. at_work: what was at work before, where it may begin more.
    """

    at: float
    chain: Sequence[DOMNode]
    at_work: Collection[Worker[Any]] | None


def note_sent(app: App[Any], event: events.Key) -> None:
    """Remember which widget a key goes to, and what holds that; what is typed closes nothing.

    Call it before the key is sent, or answered.
    """
    to = app.focused or app.screen
    is_typed = app.focused is not None and app.focused.check_consume_key(event.key, event.character)
    chain = [] if is_typed else [node for node in to.ancestors_with_self if node is not app]
    is_answer = event.key == "enter" and app.screen.is_modal
    at_work = frozenset(app.workers) if is_answer else None
    app.__dict__[_SENT] = _Sent(event.time, chain, at_work)


async def sent_is_answered(app: App[Any], event: events.Key, seconds: float) -> None:
    """Wait until the key before, of the same burst, has done what it does; so long at most.

    Textual sends a key to the widget with the focus, and this one would be sent to the same before that has
    closed its dialog, or before its screen has heard what is to be opened. No issue was found.
    """
    sent: _Sent | None = app.__dict__.pop(_SENT, None)
    if sent is None or not sent.chain or event.time - sent.at > SECONDS_OF_A_BURST:
        return
    until, front = time.monotonic() + seconds, app.screen
    for _ in range(_ROUNDS):
        for node in sent.chain:
            await _has_done(node, until)
    if sent.at_work is not None:
        await _work_is_done(app, front, sent.at_work, until)
    if app.screen_stack and app.screen is not front:
        # What takes the answer is told of it by the app, or by the screen that asked.
        await app._flush_next_callbacks()
        await _has_done(app.screen, until)


async def _work_is_done(
    app: App[Any], dialog: Screen[Any], before: Collection[Worker[Any]], until: float
) -> None:
    """Wait for what enter began in a dialog that closes once this is done."""
    while app.screen_stack and app.screen is dialog and (left := until - time.monotonic()) > 0:
        begun = [one for one in app.workers if one.node is dialog and one not in before]
        tasks = [one._task for one in begun if one._task is not None and not one.is_finished]
        if not tasks:
            return
        await asyncio.wait(tasks, timeout=left, return_when=asyncio.FIRST_COMPLETED)


async def _has_done(node: MessagePump, until: float) -> None:
    """Wait until a part has done what it was sent so far, or has gone."""
    done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def end() -> None:
        if not done.done():
            done.set_result(None)

    if node.is_running and node.call_later(end):
        waited = [done] if node._task is None else [done, node._task]
        await asyncio.wait(
            waited, timeout=max(0.0, until - time.monotonic()), return_when=asyncio.FIRST_COMPLETED
        )


def keep_with_screen(event: events.Event) -> None:
    """Let a key go no further than to the screen that it was sent to."""
    event.bubble = False  # type: ignore[misc]


async def answer_sent(screen: Screen[Any], event: events.Event) -> None:
    """Do what a key is bound to that no widget took, before the screen hears of anything else.

    Textual lets the app do so, where the keys of the same burst come first. A key means nothing to a screen
    that is in front only by now. No issue was found.
    """
    app = screen.app
    if not event._stop_propagation and app.screen_stack and app.screen is screen:
        # Whoever a dialog that opens now is to answer is the app, as ever.
        with app._context():
            await app.on_event(event)
