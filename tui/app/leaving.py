"""Leaving turnwise: by a key, after what the command line asked for, or because the system says so."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable
from contextlib import suppress

from textual.app import App
from textual.worker import WorkerFailed

from turnwise.tui.app.last_place import Returning
from turnwise.tui.judging.run_line import left_words
from turnwise.tui.shell.runs import Runs
from turnwise.tui.shell.sights import Sights

SECONDS_TO_CONFIRM = 2.0
"""How long the second press of a key is awaited that leaves at once."""


class Leaving:
    """Ends the app once what a run has is kept, and asks first where one would be stopped."""

    def __init__(
        self, app: App[int], runs: Runs, returning: Returning, sights: Sights, *, key: str, soon: str
    ) -> None:
        """returning and sights: are kept for the next time.

        key: goes on with a run in the screen of runs. soon: leaves when it is pressed twice.
        """
        self._app = app
        self._runs = runs
        self._returning = returning
        self._sights = sights
        self._key = key
        self._soon = soon
        self._asked_at = 0.0

    async def soon(self) -> None:
        """Leave on the second press within two seconds, so that one slip loses nothing."""
        now = time.monotonic()
        if now - self._asked_at < SECONDS_TO_CONFIRM:
            await self.now()
            return
        self._asked_at = now
        left = left_words(self._runs.state, self._key)
        self._app.notify(f"{left}Press again to leave turnwise.", timeout=SECONDS_TO_CONFIRM)

    async def now(self) -> None:
        """Leave, once a run that is under way has kept what it has."""
        self._returning.keep()
        await self._runs.stop()
        await asyncio.to_thread(self._sights.keep)
        self._app.exit(0)

    async def when_meant(self) -> None:
        """Ask whether to leave although a run goes on. Call it from a worker."""
        from turnwise.tui.parts.choice_list import Choice
        from turnwise.tui.parts.question_dialog import ask

        answers = [Choice("stay", "stay", "the run goes on"), Choice("leave", "leave", "the run stops")]
        # Whoever leaves is not to fear for what is paid for.
        words = f"{left_words(self._runs.state, self._key)}What is scored is kept."
        title = "A run is under way. Leave turnwise?"
        if await ask(self._app, title, answers, words=words) == "leave":
            await self.now()

    async def with_what_was_opened(self, recorded: int | None, show: Callable[[int | None], None]) -> None:
        """End with the screen that the command line asked for, or stay for a run that it began.

        recorded: the session to name. show: goes to it in the library.
        """
        from turnwise.tui.record.record_screen import CLOSING

        for worker in [worker for worker in self._app.workers if worker.group == CLOSING]:
            with suppress(WorkerFailed):
                await worker.wait()
        if self._runs.under_way:
            show(recorded)
            told = f"A run is under way; its marks appear here. {self._soon} twice leaves turnwise."
            self._app.notify(told)
            return
        kept = f"Kept as session {recorded}: turnwise show {recorded}"
        self._app.exit(0, message=kept if recorded is not None else None)

    async def by_signal(self, number: signal.Signals) -> None:
        """Leave because the system says so."""
        await self._runs.stop()
        await asyncio.to_thread(self._sights.keep)
        self._app.exit(return_code=128 + number)
