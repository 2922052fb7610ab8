"""LearnedSignal: what was learned from labels, as plain numbers that foretell whether a session passes.

    signal = LearnedSignal.model_validate_json(text)
    signal.probability(features_of(subject, signal.families))

It is a logistic regression written down: no library is needed to use it, and the same database gives the same
numbers on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pydantic import BaseModel, ConfigDict, Field

from turnwise.conversations.fingerprints import fingerprint
from turnwise.engine.learning.features import SCORE_OF, Family, feature_words


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Weight(_Kept):
    """What one feature adds: weight x (value - mean) / scale, in log odds; 0 where its value is not known.

    absent: the value that stands for one that is left out; None where that is unknown.
    """

    feature: str
    mean: float
    scale: float = Field(gt=0)
    weight: float
    absent: float | None = None

    def adds(self, features: Mapping[str, float]) -> float:
        """Return what the feature adds to the log odds of a conversation."""
        value = features.get(self.feature, self.absent)
        return 0.0 if value is None else self.weight * (value - self.mean) / self.scale


class ReliabilityStep(_Kept):
    """Sessions that were foretold about alike. foretold: their mean probability; passed: how many did."""

    foretold: float
    passed: int
    sessions: int


class Measured(_Kept):
    """How well a signal foretold sessions that it had not learned from: cross-validated by group.

    auc: the area under the ROC curve, the mean of `repeats` divisions into folds; low and high: its 95 %
    interval, groups weighed by chance. brier: the mean squared distance of probability and label, 0 to 1,
    lower is better; brier_of_rate: that of foretelling the rate. reliability: by foretold probability.
    """

    sessions: int
    passed: int
    groups: int
    folds: int
    repeats: int
    auc: float
    low: float
    high: float
    brier: float
    brier_of_rate: float
    reliability: tuple[ReliabilityStep, ...]

    @property
    def is_better_than_chance(self) -> bool:
        """Whether the interval lies above one half."""
        return self.low > 0.5


class LearnedSignal(_Kept):
    """A signal that was learned from labels.

    learned_from: whose labels, in words. families: what it looks at. penalty: how strongly weights were held
    small (scikit-learn's C; smaller holds more). slope, shift: the calibration, probability =
    sigmoid(slope x log odds + shift). buckets: the words behind word features. threshold: a probability from
    here on passes.
    """

    name: str
    learned_from: str
    grouped_by: str
    families: tuple[Family, ...]
    weights: tuple[Weight, ...]
    intercept: float
    slope: float
    shift: float
    penalty: float
    threshold: float = Field(default=0.5, ge=0, le=1)
    buckets: dict[str, str] = {}
    measured: Measured

    def probability(self, features: Mapping[str, float]) -> float:
        """Return how probably a session with these features passes, 0 to 1."""
        odds = self.intercept + math.fsum(weight.adds(features) for weight in self.weights)
        return sigmoid(self.slope * odds + self.shift)

    def speaks(self, features: Mapping[str, float], most: int) -> tuple[list[str], list[str]]:
        """Return what speaks most for passing, and what against it, in words."""
        added = sorted(
            ((weight.adds(features), weight.feature) for weight in self.weights), key=lambda one: -abs(one[0])
        )
        told = [(value, feature_words(name, self.buckets)) for value, name in added if abs(value) >= 0.05]
        return (
            [words for value, words in told if value > 0][:most],
            [words for value, words in told if value < 0][:most],
        )

    def rests_on(self) -> list[tuple[str, float]]:
        """Return its features in words with their weights, the weightiest first."""
        ordered = sorted(self.weights, key=lambda one: (-abs(one.weight), one.feature))
        return [(feature_words(one.feature, self.buckets), self.slope * one.weight) for one in ordered]

    @property
    def scores_read(self) -> Sequence[str]:
        """The metrics whose kept scores it looks at."""
        return [
            one.feature.removeprefix(SCORE_OF) for one in self.weights if one.feature.startswith(SCORE_OF)
        ]

    @property
    def fingerprint(self) -> str:
        """Name what it foretells by: all but the threshold and what was measured."""
        return fingerprint(self.model_dump(mode="json", exclude={"threshold", "measured", "learned_from"}))


def sigmoid(odds: float) -> float:
    """Return the probability of log odds."""
    return 1 / (1 + math.exp(-odds)) if odds >= 0 else math.exp(odds) / (1 + math.exp(odds))
