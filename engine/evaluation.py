"""evaluate and assert_test: judging cases from Python, without a database.

Nothing is printed. Both work where an event loop runs already, as in a notebook.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase
from turnwise.conversations.errors import CaseError
from turnwise.conversations.results import Failure, Outcome, Score, Skipped
from turnwise.engine.metrics.metric import Metric, check_pairing, run_blocking
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.runner import Unit, judge_units

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import Judge

Case = ConversationalTestCase | LLMTestCase


@dataclass(frozen=True, slots=True)
class TestResult:
    """What all metrics found about one case. It passes only if every metric gave a score that passes."""

    __test__ = False  # pytest would take a class of this name for a test.

    case: Case
    outcomes: tuple[Outcome, ...]

    @property
    def name(self) -> str | None:
        """The case's own name."""
        return self.case.name

    @property
    def success(self) -> bool:
        """Whether every metric passed; a skipped or failed metric does not pass."""
        return all(isinstance(outcome, Score) and outcome.passed for outcome in self.outcomes)


@dataclass(frozen=True, slots=True)
class EvaluationResult:
    """The results of all cases, in the order the cases were given."""

    results: tuple[TestResult, ...]

    @property
    def success(self) -> bool:
        """Whether every case passed."""
        return all(result.success for result in self.results)


def evaluate(
    test_cases: Sequence[Case],
    metrics: Sequence[Metric],
    *,
    judge: Judge | str | None = None,
    each_turn: bool = False,
) -> EvaluationResult:
    """Judge cases by metrics.

    judge: for all metrics that name no model of their own; see `choose_judge` for what a text means.
    each_turn: last-turn metrics judge every exchange of a conversation, not only the last.
    Raises CaseError where cases of both kinds are mixed or a metric does not fit them, JudgeError where the
    judge is away.
    """
    done: EvaluationResult = run_blocking(a_evaluate(test_cases, metrics, judge=judge, each_turn=each_turn))
    return done


async def a_evaluate(
    test_cases: Sequence[Case],
    metrics: Sequence[Metric],
    *,
    judge: Judge | str | None = None,
    each_turn: bool = False,
) -> EvaluationResult:
    """Judge cases by metrics; see `evaluate`."""
    from turnwise.engine.judge.choose import open_judge

    _check(test_cases, metrics)
    found: dict[tuple[int, int], list[Outcome]] = {}
    # Metrics with a judge of their own are judged apart from the rest, each group by its judge.
    groups: dict[int, tuple[Judge | str | None, list[Metric]]] = {}
    for metric in metrics:
        chosen = judge if metric.model is None else metric.model
        groups.setdefault(id(chosen), (chosen, []))[1].append(metric)
    for chosen, group in groups.values():
        needed = any(metric.uses_judge for metric in group)
        async with open_judge(chosen, needed=needed) as opened:
            units = _units(test_cases, group, each_turn=each_turn)
            secret = opened.secret if opened else ""
            async with aclosing(judge_units(units, opened, secret=secret)) as landing:
                async for unit, outcome in landing:
                    found.setdefault((unit.session, id(unit.metric)), []).append(outcome)
    return EvaluationResult(
        tuple(
            TestResult(
                case,
                tuple(outcome for metric in metrics for outcome in _in_order(found[(place, id(metric))])),
            )
            for place, case in enumerate(test_cases)
        )
    )


def assert_test(test_case: Case, metrics: Sequence[Metric], *, judge: Judge | str | None = None) -> None:
    """Judge one case, and raise an AssertionError that says what did not pass and why."""
    result = evaluate([test_case], metrics, judge=judge).results[0]
    failed = [
        _line(outcome) for outcome in result.outcomes if not (isinstance(outcome, Score) and outcome.passed)
    ]
    if failed:
        raise AssertionError(
            "\n".join([f"{len(failed)} of {len(result.outcomes)} metrics do not pass:", *failed])
        )


def _check(cases: Sequence[Case], metrics: Sequence[Metric]) -> None:
    if not cases:
        raise CaseError("There is no test case to judge")
    if not metrics:
        raise CaseError("There is no metric to judge by")
    kinds = {type(case).__name__ for case in cases}
    if len(kinds) > 1:
        raise CaseError(
            "Single exchanges and conversations cannot be judged in one run",
            detail=f"Given: {' and '.join(sorted(kinds))}",
            next_step="Judge each kind in a run of its own.",
        )
    for case in cases:
        for metric in metrics:
            check_pairing(metric, case)


async def _units(cases: Sequence[Case], metrics: Sequence[Metric], *, each_turn: bool) -> AsyncIterator[Unit]:
    for place, case in enumerate(cases):
        whole = Subject.of(case)
        for metric in metrics:
            for subject in metric.subjects(whole, each_turn=each_turn) or [whole]:
                yield Unit(place, metric, subject)


def _in_order(outcomes: Sequence[Outcome]) -> list[Outcome]:
    return sorted(outcomes, key=lambda outcome: outcome.exchange or 0)


def _line(outcome: Outcome) -> str:
    place = f" (exchange {outcome.exchange})" if outcome.exchange else ""
    match outcome:
        case Score():
            found = f"{outcome.score:.2f}, below {outcome.threshold:g}. {outcome.reason}"
            return f"  {outcome.metric}{place}: {found}"
        case Failure():
            return f"  {outcome.metric}{place}: could not be judged. {outcome.reason}"
        case Skipped():
            return f"  {outcome.metric}{place}: skipped, {outcome.reason}."
