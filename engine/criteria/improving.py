"""Improving: a criterion with each proposal tried on dev, what helps by more than chance, and the last test.

    improvement = await improve(store, criterion, judge, author="ann")
    taken = [tried.proposal for tried in most_helpful(improvement.tried)]
    better = changed(criterion, taken)

A proposal helps where it mends more sessions of dev than it breaks by more than chance: an exact test of the
two counts (McNemar 1947, as a binomial test), corrected for all that were tried (Holm 1979), at 5 %.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store import SplitName, Store
from turnwise.engine.criteria.criteria import Criterion
from turnwise.engine.criteria.criterion_sample import draw_sample
from turnwise.engine.criteria.criterion_trial import CriterionTrial, try_criterion
from turnwise.engine.criteria.proposing import Proposal, changed, propose
from turnwise.engine.criteria.trial_change import TrialChange, chance_of_mending
from turnwise.engine.judge.judge import Judge

LEVEL = 0.05
LEAST_LABELS = 10
"""Labelled sessions that train and dev each need: to learn from, and to see it by."""
Tell = Callable[[str, int, int], None]
"""Is told what is tried, how many sessions of it are judged, and how many there are."""


@dataclass(frozen=True, slots=True)
class TriedProposal:
    """A proposal, and what it changes on dev. chance: how likely so much would be mended by chance alone,
    corrected for all that were tried, from 0 to 1.
    """

    proposal: Proposal
    change: TrialChange
    chance: float

    @property
    def helps(self) -> bool:
        """Whether it mends more than it breaks by more than chance."""
        return self.gain > 0 and self.chance <= LEVEL

    @property
    def gain(self) -> int:
        """How many more sessions it mends than it breaks."""
        return self.change.mended - self.change.broken

    def data(self) -> dict[str, Any]:
        """Return it as JSON-ready values."""
        told = self.change.data()
        return {
            "kind": self.proposal.kind,
            "words": self.proposal.words,
            "mended": self.change.mended,
            "broken": self.change.broken,
            "chance": self.chance,
            "helps": self.helps,
            **{name: told[name] for name in ("n", "tpr", "tnr", "kappa", "flipped")},
        }


@dataclass(frozen=True, slots=True)
class Improvement:
    """A criterion as it stands on dev, and all that was tried to improve it, the most helpful first."""

    criterion: Criterion
    base: CriterionTrial
    tried: tuple[TriedProposal, ...]


def most_helpful(tried: Sequence[TriedProposal]) -> list[TriedProposal]:
    """Return what helps; of guidelines the one that mends most, or all together where that mends more.

    So no guideline is taken that did nothing by itself and adds nothing to the others.
    """
    helping = [one for one in tried if one.helps]
    lines = [one for one in helping if one.proposal.guidelines]
    best = max(lines, key=lambda one: (one.gain, -len(one.proposal.guidelines)), default=None)
    return [one for one in helping if one is best or not one.proposal.guidelines]


async def improve(
    store: Store, criterion: Criterion, judge: Judge, *, author: str, source: str = "", tell: Tell
) -> Improvement:
    """Try on dev what train proposes. The test split is not touched; all trials are kept, each as a run.

    What was judged before is not judged again, so it goes on where it was stopped. Raises SettingError where
    train or dev have too few labels, or labels of one kind, and what `try_criterion` raises.
    """
    trained = await _tried(store, criterion, judge, "train", author, source, tell)
    base = await _tried(store, criterion, judge, "dev", author, source, tell)
    found: list[TriedProposal] = []
    for proposal in await propose(store, criterion, trained, judge):
        version = changed(criterion, [proposal])
        now = base.by(version)
        if now is None:
            now = await _tried(store, version, judge, "dev", author, source, tell, about=proposal.words)
        found.append(TriedProposal(proposal, TrialChange(base, now), 1.0))
    return Improvement(criterion, base, tuple(_corrected(found)))


async def last_test(
    store: Store,
    before: Criterion,
    now: Criterion,
    judge: Judge,
    *,
    author: str,
    source: str = "",
    tell: Tell,
) -> TrialChange:
    """Set a criterion beside what became of it on the test split, and note that the split was used."""
    was = await _tried(store, before, judge, "test", author, source, tell)
    became = was.by(now) or await _tried(store, now, judge, "test", author, source, tell)
    return TrialChange(was, became)


async def _tried(
    store: Store,
    criterion: Criterion,
    judge: Judge,
    split: SplitName,
    author: str,
    source: str,
    tell: Tell,
    *,
    about: str = "",
) -> CriterionTrial:
    sample = draw_sample(store, criterion.name, split=split)
    if split != "test" and (len(sample.people) < LEAST_LABELS or len(set(sample.people.values())) < 2):
        raise SettingError(
            f"{criterion.name} has too few labels to be improved",
            detail=f"{split}: {sum(sample.people.values())} that people pass, "
            f"{len(sample.people) - sum(sample.people.values())} that they fail.",
            next_step=f"Label some more: {split} needs {LEAST_LABELS} in all, some of each kind. "
            "Of all labels 20 % go to train and 40 % to dev.",
        )
    trial = CriterionTrial(criterion, sample, judge=judge.settings.model)
    words = about or f"{criterion.name} on {split}"
    tell(words, 0, len(sample.session_ids))
    run = try_criterion(store, criterion, sample, judge, author=author, source=source)
    async with aclosing(run) as outcomes:
        async for scored in outcomes:
            trial = trial.with_outcome(scored)
            tell(words, len(trial.rows), len(sample.session_ids))
    return trial


def _corrected(tried: Sequence[TriedProposal]) -> list[TriedProposal]:
    """Return them, the surest first, corrected for their number as Holm does, Scand. J. Stat. 6 (1979)."""
    ordered = sorted(
        (replace(one, chance=chance_of_mending(one.change.mended, one.change.broken)) for one in tried),
        key=lambda one: one.chance,
    )
    worst = 0.0
    found = []
    for place, one in enumerate(ordered):
        worst = max(worst, min(1.0, one.chance * (len(ordered) - place)))
        found.append(replace(one, chance=worst))
    return found
