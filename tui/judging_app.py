"""JudgingApp: the judge that runs use, and the one run that may be under way, whatever screen is open."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import work
from textual.signal import Signal

from turnwise.conversations.errors import SettingError, TurnwiseError
from turnwise.conversations.store import Store
from turnwise.tui.base_app import BaseApp
from turnwise.tui.followers import Followers
from turnwise.tui.kept_drawings import forget_drawings
from turnwise.tui.key_words import key_of
from turnwise.tui.runs import Runs, RunState
from turnwise.tui.settings import Settings, keep_setting
from turnwise.tui.usual_judge import BY_SETTINGS, usual_judge
from turnwise.tui.widgets.run_line import RunLine, ended_words

if TYPE_CHECKING:
    from turnwise.engine.judge.settings import JudgeSettings

SECONDS_BETWEEN_REFRESHES = 1.0


class JudgingApp(BaseApp):
    """An app that judges: asks for what is needed, runs it, and tells screens how far it is."""

    def __init__(self, store: Store, settings: Settings | None, theme: str) -> None:
        """As BaseApp takes them."""
        super().__init__(store, settings, theme)
        self.ended_by: signal.Signals | None = None
        """The signal that ended the app."""
        self.judge_settings: JudgeSettings | None = None
        """The judge that runs use; None where there is none."""
        self.judge_source = ""
        """Who named it, in words; empty before it was looked for."""
        self.judge_trouble: TurnwiseError | None = None
        """Why the judge that was named could not be had."""
        self.judge_chosen = False
        """Whether a person chose it in this sitting, be it none."""
        self.judge_changed: Signal[JudgeSettings | None] = Signal(self, "judge_changed")
        self.run_changed: Signal[RunState] = Signal(self, "run_changed")
        """Tells how far the run is, at most ten times a second."""
        self.sessions_changed: Signal[None] = Signal(self, "sessions_changed")
        """Tells that sessions or their scores may have changed, at most once a second while a run goes on."""
        self.followers = Followers()
        """The screens that hear of these."""
        self.runs = Runs(store, self._hear_run)
        self.last_metrics: tuple[str, ...] = ()
        """The metrics that were ticked last in this sitting."""
        self.seen: set[int] = set()
        """The sessions whose scores or labels were shown in this sitting: no label of theirs is blind now."""
        self._refreshed = 0.0

    def on_mount(self) -> None:
        """Keep nothing of a screen that is gone: memory would grow with every dialog that is opened."""
        self.screen_change_signal.subscribe(self, lambda _: self._let_go())

    def _let_go(self) -> None:
        forget_drawings()
        self.followers.let_go(self.screen_stack)

    # The judge

    @work(thread=True, group="judge", exit_on_error=False)
    def find_judge(self) -> None:
        """Find the judge that a run would take without being told: the usual one, or a model that is here."""
        from turnwise.engine.judge.choose import choose_judge

        named, source = usual_judge(self.settings, os.environ)
        try:
            settings = asyncio.run(choose_judge(named))
        except TurnwiseError as error:
            # The title says so in two words, and the judge dialog why.
            self.call_from_thread(self._take_found_judge, None, source, error)
        else:
            self.call_from_thread(self._take_found_judge, settings, source)

    def _take_found_judge(
        self, settings: JudgeSettings | None, source: str, trouble: TurnwiseError | None = None
    ) -> None:
        if not self.judge_chosen:
            self.judge_settings, self.judge_source, self.judge_trouble = settings, source, trouble
            self.judge_changed.publish(settings)
        self.judge_found()

    def judge_found(self) -> None:
        """Go on once the judge was looked for."""

    def set_judge(self, settings: JudgeSettings | None, source: str = "") -> None:
        """Take a judge that a person chose; None is none. source: who named it, in words."""
        self.judge_settings, self.judge_chosen, self.judge_trouble = settings, True, None
        self.judge_source = source
        self.judge_changed.publish(settings)

    async def ask_judge(self) -> bool:
        """Let the judge be chosen, and keep the choice; return whether it was. Call it from a worker."""
        from turnwise.tui.screens.judge import JudgeDialog

        dialog = JudgeDialog(self.judge_settings, self.judge_source, self.judge_trouble)
        chosen = await self.push_screen_wait(dialog)
        if chosen is None:
            return False
        self.set_judge(chosen.settings, BY_SETTINGS)
        self._keep_judge(chosen.settings)
        return True

    def _keep_judge(self, settings: JudgeSettings | None) -> None:
        from turnwise.engine.judge.choose import spec_of

        spec = spec_of(settings)
        if spec is None:
            self.judge_source = "chosen here"
            self.notify("It holds until turnwise ends: an address with a password is not kept.")
            return
        try:
            keep_setting("judge", spec)
        except SettingError as error:
            self.judge_source = "chosen here"
            self.tell_error(error)

    @work(group="ask", exclusive=True)
    async def action_choose_judge(self) -> None:
        """Let the judge be chosen."""
        await self.ask_judge()

    # Runs

    @work(group="ask", exclusive=True)
    async def score(self, session_ids: Sequence[int], *, metrics: Sequence[str] = ()) -> None:
        """Ask what to judge these sessions by, and begin. metrics: those ticked at first."""
        from turnwise.tui.screens.score import ScoreDialog

        if self.runs.under_way:
            stop = key_of(self.actions, "library", "stop")
            self.notify(f"A run is under way. Stop it with {stop} in the library, or wait for its end.")
            return
        if not session_ids:
            self.notify("There is no session to judge.")
            return
        request = await self.push_screen_wait(ScoreDialog(session_ids, ticked=metrics))
        if request is None:
            return
        undecided = request.needs_judge and self.judge_settings is None and not self.judge_chosen
        if undecided and not await self.ask_judge():
            return
        self.runs.start(request, self.judge_settings)

    async def action_stop_run(self) -> None:
        """Stop the run that is under way."""
        if self.runs.under_way:
            await self.runs.stop()
        else:
            self.notify("No run is under way.")

    def _hear_run(self, state: RunState) -> None:
        if not self.is_running:
            return
        self.run_changed.publish(state)
        now = time.monotonic()
        if state.over or now - self._refreshed >= SECONDS_BETWEEN_REFRESHES:
            self._refreshed = now
            self.sessions_changed.publish(None)
        if not state.over:
            return
        if state.error is not None:
            self.tell_error(state.error)
        elif not self.screen.query(RunLine):
            # Elsewhere the line of the run tells it, where it covers no result.
            self.notify(ended_words(state), severity="warning" if state.failed else "information")

    # Leaving, once a run has kept what it has

    async def action_quit(self) -> None:
        """Leave, once a run that is under way has kept what it has."""
        await self.runs.stop()
        self.exit(0)

    def end_by_signal(self, number: signal.Signals) -> None:
        """Leave because the system says so, once what a run has is kept."""
        self.ended_by = number
        self.run_worker(self._end_by_signal(number), exit_on_error=False)

    async def _end_by_signal(self, number: signal.Signals) -> None:
        await self.runs.stop()
        self.exit(return_code=128 + number)
