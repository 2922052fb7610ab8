"""JudgeInUse: the judge of the app's runs: looked for once, chosen by a person, kept in the settings."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.signal import Signal

from turnwise.conversations.errors import JudgeUnavailableError, SettingError, TurnwiseError
from turnwise.engine.judge.usual_judge import BY_SETTINGS, usual_judge, within_limits
from turnwise.tui.settings.last_used import UsedMemory
from turnwise.tui.settings.settings import Settings, keep_setting
from turnwise.tui.shell.judge_standing import JudgeStanding, standing_in, standing_of

if TYPE_CHECKING:
    from turnwise.conversations.store import KeptCertificate, Store
    from turnwise.engine.models.settings import ModelSettings
    from turnwise.tui.shell.runs import RunState

BY_HAND = "chosen here"


class JudgeInUse:
    """Which judge that is, who named it, and why there is none where one was named."""

    def __init__(
        self,
        app: App[Any],
        settings: Settings,
        tell_error: Callable[[TurnwiseError], None],
        used: UsedMemory,
        store: Store,
    ) -> None:
        """settings: the user's, which may name a judge. tell_error: shows an error to the user.

        used: remembers which judges were chosen. store: keeps the certificates of judges.
        """
        self._app = app
        self._wanted = settings
        self._tell_error = tell_error
        self._used = used
        self._store = store
        self.settings: ModelSettings | None = None
        """How the judge is reached; None where there is none."""
        self.source = ""
        """Who named it, in words; empty before it was looked for."""
        self.trouble: TurnwiseError | None = None
        """Why the judge that was named could not be had."""
        self.chosen = False
        """Whether a person chose it, be it none: here, or before."""
        self.known = False
        """Whether it was looked for or chosen; before that, none does not mean that there is none."""
        self.standing: JudgeStanding = ""
        """Whether it answers, as far as that is known."""
        self.tried: KeptCertificate | None = None
        """What its last trial found, where it had one and that is known."""
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
            # Who wanted none before is not asked again.
            self.chosen = source == BY_SETTINGS and settings is None and trouble is None
            self.settings, self.source, self.trouble = settings, source, trouble
            self._begin_anew()

    def take(self, settings: ModelSettings | None, source: str = "") -> None:
        """Take a judge that a person chose; None is none. source: who named it, in words."""
        settings = settings and within_limits(settings, self._wanted)
        self.settings, self.chosen, self.trouble = settings, True, None
        self.source = source
        self._begin_anew()

    def _begin_anew(self) -> None:
        """Tell of another judge, and find out whether it answers."""
        self.known = True
        self.tried = None
        self.standing = "away" if isinstance(self.trouble, JudgeUnavailableError) else ""
        self.changed.publish(self.settings)
        if self.settings is not None and self._app.is_running:
            self._app.run_worker(self._look_after(self.settings), group="standing", exclusive=True)
            self.read_trial()

    def read_trial(self) -> None:
        """Read what the judge's last trial found, in a thread, and tell of it."""
        self._app.run_worker(self._read_trial(), group="trial of the judge", exclusive=True)

    async def _read_trial(self) -> None:
        kept = await asyncio.to_thread(self._store.certificates.standing)
        here = self.settings.fingerprint if self.settings is not None else None
        self.tried = next((one for one in kept if one.fingerprint == here), None)
        if self.tried is not None:
            self.changed.publish(self.settings)

    async def _look_after(self, settings: ModelSettings) -> None:
        standing = await standing_of(settings)
        if settings == self.settings and standing and not self.standing:
            self._stand(standing)

    def hear(self, state: RunState) -> None:
        """Learn from a run how the judge answers."""
        self._stand(standing_in(state, self.standing))

    def _stand(self, standing: JudgeStanding) -> None:
        if standing != self.standing:
            self.standing = standing
            self.changed.publish(self.settings)

    def keep(self, settings: ModelSettings | None) -> None:
        """Take a judge that a person chose, and take it again the next time turnwise starts."""
        self.take(settings, BY_SETTINGS)
        from turnwise.engine.models.choose import spec_of

        spec = spec_of(settings)
        if spec is not None and settings is not None:
            self._used.judge(spec)
        if spec is None:
            self.source = BY_HAND
            self._app.notify("It holds until turnwise ends: an address with a password is not kept.")
            return
        try:
            keep_setting("judge", spec)
        except SettingError as error:
            self.source = BY_HAND
            self._tell_error(error)
