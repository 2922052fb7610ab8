"""evaluate and assert_test: judging cases from Python, kept as a run in the database.

Nothing is printed unless asked. Both work where an event loop runs already, as in a notebook.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from turnwise.conversations.results import Score
from turnwise.engine.metrics.metric import Metric, explain, run_blocking
from turnwise.engine.scoring.case_judging import (
    MOST_AT_ONCE,
    Judged,
    JudgingRules,
    Keeping,
    check_cases,
    judge_cases,
)
from turnwise.engine.scoring.evaluation_results import Case, EvaluationResult, TestResult, outcome_line
from turnwise.engine.scoring.test_run import current_test_run

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import Judge


def evaluate(
    test_cases: Sequence[Case],
    metrics: Sequence[Metric],
    hyperparameters: Mapping[str, str | int | float] | None = None,
    identifier: str | None = None,
    *,
    judge: Judge | str | None = None,
    each_turn: bool = False,
    run_async: bool = True,
    throttle_value: float = 0,
    max_concurrent: int = MOST_AT_ONCE,
    skip_on_missing_params: bool = False,
    ignore_errors: bool = False,
    verbose_mode: bool | None = None,
    write_cache: bool = True,
    use_cache: bool = False,
    show_indicator: bool = False,
    print_results: bool = False,
) -> EvaluationResult:
    """Judge cases by metrics; see `a_evaluate` for what everything means."""
    done: EvaluationResult = run_blocking(
        a_evaluate(
            test_cases,
            metrics,
            hyperparameters,
            identifier,
            judge=judge,
            each_turn=each_turn,
            run_async=run_async,
            throttle_value=throttle_value,
            max_concurrent=max_concurrent,
            skip_on_missing_params=skip_on_missing_params,
            ignore_errors=ignore_errors,
            verbose_mode=verbose_mode,
            write_cache=write_cache,
            use_cache=use_cache,
            show_indicator=show_indicator,
            print_results=print_results,
        )
    )
    return done


async def a_evaluate(
    test_cases: Sequence[Case],
    metrics: Sequence[Metric],
    hyperparameters: Mapping[str, str | int | float] | None = None,
    identifier: str | None = None,
    *,
    judge: Judge | str | None = None,
    each_turn: bool = False,
    run_async: bool = True,
    throttle_value: float = 0,
    max_concurrent: int = MOST_AT_ONCE,
    skip_on_missing_params: bool = False,
    ignore_errors: bool = False,
    verbose_mode: bool | None = None,
    write_cache: bool = True,
    use_cache: bool = False,
    show_indicator: bool = False,
    print_results: bool = False,
) -> EvaluationResult:
    """Judge cases by metrics.

    hyperparameters, identifier: what to remember of the chatbot, and what to call the run.
    judge: for all metrics that name no model of their own; see `choose_model` for what a text means.
    each_turn: last-turn metrics judge every exchange of a conversation, not only the last.
    run_async: False judges one case after the other. throttle_value: seconds to wait before each case.
    max_concurrent: the most cases under way at once; a judge has a limit of its own beside.
    skip_on_missing_params: skip a metric where a case lacks a field that it needs; otherwise CaseError names
    both before anything is judged. A case of which every metric was skipped has not passed.
    ignore_errors: what could not be judged does not keep a case from passing.
    verbose_mode: print how each score came about; None leaves it to each metric.
    write_cache: keep cases, scores and the judge's replies as a run in the database (TURNWISE_DB, or
    turnwise.db in your data folder), where `turnwise` shows them.
    use_cache: let what was judged before, as the database has it, serve again without asking the judge.
    show_indicator: show progress on standard error. print_results: print all results at the end.

    Raises CaseError where cases of several kinds are mixed or a metric does not fit them, SettingError where
    two metrics have one name, JudgeError where the judge is away, StoreError where nothing can be kept.
    """
    from turnwise.conversations.store import Store

    rules = JudgingRules(
        each_turn=each_turn,
        at_once=max_concurrent if run_async else 1,
        pause=throttle_value,
        skip_missing=skip_on_missing_params,
        ignore_errors=ignore_errors,
        use_cache=use_cache,
    )
    check_cases(test_cases, metrics, rules)
    parameters = dict(hyperparameters or {})
    store = Store.open() if write_cache or use_cache else None
    try:
        keeping = Keeping(store, None, identifier or "", parameters) if store and write_cache else None
        with _indicator(len(test_cases) * len(metrics), shown=show_indicator) as advance:
            judged = await judge_cases(
                test_cases, metrics, judge, rules, keeping=keeping, replies=store, advance=advance
            )
    finally:
        if store is not None:
            store.close()
    done = EvaluationResult(
        results=_results(test_cases, judged, rules),
        run=judged.run,
        identifier=identifier or "",
        hyperparameters=parameters,
    )
    _explain(done, metrics, verbose_mode=verbose_mode)
    if print_results:
        print(done.as_text())
    return done


def assert_test(
    test_case: Case, metrics: Sequence[Metric], run_async: bool = True, *, judge: Judge | str | None = None
) -> None:
    """Judge one case, and raise an AssertionError that says what did not pass and why.

    run_async: False judges by one metric after the other. In `turnwise test run` the case becomes a part of
    that run, with its options; elsewhere nothing is kept. Raises CaseError where a metric does not fit the
    case, JudgeError where the judge is away.
    """
    # The line of the test that failed is what its author is shown, not ours.
    __tracebackhide__ = True
    run = current_test_run()
    rules = run.rules if run else JudgingRules()
    if not run_async:
        rules = replace(rules, at_once=1)
    check_cases([test_case], metrics, rules)
    keeping = run.keeping() if run else None
    judged = run_blocking(
        judge_cases(
            [test_case], metrics, judge, rules, keeping=keeping, replies=keeping.store if keeping else None
        )
    )
    [result] = _results([test_case], judged, rules)
    if run is not None:
        run.note(result)
    if result.success:
        return
    strict = {metric.name for metric in metrics if metric.strict_mode}
    told = [outcome_line(outcome, strict=outcome.metric in strict) for outcome in result.problems]
    if not told:
        raise AssertionError("No metric applies to the case, so none passed.")
    raise AssertionError("\n".join([f"{len(told)} of {len(result.outcomes)} metrics do not pass:", *told]))


def _results(cases: Sequence[Case], judged: Judged, rules: JudgingRules) -> tuple[TestResult, ...]:
    return tuple(
        TestResult(case, outcomes, skips_allowed=rules.skip_missing, errors_ignored=rules.ignore_errors)
        for case, outcomes in zip(cases, judged.outcomes, strict=True)
    )


def _explain(done: EvaluationResult, metrics: Sequence[Metric], *, verbose_mode: bool | None) -> None:
    """Print how scores came about, of the metrics that are to tell."""
    telling = {
        metric.name for metric in metrics if (metric.verbose_mode if verbose_mode is None else verbose_mode)
    }
    for result in done.results:
        for outcome in result.outcomes:
            if outcome.metric in telling and isinstance(outcome, Score):
                print(explain(outcome))


@contextmanager
def _indicator(expected: int, *, shown: bool) -> Iterator[Callable[[], None] | None]:
    """Give what counts an outcome on standard error; None where nothing is to be shown."""
    if not shown:
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(file=sys.stderr), transient=True) as progress:
        task = progress.add_task("judging", total=expected)
        yield lambda: progress.advance(task)
