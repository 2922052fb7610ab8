"""KeysInTurn: lets each key be answered where it was pressed, once what the key before asked for is there."""

from __future__ import annotations

import asyncio
from typing import Any
from weakref import WeakSet

from textual import events
from textual.app import App

from turnwise.tui.actions import Table
from turnwise.tui.drawing.still import Keyless, reading_of
from turnwise.tui.places.keys_elsewhere import tell_key_elsewhere
from turnwise.tui.textual_internals.apps import answer_key, screen_is_there
from turnwise.tui.textual_internals.asked import asked_is_there
from turnwise.tui.textual_internals.sent_keys import note_sent, sent_is_answered

SECONDS_TO_OPEN = 2.0
"""How long a key waits for the parts of a screen that is only just opened."""


class KeysInTurn:
    """Takes the keys of an app, one after the other, before Textual hands them on to the focus."""

    def __init__(self, app: App[Any], actions: Table) -> None:
        """actions: those of every place, by which it is told what a key does elsewhere."""
        self._app, self._actions = app, actions
        self._unanswered: WeakSet[events.Key] = WeakSet()
        """Keys that the screen on which they were pressed has no meaning for."""

    async def take(self, event: events.Key) -> bool:
        """Do what a key asks for; return whether it is done with, so that nothing else is to hear of it."""
        if event.is_forwarded:
            # Here it means nothing. By now another screen may be in front, where it was not pressed.
            return event in self._unanswered
        app = self._app
        if app.screen_stack:
            # What the key before asked for has begun by then.
            await asyncio.sleep(0)
            await sent_is_answered(app, event, SECONDS_TO_OPEN)
            await asked_is_there(app, SECONDS_TO_OPEN)
            await screen_is_there(app.screen, SECONDS_TO_OPEN)
        # A list takes no key by itself: it is answered before the next one is read.
        if app.screen_stack and (isinstance(app.focused, Keyless) or reading_of(app.screen)):
            if event.key == "enter":
                # A list tells its screen what is to be opened, on the way that the key would have gone.
                note_sent(app, event)
            if await self._answer(event.key):
                return True
            self._unanswered.add(event)
            tell_key_elsewhere(self._actions, app.screen, event.key)
        if app.screen_stack and app.screen.is_modal:
            note_sent(app, event)
        return False

    async def _answer(self, key: str) -> bool:
        """Do what a key is bound to; one that means nothing yet waits for what the screen reads."""
        if await answer_key(self._app, key):
            return True
        reading = reading_of(self._app.screen)
        if reading is None:
            return False
        await reading.end(SECONDS_TO_OPEN)
        return await answer_key(self._app, key)
