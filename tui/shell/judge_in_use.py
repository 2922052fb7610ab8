"""JudgeInUse: the judge of the app's runs: looked for once, chosen by a person, kept in the settings."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.signal import Signal

from turnwise.conversations.errors import SettingError, TurnwiseError
from turnwise.engine.judge.usual_judge import BY_SETTINGS, usual_judge, within_limits
from turnwise.tui.settings.settings import Settings, keep_setting

if TYPE_CHECKING:
    from turnwise.engine.models.settings import ModelSettings

BY_HAND = "chosen here"


class JudgeInUse:
    """Which judge that is, who named it, and why there is none where one was named."""

    def __init__(
        self, app: App[Any], settings: Settings, tell_error: Callable[[TurnwiseError], None]
    ) -> None:
        """settings: the user's, which may name a judge. tell_error: shows an error to the user."""
        self._app = app
        self._wanted = settings
        self._tell_error = tell_error
        self.settings: ModelSettings | None = None
        """How the judge is reached; None where there is none."""
        self.source = ""
        """Who named it, in words; empty before it was looked for."""
        self.trouble: TurnwiseError | None = None
        """Why the judge that was named could not be had."""
        self.chosen = False
        """Whether a person chose it in this sitting, be it none."""
        self.changed: Signal[ModelSettings | None] = Signal(app, "judge_changed")
        """Tells of another judge, or of none."""

    def look_for(self, done: Callable[[], None]) -> None:
        """Find the judge that a run would take without being told: the usual one, or a model that is here.

        done: is called in the app's loop once that has come to an end, whether or not one was found.
        """
        self._app.run_worker(partial(self._look_for, done), thread=True, group="judge", exit_on_error=False)

    def _look_for(self, done: Callable[[], None]) -> None:
        from turnwise.engine.models.choose import choose_model

        named, source = usual_judge(self._wanted, os.environ)
        settings: ModelSettings | None = None
        trouble: TurnwiseError | None = None
        try:
            settings = asyncio.run(choose_model(named))
            settings = settings and within_limits(settings, self._wanted)
        except TurnwiseError as error:
            # The title says so in two words, and the judge dialog why.
            trouble = error
        self._app.call_from_thread(self._take_found, settings, source, trouble)
        self._app.call_from_thread(done)

    def _take_found(self, settings: ModelSettings | None, source: str, trouble: TurnwiseError | None) -> None:
        if not self.chosen:
            self.settings, self.source, self.trouble = settings, source, trouble
            self.changed.publish(settings)

    def take(self, settings: ModelSettings | None, source: str = "") -> None:
        """Take a judge that a person chose; None is none. source: who named it, in words."""
        settings = settings and within_limits(settings, self._wanted)
        self.settings, self.chosen, self.trouble = settings, True, None
        self.source = source
        self.changed.publish(settings)

    def keep(self, settings: ModelSettings | None) -> None:
        """Take a judge that a person chose, and take it again the next time turnwise starts."""
        self.take(settings, BY_SETTINGS)
        from turnwise.engine.models.choose import spec_of

        spec = spec_of(settings)
        if spec is None:
            self.source = BY_HAND
            self._app.notify("It holds until turnwise ends: an address with a password is not kept.")
            return
        try:
            keep_setting("judge", spec)
        except SettingError as error:
            self.source = BY_HAND
            self._tell_error(error)
