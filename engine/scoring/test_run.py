"""The test run that goes on in this process: what `assert_test` adds its cases to, if pytest began one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from turnwise.engine.scoring.case_judging import JudgingRules, Keeping
from turnwise.engine.scoring.checked_arguments import checked_parameters
from turnwise.engine.scoring.evaluation_results import TestResult
from turnwise.engine.scoring.judges import JudgeFor

if TYPE_CHECKING:
    from turnwise.conversations.store import Store

_Function = TypeVar("_Function", bound=Callable[[], Mapping[str, Any]])


@dataclass(slots=True)
class TestRun:
    """A run of tests under way. judge: for metrics that name none, None for the usual one.

    judges_for: those of single metrics that name none. results: of the test that runs at the moment.
    """

    __test__ = False

    store: Store
    run: int
    rules: JudgingRules
    judge: str | None = None
    judges_for: tuple[JudgeFor, ...] = ()
    results: list[TestResult] = field(default_factory=list)

    def keeping(self) -> Keeping:
        """Return where the cases of this run are kept."""
        return Keeping(self.store, self.run)

    def note(self, result: TestResult) -> None:
        """Take in what came of a case."""
        self.results.append(result)


_CURRENT: ContextVar[TestRun | None] = ContextVar("turnwise_test_run", default=None)


def current_test_run() -> TestRun | None:
    """Return the test run that goes on; None outside `turnwise test run`."""
    return _CURRENT.get()


@contextmanager
def under_way(run: TestRun) -> Iterator[TestRun]:
    """Make a test run the one that goes on."""
    token = _CURRENT.set(run)
    try:
        yield run
    finally:
        _CURRENT.reset(token)


def log_hyperparameters(
    model: str | None = None, prompt_template: str | None = None, **others: Any
) -> Callable[[_Function], _Function]:
    """Decorate a function that returns hyperparameters, to have them remembered with the test run.

    model, prompt_template, others: hyperparameters beside those it returns. Outside a test run the function
    is not called.
    """

    def decorate(function: _Function) -> _Function:
        run = current_test_run()
        if run is not None:
            returned = checked_parameters(function())
            named = checked_parameters({"model": model, "prompt_template": prompt_template, **others})
            given = {**named, **returned}
            run.store.runs.remember(
                run.run, {name: value for name, value in given.items() if value is not None}
            )
        return function

    return decorate
