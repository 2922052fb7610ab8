"""BaseApp: what holds on every screen: the settings, keys and theme of the user, and errors in words."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Self

from textual import events
from textual.actions import ActionParseResult
from textual.app import App
from textual.dom import DOMNode
from textual.driver import Driver
from textual.filter import Monochrome, NoColor
from textual.notifications import SeverityLevel
from textual.worker import WorkerFailed

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store import Store
from turnwise.tui.actions import Table
from turnwise.tui.crash import crash_error, known_error, wants_traceback, write_crash_log
from turnwise.tui.keymap import read_keymap
from turnwise.tui.settings import Settings, keep_setting
from turnwise.tui.themes import PREFIX, THEMES, wants_no_color
from turnwise.tui.widgets.keyless import Keyless
from turnwise.tui.widgets.safe_text import make_safe

SECONDS_OF_AN_ERROR = 12.0
SECONDS_TO_OPEN = 2.0


class BaseApp(App[int]):
    """An app on one store that never shows raw text, and no traceback where words will do."""

    def __init__(self, store: Store, settings: Settings | None, theme: str) -> None:
        """settings: what the user wants; None for all as it comes. theme: by the name it is registered as."""
        super().__init__()
        for one in THEMES:
            self.register_theme(one)
        self.settings = settings or Settings()
        self._take_no_color()
        self.theme = theme
        keymap = read_keymap(self.settings.keymap)
        self.actions: Table = keymap.table
        """The registry's actions with the keys of the user's keymap."""
        self.set_keymap(keymap.bindings())
        self.store = store
        self.error: TurnwiseError | None = None
        """What ended the app, where a person can do something about it."""
        self.heard_at = time.monotonic()
        """When a key or the mouse was heard last, on the clock of `time.monotonic`."""

    def get_driver_class(self) -> type[Driver]:
        """Read the terminal so that the escape key answers at once, where Textual has no other way there."""
        usual = super().get_driver_class()
        if usual.__name__ != "LinuxDriver":
            return usual
        from turnwise.tui.escape_driver import EscapeDriver  # not for Windows

        return EscapeDriver

    def on_mount(self) -> None:
        """Draw everything again whenever the terminal was another program's."""
        self.app_resume_signal.subscribe(self, lambda _: self.screen.refresh(layout=True))

    def refresh(self, *, repaint: bool = True, layout: bool = False, recompose: bool = False) -> Self:
        """Lay the screen out without drawing all of it: below a screen that goes that has just been done."""
        return super().refresh(repaint=repaint and not layout, layout=layout, recompose=recompose)

    # What is told

    def tell_error(self, error: TurnwiseError) -> None:
        """Show an error as a toast: what happened, where, and the next step."""
        text = "\n".join(
            part for part in (error.detail, f"→ {error.next_step}" if error.next_step else "") if part
        )
        self.notify(text or " ", title=error.title, severity="error", timeout=SECONDS_OF_AN_ERROR)

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Show a toast. Its text is drawn as it is, whatever it holds: names and replies stand in many."""
        super().notify(
            make_safe(message), title=make_safe(title), severity=severity, timeout=timeout, markup=False
        )

    # Themes

    def _take_no_color(self) -> None:
        """Draw without colour where NO_COLOR asks for it: Textual would draw in shades of grey."""
        kept = [one for one in self._filters if not isinstance(one, Monochrome | NoColor)]
        self.no_color = wants_no_color(os.environ)
        self._filters = [*kept, NoColor()] if self.no_color else kept

    def take_theme(self, name: str) -> None:
        """Change the theme, by the name that people use, and keep it in the settings."""
        if self.no_color:
            self.notify("NO_COLOR is set: there are no colours to change.")
            return
        self.theme = PREFIX + name
        try:
            keep_setting("theme", name)
        except TurnwiseError as error:
            self.tell_error(error)

    # What is typed and pasted

    async def on_event(self, event: events.Event) -> None:
        """Make what is pasted safe before any line to type in draws it as it is."""
        if isinstance(event, events.InputEvent):
            self.heard_at = time.monotonic()
        if isinstance(event, events.Paste):
            event.text = make_safe(event.text)
        if isinstance(event, events.Key) and not event.is_forwarded:
            await self._screen_is_there()
            if await self._answer_at_once(event):
                return
        await super().on_event(event)

    async def _screen_is_there(self) -> None:
        """Wait for the parts of a screen that is only just opened: keys of the same burst are for them."""
        if self.screen_stack and not self.screen.is_mounted:
            with suppress(TimeoutError):
                await asyncio.wait_for(self.screen._mounted_event.wait(), SECONDS_TO_OPEN)

    async def _answer_at_once(self, event: events.Key) -> bool:
        """Answer a key on a list before the next one is read; return whether something has it.

        On its way to the list and back it would be overtaken by the keys of the same burst, and what is typed
        after the key that opens a line would not reach that line.
        """
        if not isinstance(self.focused, Keyless):
            return False
        self.screen._clear_tooltip()
        return await self._check_bindings(event.key, priority=True) or await self._check_bindings(event.key)

    # What goes wrong

    async def run_action(
        self,
        action: str | ActionParseResult,
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Do what a key or a click asks for; where that cannot be done, say so and go on."""
        try:
            return await super().run_action(action, default_namespace, namespaces)
        except Exception as error:
            # A full disk or a locked database may be well again at the next key.
            if (ours := known_error(error)) is None:
                raise
            self.tell_error(ours)
            return True

    def tell_mistake(self, error: Exception) -> None:
        """Tell of something that failed unheard in the background, and keep its traceback."""
        if (ours := known_error(error)) is not None:
            self.tell_error(ours)
        elif (log := write_crash_log(error)) is not None:
            self.notify(
                f"{type(error).__name__}: {error}\nSee {log}", title="Something failed", severity="error"
            )

    def _handle_exception(self, error: Exception) -> None:
        ours = known_error(error)
        if ours is not None and isinstance(error, WorkerFailed) and self.is_running:
            # A worker ends alone: the screens live on, and the next key may do better.
            self.tell_error(ours)
            return
        if ours is None and wants_traceback():
            super()._handle_exception(error)
            return
        if ours is None:
            if self._exception is None:
                # A test raises it again, as Textual has it.
                self._exception = error
                self._exception_event.set()
            ours = crash_error(error)
        # Textual prints a traceback for every exception; a person gets words instead. The first is the cause.
        self.error = self.error or ours
        self._return_code = ours.exit_code
        # As Textual ends after its own traceback: `exit` would wait for a loop that may have broken off.
        self._close_messages_no_wait()
