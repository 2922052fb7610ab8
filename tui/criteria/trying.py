"""CriterionTrying: what a criterion is tried on, the run that tries it, and the trial as it goes on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING

from turnwise.conversations.errors import InputError, TurnwiseError
from turnwise.conversations.store import SplitName, Store
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criterion_sample import Sample, draw_sample
from turnwise.engine.criteria.criterion_trial import CriterionTrial, try_criterion
from turnwise.engine.criteria.past_trials import trial_before
from turnwise.engine.criteria.trial_change import TrialChange
from turnwise.tui.agreement.agreement_words import right_or_wrong
from turnwise.tui.criteria.criterion_words import (
    NO_LABELS,
    expected_words,
    explained_words,
    reworded_words,
    sample_words,
    since_words,
    who_words,
)
from turnwise.tui.criteria.listed_criteria import ListedCriterion, WrittenCriteria
from turnwise.tui.criteria.trial_pane import ShownTrial, TrialPane
from turnwise.tui.judging.begin_scoring import judge_asked_for
from turnwise.tui.session_lists.stored_sessions import AllSessions, FoundSessions
from turnwise.tui.settings.keymap import fill_keys, key_of
from turnwise.tui.settings.settings import author_of
from turnwise.tui.shell.runs import hear_nothing
from turnwise.tui.shell.shell import Shell

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import Judge
    from turnwise.engine.scoring.judges import Judges
    from turnwise.engine.scoring.scoring import Scored

MOST_LABELLED = 200
MOST_OF_LIBRARY = 40
"""How many sessions are tried at most; a larger sample is the command line's."""
SECONDS_BETWEEN_ROWS = 0.2
BEGINNING = "Beginning: reading the sessions to try on …"
NO_SESSIONS = "No session of the library to try on."
_SAMPLES: tuple[SplitName | None, ...] = ("dev", None, "train")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialRequest:
    """A criterion that is to be tried, as a RunRequest of the app.

    author: who tries it. source: the file of the criterion, empty for none. hear: is called with the trial
    after every outcome.
    """

    criterion: Criterion
    sample: Sample
    author: str
    source: str
    hear: Callable[[CriterionTrial], None]

    @property
    def units(self) -> int:
        """How many sessions are judged."""
        return len(self.sample.session_ids)

    @property
    def needs_judge(self) -> bool:
        """Whether a judge has to be asked."""
        return self.criterion.metric().uses_judge

    async def outcomes(
        self,
        store: Store,
        judge: Judge | Judges | None,
        *,
        tell_of_others: Callable[[int], None] = hear_nothing,
    ) -> AsyncGenerator[Scored]:
        """Try the criterion, and yield every outcome as it lands."""
        from turnwise.engine.scoring.judges import Judges

        usual = Judges.of_all(judge).usual
        judge_name = usual.settings.model if usual else ""
        trial = CriterionTrial(self.criterion, self.sample, judge=judge_name)
        run = try_criterion(
            store,
            self.criterion,
            self.sample,
            usual,
            author=self.author,
            source=self.source,
            tell_of_others=tell_of_others,
        )
        began = time.monotonic()
        async with aclosing(run) as outcomes:
            async for scored in outcomes:
                trial = replace(trial.with_outcome(scored), seconds=time.monotonic() - began)
                self.hear(trial)
                yield scored


