"""The criteria that the workbench lists: what is saved of each, what is typed, and how it does."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from turnwise.conversations.errors import FormatError, InputError
from turnwise.conversations.store import Store
from turnwise.engine.criteria import Criterion
from turnwise.engine.criteria_files import CriterionFile, find_criteria
from turnwise.engine.criterion_sample import Sample
from turnwise.engine.criterion_trial import Trial, last_trial, try_criterion
from turnwise.engine.criterion_versions import Standing, criterion_of, standing
from turnwise.tui.criterion_form import CriterionForm
from turnwise.tui.runs import ScoreRequest

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import Judge
    from turnwise.engine.scoring import Scored


@dataclass(frozen=True, slots=True)
class Item:
    """One criterion in the list.

    saved: as its file says it, or where it is in none, as it was tried last; None for one that was never
    either. form: what stands in the editor. standing: how it does as it is saved. numbers: of its versions,
    by their fingerprints.
    """

    saved: Criterion | None
    file: CriterionFile | None
    form: CriterionForm
    standing: Standing = field(default_factory=lambda: Standing(float("nan"), 0))
    numbers: dict[str, int] = field(default_factory=dict)

    @property
    def edited(self) -> bool:
        """Whether the editor holds what is not saved."""
        if self.saved is None or self.form == CriterionForm.of(self.saved):
            return self.saved is None
        # Blank lines and the like say nothing.
        now = self.criterion_or_none()
        return now is None or now.fingerprint != self.saved.fingerprint

    @property
    def name(self) -> str:
        """What it is called now."""
        return self.form.name.strip() or "(no name)"

    def criterion(self) -> Criterion:
        """Return the criterion that stands in the editor. Raises InputError where that is none."""
        return self.form.criterion(self.saved)

    def criterion_or_none(self) -> Criterion | None:
        """Return the criterion that stands in the editor, None where that is none."""
        try:
            return self.criterion()
        except InputError:
            return None

    def version_words(self) -> str:
        """Say which version stands in the editor: "v3", "v3, edited", "not tried yet"."""
        now = self.criterion_or_none()
        number = self.numbers.get(now.fingerprint) if now is not None else None
        words = f"v{number}" if number else "new version" if self.numbers else "not tried yet"
        where = "not saved" if self.file is None else "edited" if self.edited else ""
        return ", ".join(part for part in (words, where) if part)


def item_of(store: Store, saved: Criterion, file: CriterionFile | None) -> Item:
    """Return a criterion as the list shows it."""
    numbers = {row.fingerprint: row.number for row in store.criteria.versions(saved.name)}
    return Item(saved, file, CriterionForm.of(saved), standing(store, saved), numbers)


def refreshed(store: Store, item: Item) -> Item:
    """Return an item with what the database says of it by now; what is typed stays."""
    if item.saved is None:
        now = item.criterion_or_none()
        versions = store.criteria.versions(now.name) if now is not None else []
        return replace(item, numbers={row.fingerprint: row.number for row in versions})
    return replace(item_of(store, item.saved, item.file), form=item.form)


def load_items(store: Store, folder: Path) -> tuple[list[Item], list[FormatError]]:
    """Return the criteria of files, then those tried that are in none; and what is wrong with files."""
    found = find_criteria(folder)
    items = [item_of(store, file.criterion, file) for file in found.files]
    known = {file.criterion.name for file in found.files}
    for name in store.criteria.names():
        if name not in known:
            try:
                items.append(item_of(store, criterion_of(store.criteria.versions(name)[-1]), None))
            except FormatError:
                # Of another turnwise; `turnwise criteria` shows its text.
                continue
    return items, list(found.errors)


def trial_of(store: Store, item: Item) -> Trial | None:
    """Return the newest trial of what stands in the editor, or else of the newest version that was tried."""
    now = item.criterion_or_none()
    found = last_trial(store, now) if now is not None else None
    if found is not None:
        return found
    name = now.name if now is not None else item.saved.name if item.saved is not None else ""
    for version in reversed(store.criteria.versions(name)):
        with suppress(FormatError):
            if (found := last_trial(store, criterion_of(version))) is not None:
                return (found.by(now) or found) if now is not None else found
    return None


@dataclass(frozen=True, slots=True)
class TrialRequest(ScoreRequest):
    """A criterion that is to be tried, as a run of the app. hear: is told how far the trial is."""

    criterion: Criterion = field(kw_only=True)
    sample: Sample = field(kw_only=True)
    author: str = field(kw_only=True)
    source: str = field(kw_only=True)
    hear: Callable[[Trial], None] = field(kw_only=True)

    async def outcomes(self, store: Store, judge: Judge | None) -> AsyncGenerator[Scored]:
        """Try the criterion, and yield every outcome as it lands."""
        judge_name = judge.settings.model if judge else ""
        trial = Trial(self.criterion, self.sample, judge=judge_name)
        run = try_criterion(store, self.criterion, self.sample, judge, author=self.author, source=self.source)
        began = time.monotonic()
        async with aclosing(run) as outcomes:
            async for scored in outcomes:
                trial = replace(trial.with_outcome(scored), seconds=time.monotonic() - began)
                self.hear(trial)
                yield scored
