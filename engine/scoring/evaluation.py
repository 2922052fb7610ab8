"""evaluate and assert_test: judging cases from Python, kept as a run in the database.

`evaluate` shows its progress and prints the results unless told otherwise; `assert_test` raises. Both work
where an event loop runs already, as in a notebook.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from turnwise.conversations.results import Score
from turnwise.engine.metrics.explaining import explain, indicator
from turnwise.engine.metrics.metric import Metric, run_blocking
from turnwise.engine.metrics.own_metric import AnyMetric
from turnwise.engine.scoring.case_judging import (
    MOST_AT_ONCE,
    Judged,
    JudgingRules,
    Keeping,
    check_cases,
    judge_cases,
)
from turnwise.engine.scoring.checked_arguments import (
    CaseHolder,
    cases_of,
    checked_count,
    checked_name,
    checked_parameters,
    checked_seconds,
)
from turnwise.engine.scoring.configs import (
    AsyncConfig,
    CacheConfig,
    DisplayConfig,
    ErrorConfig,
    with_configs,
)
from turnwise.engine.scoring.evaluation_results import Case, EvaluationResult, TestResult, outcome_line
from turnwise.engine.scoring.test_run import current_test_run

if TYPE_CHECKING:
    from turnwise.engine.judge.judge import JudgeNamed


def evaluate(
    test_cases: Sequence[Case] | CaseHolder,
    metrics: Sequence[AnyMetric],
    hyperparameters: Mapping[str, Any] | None = None,
    identifier: str | None = None,
    run_async: bool = True,
    throttle_value: float = 0,
    max_concurrent: int = MOST_AT_ONCE,
    skip_on_missing_params: bool = False,
    ignore_errors: bool = False,
    verbose_mode: bool | None = None,
    write_cache: bool = True,
    use_cache: bool = False,
    show_indicator: bool = True,
    print_results: bool = True,
    *,
    judge: JudgeNamed = None,
    each_turn: bool = False,
    async_config: AsyncConfig | None = None,
    display_config: DisplayConfig | None = None,
    cache_config: CacheConfig | None = None,
    error_config: ErrorConfig | None = None,
) -> EvaluationResult:
    """Judge cases by metrics; see `a_evaluate` for what everything means."""
    done: EvaluationResult = run_blocking(
        a_evaluate(
            test_cases,
            metrics,
            hyperparameters,
            identifier,
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
            judge=judge,
            each_turn=each_turn,
            async_config=async_config,
            display_config=display_config,
            cache_config=cache_config,
            error_config=error_config,
        )
    )
    return done


async def a_evaluate(
    test_cases: Sequence[Case] | CaseHolder,
    metrics: Sequence[AnyMetric],
    hyperparameters: Mapping[str, Any] | None = None,
    identifier: str | None = None,
    run_async: bool = True,
    throttle_value: float = 0,
    max_concurrent: int = MOST_AT_ONCE,
    skip_on_missing_params: bool = False,
    ignore_errors: bool = False,
    verbose_mode: bool | None = None,
    write_cache: bool = True,
    use_cache: bool = False,
    show_indicator: bool = True,
    print_results: bool = True,
    *,
    judge: JudgeNamed = None,
    each_turn: bool = False,
    async_config: AsyncConfig | None = None,
    display_config: DisplayConfig | None = None,
    cache_config: CacheConfig | None = None,
    error_config: ErrorConfig | None = None,
) -> EvaluationResult:
    """Judge cases by metrics.

    test_cases: a list of one kind, or an EvaluationDataset. metrics: turnwise's, or your own, derived from
    Metric, BaseMetric or BaseConversationalMetric.
    hyperparameters, identifier: what to remember of the chatbot, and what to call the run.
    run_async: False asks one thing after the other. throttle_value: seconds to wait before each case.
    max_concurrent: the most cases under way at once; a judge has a limit of its own beside.
    skip_on_missing_params: skip a metric where a case lacks a field that it needs; otherwise CaseError names
    both before anything is judged. A case of which every metric was skipped has not passed.
    ignore_errors: what could not be judged does not keep a case from passing.
    verbose_mode: print how each score came about; None leaves it to each metric.
    write_cache: keep cases, scores and the judge's replies as a run in the database (TURNWISE_DB, or
    turnwise.db in your data folder), where `turnwise` shows them.
    use_cache: let what was judged before, as the database has it, serve again without asking the judge.
    show_indicator: show progress on standard error. print_results: print all results at the end.
    judge: for all metrics that name no model of their own, as `open_judge` takes it; else the usual one.
    each_turn: last-turn metrics judge every exchange of a conversation, not only the last.
    async_config, display_config, cache_config, error_config: the same settings in groups.

    Raises CaseError where cases of several kinds are mixed or a metric does not fit them, SettingError for
    settings that mean nothing, JudgeError where the judge is away, StoreError where nothing can be kept.
    """
    from turnwise.conversations.store import Store

    configs = {
        "async_config": async_config,
        "display_config": display_config,
        "cache_config": cache_config,
        "error_config": error_config,
    }
    given = {
        "run_async": run_async,
        "throttle_value": throttle_value,
        "max_concurrent": max_concurrent,
        "skip_on_missing_params": skip_on_missing_params,
        "ignore_errors": ignore_errors,
        "verbose_mode": verbose_mode,
        "write_cache": write_cache,
        "use_cache": use_cache,
        "show_indicator": show_indicator,
        "print_results": print_results,
    }
    settings = with_configs(given, _USUAL, configs)
    rules = JudgingRules(
        each_turn=each_turn,
        at_once=checked_count("max_concurrent", settings["max_concurrent"]),
        one_by_one=not settings["run_async"],
        pause=checked_seconds("throttle_value", settings["throttle_value"]),
        skip_missing=settings["skip_on_missing_params"],
        ignore_errors=settings["ignore_errors"],
        use_cache=settings["use_cache"],
    )
    cases = cases_of(test_cases)
    judging = check_cases(cases, metrics, rules)
    parameters = checked_parameters(hyperparameters)
    named = checked_name("identifier", identifier)
    keeps = settings["write_cache"]
    store = Store.open() if keeps or settings["use_cache"] else None
    try:
        keeping = Keeping(store, None, named, parameters) if store and keeps else None
        with indicator(len(cases) * len(judging), shown=settings["show_indicator"]) as advance:
            judged = await judge_cases(
                cases, judging, judge, rules, keeping=keeping, replies=store, advance=advance
            )
    finally:
        if store is not None:
            store.close()
    done = EvaluationResult(
        results=_results(cases, judging, judged, rules),
        run=judged.run,
        identifier=named,
        hyperparameters=parameters,
    )
    _explain(done, judging, verbose_mode=settings["verbose_mode"])
    if settings["print_results"]:
        print(done.as_text(shown=display_config.shown if display_config else "all"))
    return done


_USUAL = {
    name: parameter.default
    for name, parameter in inspect.signature(a_evaluate).parameters.items()
    if parameter.default is not parameter.empty
}


def assert_test(
    test_case: Case, metrics: Sequence[AnyMetric], run_async: bool = True, *, judge: JudgeNamed = None
) -> None:
    """Judge one case, and raise an AssertionError that says what did not pass and why.

    run_async: False asks one thing after the other. judge: as of `a_evaluate`. In `turnwise test run` the
    case becomes a part of that run, with its options; elsewhere nothing is kept. Raises CaseError where a
    metric does not fit the case, JudgeError where the judge is away.
    """
    # The line of the test that failed is what its author is shown, not ours.
    __tracebackhide__ = True
    run = current_test_run()
    rules = run.rules if run else JudgingRules()
    if not run_async:
        rules = replace(rules, one_by_one=True)
    judging = check_cases([test_case], metrics, rules)
    keeping = run.keeping() if run else None
    judged = run_blocking(
        judge_cases(
            [test_case],
            judging,
            run.judge if run and judge is None else judge,
            rules,
            keeping=keeping,
            judges_for=run.judges_for if run else (),
            replies=keeping.store if keeping else None,
        )
    )
    [result] = _results([test_case], judging, judged, rules)
    if run is not None:
        run.note(result)
    if result.success:
        return
    strict = {metric.name for metric in judging if metric.strict_mode}
    told = [outcome_line(outcome, strict=outcome.metric in strict) for outcome in result.problems]
    if not told:
        raise AssertionError("No metric applies to the case, so none passed.")
    raise AssertionError("\n".join([f"{len(told)} of {len(result.outcomes)} metrics do not pass:", *told]))


def _results(
    cases: Sequence[Case], metrics: Sequence[Metric], judged: Judged, rules: JudgingRules
) -> tuple[TestResult, ...]:
    return tuple(
        TestResult(
            case,
            outcomes,
            skips_allowed=rules.skip_missing,
            errors_ignored=rules.ignore_errors,
            strict=frozenset(metric.name for metric in metrics if metric.strict_mode),
            judges=judged.judges,
        )
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