class CriterionTrying:
    """Tries the criterion that is in the editor, and shows its trial in a TrialPane."""

    def __init__(
        self,
        shell: Shell,
        pane: TrialPane,
        written: WrittenCriteria,
        sessions: AllSessions | FoundSessions | None = None,
        query: str = "",
    ) -> None:
        """sessions: those of the library, to try on as well; query: how they were found."""
        self._shell = shell
        self._pane = pane
        self._written = written
        self.begin(sessions, query)
        self.split: SplitName | None = "dev"
        """The part of the labelled sessions to try on; None is the sessions of the library."""
        self.sample: Sample | None = None
        """What would be tried on; None until it is drawn."""
        self._tried: CriterionTrial | None = None
        """The trial of the criterion in the editor, by the words and the threshold that it was tried with."""
        self._before: CriterionTrial | None = None
        """The trial that the one which is shown is set beside."""
        self._place: int | None = None
        """Where in the list the criterion stands that is being tried; None where none is."""
        self._shown_at = 0.0

    def begin(self, sessions: AllSessions | FoundSessions | None, query: str) -> None:
        """Take the sessions of the library; see where it is made."""
        self._sessions, self._query = sessions, query

    @property
    def under_way(self) -> bool:
        """Whether the criterion in the editor is being tried."""
        return self._place == self._written.place

    @cached_property
    def me(self) -> str:
        """Under whose name versions and labels are kept."""
        return author_of(self._shell.settings)

    # What is tried on

    def next_split(self) -> None:
        """Try on something else."""
        self.split = _SAMPLES[(_SAMPLES.index(self.split) + 1) % len(_SAMPLES)]

    def draw(self, name: str, split: SplitName | None) -> Sample:
        """Return the sessions that a criterion of this name is tried on; it reads the store."""
        among = self._sessions.ids() if split is None and self._sessions is not None else None
        most = MOST_OF_LIBRARY if split is None else MOST_LABELLED
        return draw_sample(
            self._shell.store,
            name,
            split=split,
            among=among,
            query=self._query if split is None else "",
            most=most,
        )

    def note(self, *, changed: bool = False, reworded: bool = False) -> str:
        """Say what a trial would be on; empty where the trial that is shown is on just that.

        changed: the criterion was changed since that trial. reworded: in words alone that no judge reads.
        """
        if reworded:
            return self._reworded_words
        if self.sample is None:
            return ""
        if not self.sample.session_ids:
            return self._nothing_words(self.split)
        trial = self._pane.trial
        if not changed and trial is not None and trial.sample.session_ids == self.sample.session_ids:
            return ""
        # The key, which is another one while one writes, stands in the line of keys.
        again = "Changed since this trial. Next try:" if changed else "Next try:"
        since = "" if trial is None else since_words(trial, self.sample)
        return f"{again} {sample_words(self.sample)}{since}{self._time_words(trial)}"

    @property
    def _reworded_words(self) -> str:
        return reworded_words(key_of(self._shell.actions, "criteria", "draft"))

    def _time_words(self, trial: CriterionTrial | None) -> str:
        """Say about how long it takes by the judge of now, as far as a trial by it tells; empty else."""
        judge = self._shell.judge.settings
        if trial is None or judge is None or trial.judge != judge.model or self.sample is None:
            return ""
        return expected_words(trial, len(self.sample.session_ids))

    def _nothing_words(self, split: SplitName | None) -> str:
        return NO_SESSIONS if split is None else fill_keys(NO_LABELS, self._shell.actions)

    # Showing

    def show(self, trial: CriterionTrial | None, before: CriterionTrial | None = None) -> None:
        """Show a trial of the criterion in the editor, or none. before: the one that it is set beside."""
        item = self._written.item
        if item is None:
            return
        self._tried, self._before = trial, before
        self._show_with(trial, before, item)

    def show_reading(self) -> None:
        """Say that the trial of the criterion in the editor is being read."""
        self._tried = self._before = None
        self._pane.show(None, nothing="Reading its last trial …")

    def show_by(self, criterion: Criterion) -> None:
        """Show the trial by what is typed by now, where that needs no judge: the matrix moves with it."""
        item, tried = self._written.item, self._tried
        if item is None or tried is None:
            self.show(None)
            return
        trial = tried.by(criterion) or tried
        same = trial.criterion.fingerprint == tried.criterion.fingerprint
        self._show_with(trial, self._before if same else tried, item)

    def _show_with(
        self, trial: CriterionTrial | None, before: CriterionTrial | None, item: ListedCriterion
    ) -> None:
        now = item.criterion_or_none()
        same = trial is not None and now is not None and trial.criterion.fingerprint == now.fingerprint
        version = "" if same else _version(item, trial)
        heading = f"{version} tried on" if version else "Tried on"
        self._show_in_pane(trial, heading, before, item)
        told = self.sample if self.split else None
        actions = self._shell.actions
        keys = right_or_wrong(actions, "review")
        explained = "" if told is None else explained_words(told, keys, is_tried=trial is not None)
        was = None if trial is None else trial.sample.session_ids
        if explained and told is not None and was is not None and told.session_ids != was:
            # The figures below are those of then.
            explained = f"By now {explained}"
        self._pane.explain(explained)
        reworded = not same and trial is not None and now is not None and now.judges_as(trial.criterion)
        self._pane.say(self.note(changed=trial is not None and not same, reworded=reworded))

    def _show_in_pane(
        self,
        trial: CriterionTrial | None,
        heading: str,
        before: CriterionTrial | None,
        item: ListedCriterion,
    ) -> None:
        if trial is None:
            self._pane.show(None, nothing="Not tried yet")
            return
        was, now = (_version(item, one) for one in (before, trial))
        self._pane.show(
            ShownTrial(
                trial,
                heading,
                who_words(trial.sample, self.me),
                TrialChange(before, trial) if before is not None else None,
                was or "before",
                now,
            )
        )

    # The run

    async def start(self, split: SplitName | None) -> None:
        """Draw the sample and begin the run, or say why none can be begun."""
        item = self._written.item
        if item is None:
            return
        if self._shell.runs.under_way:
            stop = key_of(self._shell.actions, "criteria", "stop")
            self._pane.app.notify(f"A run is under way. Stop it with {stop}, or wait for its end.")
            return
        criterion = self.criterion_or_told(item)
        if criterion is None:
            return
        # Said at once: what comes first reads the database, and the first time it loads much of the engine.
        self._pane.say(BEGINNING)
        sample = await asyncio.to_thread(self.draw, criterion.name, split)
        if not sample.session_ids:
            self._pane.app.notify(self._nothing_words(split))
            self._pane.say(self.note())
            return
        if not await self.has_judge("Trying a criterion needs a judge."):
            self._pane.say(self.note())
            return
        judge = self._shell.judge.settings
        if self._says_all_of(criterion, sample, judge.model if judge is not None else ""):
            # Nothing would be asked, and it would read as if the new words had been tried.
            self._pane.app.notify(self._reworded_words)
            self._pane.say(self.note(reworded=True))
            return
        begun = CriterionTrial(criterion, sample, judge=judge.model if judge is not None else "")
        before = await asyncio.to_thread(trial_before, self._shell.store, begun)
        self._place = self._written.place
        self.sample = sample
        self._tried, self._before = begun, before
        self._show_in_pane(begun, "Trying on", before, item)
        self._pane.say(f"waiting for the first answer of {begun.judge}" if begun.judge else "")
        request = TrialRequest(
            criterion=criterion,
            sample=sample,
            author=self.me,
            source=str(item.file.path) if item.file is not None else "",
            hear=self._hear,
        )
        self._shell.runs.start(request, judge)

    def _says_all_of(self, criterion: Criterion, sample: Sample, judge: str) -> bool:
        """Whether the trial that is shown is that which would be made, but for words that no judge reads."""
        tried = self._tried
        return (
            tried is not None
            and tried.criterion.fingerprint != criterion.fingerprint
            and tried.criterion.judges_as(criterion)
            and tried.judge == judge
            and {row.session for row in tried.rows if row.passed is not None} == {*sample.session_ids}
        )

    def end(self) -> bool:
        """Take note that no run is under way any more; return whether that run was a trial."""
        was_trial, self._place = self._place is not None, None
        return was_trial

    def _hear(self, trial: CriterionTrial) -> None:
        now = time.monotonic()
        last = len(trial.rows) == len(trial.sample.session_ids)
        if self._pane.is_attached and (last or now - self._shown_at >= SECONDS_BETWEEN_ROWS):
            self._shown_at = now
            item = self._written.item
            if self.under_way and item is not None:
                self._tried = trial
                self._show_in_pane(trial, "Trying on", self._before, item)
                self._pane.say("")

    async def drafted_steps(self, item: ListedCriterion) -> Sequence[str] | None:
        """Let the judge draft steps from the words of a criterion; None, once told why, where it cannot."""
        from turnwise.engine.criteria.criteria import draft_steps

        criterion = self.criterion_or_told(item)
        if criterion is None or not await self.has_judge("Drafting steps needs a judge."):
            return None
        self._pane.say("Drafting steps …")
        # Loading the client takes half a second, in which keys must be answered.
        await asyncio.to_thread(import_module, "openai")
        judge = self._shell.judge.settings
        assert judge is not None  # noqa: S101
        try:
            return (await draft_steps(self._shell.store, criterion, judge)).steps
        except TurnwiseError as error:
            self._shell.tell_error(error)
            return None
        finally:
            if self._pane.is_attached:
                self._pane.say(self.note())

    # What a trial needs

    def criterion_or_told(self, item: ListedCriterion) -> Criterion | None:
        """Return the criterion that is typed; where it is none, tell why and return None."""
        try:
            return item.criterion()
        except InputError as error:
            self._shell.tell_error(error)
            return None

    async def has_judge(self, why: str) -> bool:
        """Return whether there is a judge, asking for one first. why: what takes one, in a sentence."""
        return await judge_asked_for(self._shell, why) is not None


def _version(item: ListedCriterion, trial: CriterionTrial | None) -> str:
    """Name the version of a criterion that was tried: "v2"; empty where what was tried is none."""
    number = item.numbers.get(trial.criterion.fingerprint) if trial is not None else None
    return f"v{number}" if number else ""
