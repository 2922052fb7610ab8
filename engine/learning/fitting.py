"""Fitting: a small logistic regression from labelled sessions, and how well it foretells others.

Which families of features it looks at and how strongly its weights are held small is chosen within the labels
it learns from, so that what is measured on the others is honest (nested cross-validation). It is calibrated
after Platt 1999 on sessions that were left out. All of it is the same every time: folds follow from seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from statistics import fmean
from typing import Any

from turnwise.conversations.errors import SettingError
from turnwise.engine.learning.features import FAMILIES, SCORE_OF, Family
from turnwise.engine.learning.learned_signal import Measured, ReliabilityStep, Weight
from turnwise.engine.learning.word_buckets import bucket_names
from turnwise.engine.metrics.deterministic.shapes import SHAPES
from turnwise.engine.people.statistics.ranks import area_interval, area_under_curve

FOLDS, INNER_FOLDS, REPEATS = 5, 5, 5
PENALTIES = (0.03, 0.1, 0.3, 1.0)
STEPS = 5
"""In how many parts of the sessions the reliability is told."""
_KNOWN_AT_LEAST = 0.5
"""A score is looked at where this share of the labelled sessions has it."""
_SLOPES = (0.3, 3.0)
"""Between these a calibration may stretch the log odds; with few labels it would go astray."""


@dataclass(frozen=True, slots=True)
class LabelledExample:
    """A labelled session. group: sessions of one group are never on both sides of a division."""

    session: int
    features: Mapping[str, float]
    passed: bool
    group: str


@dataclass(frozen=True, slots=True)
class Fitted:
    """What was fitted, in the fields of a LearnedSignal."""

    families: tuple[Family, ...]
    weights: tuple[Weight, ...]
    intercept: float
    slope: float
    shift: float
    penalty: float


@dataclass(frozen=True, slots=True)
class _Choice:
    """What cross-validation within the labels chose. odds: of each label, from a fit without its group."""

    families: tuple[Family, ...]
    penalty: float
    odds: Any
    losses: Any


TellLearning = Callable[[str, int, int], None]
"""Hears what is done, how much of it, and of how much. What it raises ends the learning."""


def tell_nobody(words: str, done: int, of: int) -> None:
    """Say nothing."""


def missing_library() -> SettingError | None:
    """Return what to tell where nothing can be learned here, as scikit-learn is not installed."""
    if find_spec("sklearn") is not None:
        return None
    return SettingError(
        "Learning from labels needs scikit-learn",
        next_step="Install it with `pip install 'turnwise[learn]'`. What was learned is used without it.",
    )


def fit(examples: Sequence[LabelledExample]) -> Fitted:
    """Return the regression that all examples give. Raises SettingError where scikit-learn is missing."""
    with _alone():
        return _Tables(examples).fitted(range(len(examples)))


def cross_validate(examples: Sequence[LabelledExample], tell: TellLearning = tell_nobody) -> Measured:
    """Measure how well sessions are foretold by what others teach. Raises SettingError as `fit` does."""
    with _alone():
        tables = _Tables(examples)
        folds = tables.folds(range(len(examples)), FOLDS)

        def tell_fold(seed: int, done: int) -> None:
            tell("measured", seed * folds + done, REPEATS * folds)

        repeats = [tables.foretold(seed, partial(tell_fold, seed)) for seed in range(REPEATS)]
    passed = [one.passed for one in examples]
    groups = [one.group for one in examples]
    # Each repeat foretells all examples: the ends are, as the area is, the mean of those of the repeats.
    ends = [area_interval(foretold, passed, groups) for foretold in repeats]
    low, high = (fmean(end) for end in zip(*ends, strict=True))
    averaged = [fmean(one) for one in zip(*repeats, strict=True)]
    rate = fmean(passed)
    return Measured(
        sessions=len(examples),
        passed=sum(passed),
        groups=len(set(groups)),
        folds=folds,
        repeats=REPEATS,
        auc=fmean(area_under_curve(foretold, passed) for foretold in repeats),
        low=low,
        high=high,
        brier=fmean((p - y) ** 2 for one in repeats for p, y in zip(one, passed, strict=True)),
        brier_of_rate=rate * (1 - rate),
        reliability=_reliability(averaged, passed),
    )


def _reliability(foretold: Sequence[float], passed: Sequence[bool]) -> tuple[ReliabilityStep, ...]:
    """Tell of equal parts of the sessions, by rising probability, what was foretold and what came."""
    order = sorted(range(len(foretold)), key=lambda place: (foretold[place], place))
    parts = [order[step * len(order) // STEPS : (step + 1) * len(order) // STEPS] for step in range(STEPS)]
    return tuple(
        ReliabilityStep(
            foretold=fmean(foretold[place] for place in part),
            passed=sum(passed[place] for place in part),
            sessions=len(part),
        )
        for part in parts
        if part
    )


class _Tables:
    """The features of examples as tables, one a family."""

    def __init__(self, examples: Sequence[LabelledExample]) -> None:
        self._numpy = _numpy()
        known = {name for one in examples for name in one.features}
        scores = sorted(name for name in known if name.startswith(SCORE_OF))
        enough = len(examples) * _KNOWN_AT_LEAST
        self._names: dict[Family, list[str]] = {
            "shape": [name for name in SHAPES if name in known],
            "scores": [name for name in scores if sum(name in one.features for one in examples) >= enough],
            "words": [name for name in bucket_names() if name in known],
        }
        self._passed = self._numpy.array([one.passed for one in examples])
        self._groups = self._numpy.array([one.group for one in examples])
        self._tables = {
            family: self._numpy.array(
                [[one.features.get(name, _absent(family)) for name in names] for one in examples], dtype=float
            ).reshape(len(examples), len(names))
            for family, names in self._names.items()
        }

    def foretold(self, seed: int, tell: Callable[[int], None]) -> list[float]:
        """Return the probability of every example from what the other folds teach.

        tell: hears how many folds are done.
        """
        numpy = self._numpy
        found = numpy.zeros(len(self._passed))
        everything = numpy.arange(len(self._passed))
        for done, (learned, left_out) in enumerate(self._divisions(everything, FOLDS, seed)):
            tell(done)
            choice = self._choose(learned)
            slope, shift = self._calibrated(choice, learned)
            odds = self._odds(choice.families, choice.penalty, learned, left_out)
            found[left_out] = 1 / (1 + numpy.exp(-(slope * odds + shift)))
        return [float(one) for one in found]

    def fitted(self, places: Sequence[int]) -> Fitted:
        """Return the regression that the examples at some places give."""
        learned = self._numpy.array(places)
        choice = self._choose(learned)
        slope, shift = self._calibrated(choice, learned)
        table, means, scales = self._scaled(choice.families, learned)
        model = self._regression(choice.penalty).fit(table, self._passed[learned])
        names = [(family, name) for family in choice.families for name in self._names[family]]
        weights = [
            Weight(
                feature=name,
                mean=float(mean),
                scale=float(scale),
                weight=float(weight),
                absent=0.0 if family == "words" else None,
            )
            for (family, name), mean, scale, weight in zip(names, means, scales, model.coef_[0], strict=True)
        ]
        return Fitted(
            families=choice.families,
            weights=tuple(weights),
            intercept=float(model.intercept_[0]),
            slope=slope,
            shift=shift,
            penalty=choice.penalty,
        )

    def folds(self, places: Sequence[int], wanted: int) -> int:
        """Return into how many folds some examples can be divided, with passes and fails in each."""
        learned = self._numpy.array(places)
        kinds = [
            len(set(self._groups[learned][self._passed[learned] == kind].tolist())) for kind in (True, False)
        ]
        return max(2, min(wanted, *kinds))

    def _divisions(self, places: Any, wanted: int, seed: int) -> Iterator[tuple[Any, Any]]:
        from sklearn.model_selection import StratifiedGroupKFold

        divider = StratifiedGroupKFold(self.folds(places, wanted), shuffle=True, random_state=seed)
        for learned, left_out in divider.split(places, self._passed[places], self._groups[places]):
            if len(set(self._passed[places[learned]].tolist())) == 2 and len(left_out):
                yield places[learned], places[left_out]

    def _choose(self, learned: Any) -> _Choice:
        """Choose families and penalty by the mean log loss of what was left out.

        A further family is taken where it lowers the loss by more than the standard error of the difference.
        """
        plainest, *further = self._nested_families()
        chosen = self._best_of(plainest, learned)
        for families in further:
            best = self._best_of(families, learned)
            gain = chosen.losses - best.losses
            if gain.mean() > gain.std() / len(gain) ** 0.5:
                chosen = best
        return chosen

    def _best_of(self, families: tuple[Family, ...], learned: Any) -> _Choice:
        """Choose the penalty for some families."""
        numpy = self._numpy
        divisions = list(self._divisions(learned, INNER_FOLDS, 0))
        tried = []
        for penalty in PENALTIES:
            odds = numpy.zeros(len(learned))
            for inner, left_out in divisions:
                odds[numpy.isin(learned, left_out)] = self._odds(families, penalty, inner, left_out)
            signs = numpy.where(self._passed[learned], 1.0, -1.0)
            tried.append(_Choice(families, penalty, odds, numpy.logaddexp(0, -signs * odds)))
        return min(tried, key=lambda one: float(one.losses.mean()))

    def _nested_families(self) -> list[tuple[Family, ...]]:
        there = [family for family in FAMILIES if self._names[family]]
        return [tuple(there[:count]) for count in range(1, len(there) + 1)]

    def _odds(self, families: tuple[Family, ...], penalty: float, learned: Any, asked: Any) -> Any:
        table, means, scales = self._scaled(families, learned)
        model = self._regression(penalty).fit(table, self._passed[learned])
        return model.decision_function(self._table(families, asked, means, scales))

    def _scaled(self, families: tuple[Family, ...], learned: Any) -> tuple[Any, Any, Any]:
        numpy = self._numpy
        whole = numpy.hstack([self._tables[family][learned] for family in families])
        known = numpy.where(numpy.isnan(whole), 0.0, 1.0)
        count = numpy.maximum(known.sum(axis=0), 1)
        means = numpy.nansum(whole, axis=0) / count
        scales = numpy.sqrt(numpy.nansum((whole - means) ** 2, axis=0) / count)
        # A rare word is not to count for more than a common one, so words are taken as they are.
        plain = [family == "words" for family in families for _ in self._names[family]]
        scales = numpy.where(plain | (scales <= 1e-9), 1.0, scales)
        return self._table(families, learned, means, scales), means, scales

    def _table(self, families: tuple[Family, ...], places: Any, means: Any, scales: Any) -> Any:
        numpy = self._numpy
        whole = numpy.hstack([self._tables[family][places] for family in families])
        return numpy.nan_to_num((whole - means) / scales, nan=0.0)

    def _regression(self, penalty: float) -> Any:
        from sklearn.linear_model import LogisticRegression

        return LogisticRegression(C=penalty, max_iter=1000)

    def _calibrated(self, choice: _Choice, learned: Any) -> tuple[float, float]:
        """Return slope and shift by which the left-out log odds tell the labels best."""
        passed = self._passed[learned]
        model = self._regression(1.0).fit(choice.odds.reshape(-1, 1), passed)
        slope = min(max(float(model.coef_[0][0]), _SLOPES[0]), _SLOPES[1])
        return slope, float(model.intercept_[0])


def _absent(family: Family) -> float:
    return 0.0 if family == "words" else float("nan")


@contextmanager
def _alone() -> Iterator[None]:
    """Let matrices be multiplied by one thread: for ones so small, several wait for one another.

    To look at its own settings takes scikit-learn a third of the time of a fit; they are always the same.
    """
    _numpy()
    from sklearn import config_context
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1), config_context(skip_parameter_validation=True):
        yield


def _numpy() -> Any:
    """Return numpy, with scikit-learn at hand: together they take most of a second to import."""
    if (missing := missing_library()) is not None:
        raise missing
    import numpy
    import sklearn  # noqa: F401

    return numpy
