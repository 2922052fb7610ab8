"""TryingScreen: what a screen needs that tries criteria: a sample, a run, and the trial as it goes on."""

from __future__ import annotations

import asyncio
import time
from abc import abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

from textual import on, work

from turnwise.conversations.errors import InputError
from turnwise.conversations.store.splits import SplitName
from turnwise.engine.criteria import Criterion
from turnwise.engine.criterion_sample import Sample, draw_sample
from turnwise.engine.criterion_trial import Trial
from turnwise.tui.criterion_items import Item, TrialRequest
from turnwise.tui.criterion_words import NO_LABELS, sample_words, uses_words, who_words
from turnwise.tui.key_words import fill_keys, key_of
from turnwise.tui.labeller import labeller
from turnwise.tui.runs import RunState
from turnwise.tui.screens.question import QuestionDialog
from turnwise.tui.screens.still import StillScreen
from turnwise.tui.stored_sessions import AllSessions, FoundSessions
from turnwise.tui.widgets.choice_list import Choice
from turnwise.tui.widgets.run_line import RunLine
from turnwise.tui.widgets.trial_pane import TrialPane

if TYPE_CHECKING:
    from turnwise.tui.app import TurnwiseApp

MOST_LABELLED = 200
MOST_OF_LIBRARY = 40
"""How many sessions are tried at most; a larger sample is the command line's."""
SECONDS_BETWEEN_ROWS = 0.2
NO_SESSIONS = "No session of the library to try on."
_SAMPLES: tuple[SplitName | None, ...] = ("dev", None, "train")


