"""Label sources: what a database holds to learn from, and what of it is enough."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.conversations.errors import SettingError
from turnwise.conversations.store import Store
from turnwise.engine.learning.examples import check_enough, verdicts_to_learn_from


@dataclass(frozen=True, slots=True)
class LabelSource:
    """Labels to learn from, those of the test split left out.

    metric: what they are about; empty for whole sessions. scores: the metric whose scores stand for labels,
    empty for labels of people. told: what they are, in words. trouble: why they are too few, None where they
    are enough. held_back: how many more there are in the test split.
    """

    metric: str
    scores: str
    told: str
    passed: int
    failed: int
    trouble: SettingError | None = None
    held_back: int = 0

    @property
    def name(self) -> str:
        """What tells it from the others."""
        return f"{self.metric}|{self.scores}"


def label_sources(store: Store) -> list[LabelSource]:
    """Return what there is to learn from: labels of sessions, of metrics, and scores that came with files."""
    sources = [_source(store)]
    sources += [_source(store, metric=metric) for metric in store.learned.labelled_metrics()]
    return [*sources, *(_source(store, scores=metric) for metric in store.learned.imported_metrics())]


def _source(store: Store, *, metric: str = "", scores: str = "") -> LabelSource:
    verdicts, told, held_back = verdicts_to_learn_from(store, metric=metric, scores=scores)
    passed = sum(verdicts.values())
    trouble = None
    try:
        check_enough(verdicts, told, held_back)
    except SettingError as error:
        trouble = error
    return LabelSource(metric, scores, told, passed, len(verdicts) - passed, trouble, held_back)
