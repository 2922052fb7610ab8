"""Benchmark: rated conversations scored anew, and how well each metric agrees with what people said of them.

A rating of two values (right or wrong, reward 0 or 1) is compared by the area under the ROC curve, any other
by Spearman's rank correlation, each with an interval that allows for what was not seen.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from itertools import product
from math import isnan, nan
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Any

from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase
from turnwise.conversations.errors import FormatError
from turnwise.conversations.findings import Label
from turnwise.conversations.formats import Loaded, load
from turnwise.conversations.results import Failure, Outcome, Score
from turnwise.engine.metrics.metric import Metric
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.people.statistics.ranks import (
    area_interval,
    area_under_curve,
    spearman,
    spearman_interval,
)
from turnwise.engine.scoring.runner import PlacedUnit, judge_units

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import Judge

FEWEST = 5
"""With fewer pairs than this, no correlation is computed."""
MEANT = {
    "faithfulness": ("knowledge_precision", "faithfulness"),
    "completeness": ("conversation_completeness",),
    "appropriateness": ("answer_relevancy",),
    "relevance": ("answer_relevancy",),
    "reward": (
        "goal_accuracy",
        "conversation_completeness",
        "conversation_length",
        "repetition",
        "unresolved_cues",
        "frustration_cues",
    ),
}
"""Per name of a rating, the metrics that measure the same property."""


@dataclass(frozen=True, slots=True)
class Rated:
    """A case with what people found (a mean for each property) and what other programs scored it at."""

    case: ConversationalTestCase | LLMTestCase
    ratings: Mapping[str, float]
    scores: Mapping[str, float] = field(default_factory=dict)

    @property
    def evidence(self) -> str:
        """What it has in common with cases that say nothing new beside it: their task, or what was asked."""
        task = (self.case.metadata or {}).get("task_id")
        if task is not None:
            return str(task)
        if isinstance(self.case, LLMTestCase):
            return self.case.input
        return "\n".join(str(turn.content) for turn in self.case.turns if turn.role == "user")


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingAgreement:
    """How well a scorer agrees with a rating.

    scorer: a metric's name, or that of a program whose scores the file holds. judge: the model that judged;
    empty for a check, "file" for scores of the file. statistic: "spearman" (-1 to 1) or "auc" (0 to 1);
    value, low and high: it and its 95 % interval, nan where it cannot be told. pairs: how many cases both
    scored and rated.
    """

    rating: str
    scorer: str
    judge: str
    statistic: str
    value: float
    low: float
    high: float
    pairs: int

    def data(self) -> dict[str, Any]:
        """Return the agreement as the command line prints it; null for what cannot be told."""
        return {
            "rating": self.rating,
            "metric": self.scorer,
            "judge": self.judge,
            "statistic": self.statistic,
            "value": _known(self.value),
            "low": _known(self.low),
            "high": _known(self.high),
            "pairs": self.pairs,
        }


def _known(value: float) -> float | None:
    return None if isnan(value) else round(value, 4)


def rated(case: ConversationalTestCase | LLMTestCase, labels: Sequence[Label] = ()) -> Rated:
    """Return a case with its ratings: those of people are averaged over people, a reward is one by itself.

    labels: what people said of it; a pass or fail without a value is 1 or 0, one of no metric is the rating
    "label". Ratings that the case itself holds go before labels of the same name, for they are the finer.
    """
    metadata = case.metadata or {}
    ratings = {name: fmean(values) for name, values in _by_metric(labels).items()}
    ratings |= {
        str(name): fmean(given)
        for name, by_person in _mapping(metadata.get("ratings")).items()
        if (given := _numbers(by_person).values())
    }
    ratings |= _numbers({"reward": metadata.get("reward")})
    return Rated(case, ratings, _numbers(metadata.get("scores")))


def load_rated(path: Path) -> list[Rated]:
    """Return the rated cases of a file in any format; records that cannot be read are left out.

    Raises NotFoundError and FormatError as `load` does, and FormatError where no case is rated.
    """
    loaded = [record for record in load(path) if isinstance(record, Loaded)]
    cases = [one for record in loaded if (one := rated(record.case, record.labels)).ratings]
    if not cases:
        raise FormatError(
            f"{path.name} holds no ratings",
            detail=f"{len(loaded):,} conversations, none with ratings, labels or a reward",
            next_step="Give each conversation metadata such as "
            '{"ratings": {"faithfulness": {"ann": 4, "ben": 3}}}.',
        )
    return cases


def spread(cases: Sequence[Rated], count: int) -> list[Rated]:
    """Return `count` cases at even distances, all of them where there are fewer."""
    if count >= len(cases):
        return list(cases)
    return [cases[place * len(cases) // count] for place in range(count)]


def metrics_for(cases: Sequence[Rated]) -> dict[str, list[str]]:
    """Return the metrics meant for the ratings that these cases hold, each with those ratings."""
    names = sorted({name for case in cases for name in case.ratings})
    meant: dict[str, list[str]] = {}
    for rating in names:
        for metric in MEANT.get(rating, ()):
            meant.setdefault(metric, []).append(rating)
    return meant


def _by_metric(labels: Sequence[Label]) -> dict[str, list[float]]:
    """Return the values that labels give, by metric; the newest of an author stands."""
    newest = {(label.metric, label.author): label for label in labels}
    values: dict[str, list[float]] = {}
    for label in newest.values():
        said = {"pass": 1.0, "fail": 0.0}.get(label.word or "") if label.value is None else label.value
        if said is not None:
            values.setdefault(label.metric or "label", []).append(said)
    return values


def _mapping(value: Any) -> Mapping[Any, Any]:
    return value if isinstance(value, Mapping) else {}


def _numbers(values: Any) -> dict[str, float]:
    """Return what is a number of a mapping."""
    return {
        str(name): float(value)
        for name, value in _mapping(values).items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }


async def score_rated(
    cases: Sequence[Rated], metrics: Sequence[Metric], judge: Judge | None, *, secret: str
) -> AsyncGenerator[tuple[int, Outcome]]:
    """Score every case by every metric, and yield the place of the case with the outcome as it lands.

    Raises JudgeError where the judge is away or the budget is spent.
    """

    async def units() -> AsyncIterator[PlacedUnit]:
        for place, case in enumerate(cases):
            whole = Subject.of(case.case)
            for metric in metrics:
                for subject in metric.subjects(whole) or [whole]:
                    yield PlacedUnit(metric, subject, place=place)

    async with aclosing(judge_units(units(), judge, secret=secret)) as landing:
        async for unit, outcome in landing:
            yield unit.place, outcome


@dataclass(slots=True)
class Benchmark:
    """The outcomes of a benchmark as they come, and what they tell.

    meant: for a metric's name, the ratings it is compared with; all ratings for one that is not named.
    """

    cases: Sequence[Rated]
    meant: Mapping[str, Sequence[str]]
    _found: dict[str, dict[int, Outcome]] = field(default_factory=dict)

    def add(self, place: int, outcome: Outcome) -> None:
        """Take in what a metric found about a case."""
        self._found.setdefault(outcome.metric, {})[place] = outcome

    def failures(self) -> int:
        """Return how many cases a metric could not judge."""
        return sum(isinstance(one, Failure) for of in self._found.values() for one in of.values())

    def agreements(self, judged: Mapping[str, str]) -> list[RatingAgreement]:
        """Return how every metric agrees with every rating that it is meant for, best first by rating.

        judged: the judge's name for each metric that asked one. A check and a judged metric that are meant
        for the same rating are also taken together, by the mean of their scores.
        """
        names = sorted({name for case in self.cases for name in case.ratings})
        scored = {
            metric: {place: one.score for place, one in found.items() if isinstance(one, Score)}
            for metric, found in self._found.items()
        }
        agreements = []
        for rating in names:
            truth = {p: case.ratings[rating] for p, case in enumerate(self.cases) if rating in case.ratings}
            meant = {m: s for m, s in scored.items() if rating in self.meant.get(m, names)}
            found = [
                _agreement(rating, name, judged.get(name, ""), scores, truth, self.cases)
                for name, scores in meant.items()
            ]
            found += [
                _agreement(rating, f"{check} + {name}", judged[name], scores, truth, self.cases)
                for check, name, scores in _joined(meant, judged)
            ]
            for name in sorted({name for case in self.cases for name in case.scores}):
                theirs = {p: case.scores[name] for p, case in enumerate(self.cases) if name in case.scores}
                found.append(_agreement(rating, name, "file", theirs, truth, self.cases))
            agreements += sorted(found, key=lambda one: -one.value if not isnan(one.value) else 2)
        return agreements


def _joined(
    meant: Mapping[str, Mapping[int, float]], judged: Mapping[str, str]
) -> Iterator[tuple[str, str, dict[int, float]]]:
    """Yield every check with every judged metric, and the mean of their scores by case."""
    for check, name in product(meant, meant):
        if check not in judged and name in judged:
            both = sorted(meant[check].keys() & meant[name].keys())
            yield check, name, {place: (meant[check][place] + meant[name][place]) / 2 for place in both}


def _agreement(
    rating: str,
    scorer: str,
    judge: str,
    scores: Mapping[int, float],
    truth: Mapping[int, float],
    cases: Sequence[Rated],
) -> RatingAgreement:
    places = sorted(scores.keys() & truth.keys())
    given, wanted = [scores[place] for place in places], [truth[place] for place in places]
    evidence = [cases[place].evidence for place in places]
    values = sorted(set(truth.values()))
    binary = len(values) <= 2
    right = [value == values[-1] for value in wanted]
    value = low = high = nan
    if len(places) >= FEWEST and binary:
        value, (low, high) = area_under_curve(given, right), area_interval(given, right, evidence)
    elif len(places) >= FEWEST:
        value, (low, high) = spearman(given, wanted), spearman_interval(given, wanted, evidence)
    return RatingAgreement(
        rating=rating,
        scorer=scorer,
        judge=judge,
        statistic="auc" if binary else "spearman",
        value=value,
        low=low,
        high=high,
        pairs=len(places),
    )
