"""CriterionLooks: what the store holds of the criteria in the list, kept until anything could change."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.conversations.store import SplitName, Store
from turnwise.engine.criteria.criterion_sample import Sample
from turnwise.engine.criteria.criterion_trial import CriterionTrial
from turnwise.engine.criteria.past_trials import trial_before
from turnwise.tui.criteria.listed_criteria import ListedCriterion, refreshed, trial_of_item


@dataclass(frozen=True, slots=True)
class Look:
    """What the store holds of the criterion that stood at a place of the list when it was read.

    stood: how the store stood then. trial, before: the newest one and the one before it, where it was tried.
    sample: what it would be tried on.
    """

    place: int
    stood: tuple[int, int]
    item: ListedCriterion
    trial: CriterionTrial | None
    before: CriterionTrial | None
    sample: Sample


def look_at(store: Store, place: int, stood: tuple[int, int], item: ListedCriterion, sample: Sample) -> Look:
    """Read what is stored of a criterion; it takes a while, so call it in a thread."""
    trial = trial_of_item(store, item)
    before = trial_before(store, trial) if trial is not None else None
    return Look(place, stood, refreshed(store, item, trial), trial, before, sample)


class CriterionLooks:
    """Keeps what was read of each place of the list, by what the criterion there is tried on.

    It is shown until it is read anew: lines that are empty until then would lay the screen out twice at every
    key.
    """

    def __init__(self) -> None:
        self._kept: dict[tuple[int, SplitName | None], Look] = {}

    def __len__(self) -> int:
        """Return how many are kept."""
        return len(self._kept)

    def clear(self) -> None:
        """Forget all of them, as anything may have changed."""
        self._kept.clear()

    def keep(self, look: Look, split: SplitName | None) -> None:
        """Keep one. split: what the criterion would be tried on."""
        self._kept[look.place, split] = look

    def of(self, item: ListedCriterion, place: int, split: SplitName | None) -> Look | None:
        """Return what was read of a criterion; None where it was not, or another text stood there then."""
        look = self._kept.get((place, split))
        same = look is not None and (look.item.form, look.item.saved) == (item.form, item.saved)
        return look if same else None
