"""Results of an evaluation: what all metrics found about each case, and whether that is a pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase
from turnwise.conversations.images import MLLMTestCase
from turnwise.conversations.results import NO_JUDGE, Failure, Outcome, Score, Skipped
from turnwise.engine.metrics.explaining import NAME_A_JUDGE, explain

Case = ConversationalTestCase | LLMTestCase | MLLMTestCase


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricData:
    """What one metric found about a case, under the names that deepeval gives it.

    error: why there is no score; None where there is one.
    """

    name: str
    score: float | None
    threshold: float | None
    success: bool
    reason: str | None
    error: str | None
    strict_mode: bool
    evaluation_model: str | None
    evaluation_cost: float | None
    verbose_logs: str | None


@dataclass(frozen=True, slots=True)
class TestResult:
    """What all metrics found about one case.

    skips_allowed, errors_ignored: whether a metric that does not apply, or could not be judged, may stand
    beside scores that pass. strict: the names of metrics in strict mode. judges: the models that judged, by
    the names of metrics.
    """

    __test__ = False  # pytest would take a class of this name for a test.

    case: Case
    outcomes: tuple[Outcome, ...]
    skips_allowed: bool = False
    errors_ignored: bool = False
    strict: frozenset[str] = frozenset()
    judges: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str | None:
        """The case's own name."""
        return self.case.name

    @property
    def metrics_data(self) -> list[MetricData]:
        """What each metric found, under the names that deepeval gives it."""
        return [self._data_of(outcome) for outcome in self.outcomes]

    def _data_of(self, outcome: Outcome) -> MetricData:
        found = outcome if isinstance(outcome, Score) else None
        return MetricData(
            name=outcome.metric,
            score=found.score if found else None,
            threshold=found.threshold if found else None,
            success=found.passed if found else False,
            reason=outcome.reason if found else None,
            error=None if found else outcome.reason,
            strict_mode=outcome.metric in self.strict,
            evaluation_model=self.judges.get(outcome.metric),
            evaluation_cost=outcome.cost,
            verbose_logs=explain(found) if found else None,
        )

    @property
    def success(self) -> bool:
        """Whether at least one metric scored the case, and nothing stands in the way."""
        return not self.problems and any(isinstance(outcome, Score) for outcome in self.outcomes)

    @property
    def problems(self) -> list[Outcome]:
        """What stands in the way of success: scores below their threshold, failures, skips."""
        return [outcome for outcome in self.outcomes if not self._fine(outcome)]

    def _fine(self, outcome: Outcome) -> bool:
        match outcome:
            case Score():
                return outcome.passed
            case Failure():
                return self.errors_ignored
            case Skipped():
                return self.skips_allowed and outcome.reason != NO_JUDGE


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationResult:
    """The results of all cases, in the order the cases were given.

    run: the number under which the run is kept; None where it is not. identifier, hyperparameters: as given.
    """

    results: tuple[TestResult, ...]
    run: int | None = None
    identifier: str = ""
    hyperparameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def success(self) -> bool:
        """Whether every case passed."""
        return all(result.success for result in self.results)

    @property
    def test_results(self) -> tuple[TestResult, ...]:
        """The results, under the name that deepeval gives them."""
        return self.results

    def as_text(self, *, shown: str = "all") -> str:
        """Return the results as plain text: a line for each case, then one for each of its metrics.

        shown: the cases that are listed: all, failing or passing.
        """
        lines = []
        for number, result in enumerate(self.results, start=1):
            if shown != "all" and (shown == "passing") is not result.success:
                continue
            lines.append(f"{'✓' if result.success else '✗'} {result.name or f'case {number}'}")
            lines += [outcome_line(outcome) for outcome in result.outcomes]
        passed = sum(result.success for result in self.results)
        return "\n".join([*lines, f"{passed} of {len(self.results)} cases passed"])


def outcome_line(outcome: Outcome, *, strict: bool = False) -> str:
    """Return an outcome as a line: the metric, its score against the threshold, and why.

    strict: whether the metric was in strict mode, where only a perfect score passes.
    """
    place = f" (exchange {outcome.exchange})" if outcome.exchange else ""
    match outcome:
        case Score():
            if outcome.threshold is None or outcome.stated is not None:
                side = "passed" if outcome.passed else "failed"
            else:
                relation = "at least" if outcome.passed else "below"
                side = f"{relation} {outcome.threshold:g}{' (strict)' if strict else ''}"
            return f"  {outcome.metric}{place}: {outcome.score:.2f}, {side}. {outcome.reason}".rstrip()
        case Failure():
            return f"  {outcome.metric}{place}: could not be judged. {outcome.reason}"
        case Skipped():
            step = f" {NAME_A_JUDGE}" if outcome.reason == NO_JUDGE else ""
            return f"  {outcome.metric}{place}: skipped, {outcome.reason}.{step}"