class TryingScreen(StillScreen[None]):
    """Tries the criterion that stands in its editor; it holds a TrialPane and a RunLine."""

    app: TurnwiseApp

    def __init__(self, sessions: AllSessions | FoundSessions | None = None, query: str = "") -> None:
        """sessions: those of the library, to try on as well; query: how they were found."""
        super().__init__()
        self._sessions = sessions
        self._query = query
        self._split: SplitName | None = "dev"
        self._sample: Sample | None = None
        self._trying: int | None = None
        self._shown_at = 0.0

    @property
    @abstractmethod
    def item(self) -> Item | None:
        """The criterion that is to be tried."""

    @abstractmethod
    def _look(self) -> object:
        """Read anew what is stored of it, and show that."""

    @property
    @abstractmethod
    def place(self) -> int:
        """Where that criterion stands in the list."""

    @property
    def _is_trying(self) -> bool:
        """Whether it is being tried now."""
        return self._trying == self.place

    @cached_property
    def me(self) -> str:
        """Under whose name versions and labels are kept."""
        return labeller(self.app.settings.author)

    @property
    def pane(self) -> TrialPane:
        """Its trial."""
        return self.query_one(TrialPane)

    def _draw(self, name: str, split: SplitName | None) -> Sample:
        among = self._sessions.ids() if split is None and self._sessions is not None else None
        most = MOST_OF_LIBRARY if split is None else MOST_LABELLED
        return draw_sample(
            self.app.store,
            name,
            split=split,
            among=among,
            query=self._query if split is None else "",
            most=most,
        )

    def _show_trial(self, trial: Trial | None) -> None:
        item = self.item
        if item is None:
            return
        now = item.criterion_or_none()
        same = trial is not None and now is not None and trial.criterion.fingerprint == now.fingerprint
        number = item.numbers.get(trial.criterion.fingerprint, 0) if trial is not None else 0
        heading = "Tried on" if same else f"v{number} tried on" if number else "Tried on"
        self._show_in_pane(trial, heading if trial is not None else "Not tried yet")
        self.pane.say(self._sample_note(changed=trial is not None and not same))

    def _show_in_pane(self, trial: Trial | None, heading: str) -> None:
        who = who_words(trial.sample, self.me) if trial is not None else "you"
        self.pane.show(trial, heading=heading, who=who)

    def _sample_note(self, *, changed: bool = False) -> str:
        if self._sample is None:
            return ""
        if not self._sample.session_ids:
            return self._nothing_words(self._split)
        trial = self.pane.trial
        if not changed and trial is not None and trial.sample.session_ids == self._sample.session_ids:
            return ""
        key = key_of(self.app.actions, "criteria", "try")
        again = f"changed since: {key} tries again on" if changed else f"{key} tries on"
        return f"{again} {sample_words(self._sample)}"

    def _nothing_words(self, split: SplitName | None) -> str:
        return NO_SESSIONS if split is None else fill_keys(NO_LABELS, self.app.actions)

    def _show_run(self, state: RunState) -> None:
        self.query_one(RunLine).show(state)
        if state.over and self._trying is not None:
            self._trying = None
            self._look()
        self.refresh_bindings()

    @on(TrialPane.Opened)
    def _read(self, event: TrialPane.Opened) -> None:
        event.stop()
        from turnwise.tui.screens.review import ReviewScreen

        sessions = FoundSessions(self.app.store, self.pane.sessions)
        self.app.push_screen(ReviewScreen(event.session_id, sessions), self._come_back)

    def _come_back(self, session_id: int | None) -> None:
        if session_id is not None:
            self.pane.go_to(session_id)

    def action_sample(self) -> None:
        """Try on something else."""
        self._split = _SAMPLES[(_SAMPLES.index(self._split) + 1) % len(_SAMPLES)]
        self._look()

    def action_judge(self) -> None:
        """Choose the model that judges."""
        self.app.action_choose_judge()

    def action_stop(self) -> None:
        """Stop the trial."""
        self.app.run_worker(self.app.action_stop_run())

    def action_try(self) -> None:
        """Score the sample and compare it with people's labels."""
        self._try(self._split)

    def action_test(self) -> None:
        """Try it on the test split, once it was asked."""
        self._ask_and_test()

    @work(group="ask", exclusive=True)
    async def _ask_and_test(self) -> None:
        answers = [
            Choice("no", "not yet", "change it on dev until it agrees with you"),
            Choice("yes", "use it"),
        ]
        used = uses_words(self.app.store.splits.uses("test"))
        words = (
            "Figures on sessions that a criterion was changed for flatter it; those of the test do not, "
            f"as long as it is looked at once, at the end. It was {used}."
        )
        question = QuestionDialog("Use the test split?", answers, words=words)
        if await self.app.push_screen_wait(question) == "yes":
            self._try("test")

    @work(group="try", exclusive=True)
    async def _try(self, split: SplitName | None) -> None:
        item = self.item
        if item is None:
            return
        if self.app.runs.under_way:
            stop = key_of(self.app.actions, "criteria", "stop")
            self.app.notify(f"A run is under way. Stop it with {stop}, or wait for its end.")
            return
        criterion = self._criterion_or_told(item)
        if criterion is None:
            return
        sample = await asyncio.to_thread(self._draw, criterion.name, split)
        if not sample.session_ids:
            self.app.notify(self._nothing_words(split))
            return
        if self.app.judge_settings is None and not (await self.app.ask_judge() and self.app.judge_settings):
            choose = key_of(self.app.actions, "criteria", "judge")
            self.app.notify(f"A criterion needs a judge. {choose} chooses one.")
            return
        self._trying = self.place
        self._sample = sample
        self._show_in_pane(Trial(criterion, sample), "Trying on")
        self.pane.say("")
        request = TrialRequest(
            sample.session_ids,
            [criterion.metric()],
            criterion=criterion,
            sample=sample,
            author=self.me,
            source=str(item.file.path) if item.file is not None else "",
            hear=self._hear,
        )
        self.app.runs.start(request, self.app.judge_settings)

    def _hear(self, trial: Trial) -> None:
        now = time.monotonic()
        last = len(trial.rows) == len(trial.sample.session_ids)
        if self.is_attached and (last or now - self._shown_at >= SECONDS_BETWEEN_ROWS):
            self._shown_at = now
            if self._is_trying:
                self._show_in_pane(trial, "Trying on")

    def _criterion_or_told(self, item: Item) -> Criterion | None:
        try:
            return item.criterion()
        except InputError as error:
            self.app.tell_error(error)
            return None
