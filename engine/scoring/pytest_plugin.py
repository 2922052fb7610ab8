"""The pytest plugin: cases that tests assert become one run in the database, also under pytest-xdist.

`turnwise test run` turns it on; in plain pytest it does nothing. Every process writes its own cases as they
are judged, to a run that the first process begins and ends.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from turnwise.conversations.store import Store
    from turnwise.engine.scoring.test_run import TestRun

_ON = "--turnwise"
_RUN_OF_WORKER = "turnwise_run"
_RESULTS = "turnwise"
_REPEAT = "_turnwise_repetition"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options of `turnwise test run`."""
    group = parser.getgroup("turnwise", "turnwise: keep the cases that assert_test judges as a run")
    group.addoption(_ON, action="store_true", help="keep them, and sum them up by metric")
    group.addoption("--turnwise-db", metavar="FILE", help="the database (default: TURNWISE_DB)")
    group.addoption("--turnwise-identifier", default="", metavar="NAME", help="what to call the run")
    group.addoption(
        "--turnwise-judge", metavar="JUDGE", help="for metrics that name none (default: the usual)"
    )
    group.addoption(
        "--turnwise-judge-for", action="append", default=[], metavar="METRIC=JUDGE", help="for one metric"
    )
    group.addoption("--turnwise-cache", action="store_true", help="let earlier judgements serve again")
    group.addoption(
        "--turnwise-ignore-errors", action="store_true", help="what cannot be judged fails no test"
    )
    group.addoption(
        "--turnwise-skip-missing", action="store_true", help="skip metrics that lack a field of the case"
    )
    group.addoption("--turnwise-verbose", action="store_true", help="say how each score came about")
    group.addoption("--turnwise-repeat", type=int, default=1, metavar="N", help="run every test N times")
    group.addoption(
        "--turnwise-display", choices=("all", "failing", "passing"), default="failing", help="cases to list"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Turn the plugin on where it is asked for."""
    if config.getoption(_ON):
        config.pluginmanager.register(Recorder(config), "turnwise-recorder")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make of every test as many as it is to be repeated."""
    count = metafunc.config.getoption("--turnwise-repeat")
    if count > 1:
        metafunc.fixturenames.append(_REPEAT)
        metafunc.parametrize(_REPEAT, range(1, count + 1), ids=lambda number: f"{number} of {count}")


@pytest.fixture(name=_REPEAT)
def repetition(request: pytest.FixtureRequest) -> Any:
    """Stand for the number of a repetition, so that a test may be made for each."""
    return getattr(request, "param", 1)


class Recorder:
    """Keeps a test session's cases as one run. config: the session's, of the first process or a worker."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._stack = ExitStack()
        self._begun: TestRun | None = None
        self._tested = False
        self._lines: list[str] = []

    @property
    def _worker(self) -> dict[str, Any] | None:
        """What the first process told this worker; None in the first process."""
        return getattr(self._config, "workerinput", None)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Begin the run, or go on with the one that the first process began."""
        from turnwise.conversations.store import Store
        from turnwise.engine.scoring.case_judging import JudgingRules
        from turnwise.engine.scoring.judges import JudgeFor
        from turnwise.engine.scoring.test_run import TestRun, under_way

        option = self._config.getoption
        named = option("--turnwise-db")
        store = self._stack.enter_context(Store.open(Path(named) if named else None))
        worker = self._worker
        run = worker[_RUN_OF_WORKER] if worker else _begin(store, option("--turnwise-identifier"))
        rules = JudgingRules(
            skip_missing=option("--turnwise-skip-missing"),
            ignore_errors=option("--turnwise-ignore-errors"),
            use_cache=option("--turnwise-cache"),
        )
        judges_for = tuple(map(JudgeFor.of, option("--turnwise-judge-for")))
        self._begun = self._stack.enter_context(
            under_way(TestRun(store, run, rules, option("--turnwise-judge"), judges_for))
        )

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        """Tell a worker of pytest-xdist which run it is a part of."""
        if self._begun is not None:
            node.workerinput[_RUN_OF_WORKER] = self._begun.run

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None]:
        """Take note of what the cases of a test came to, for the report of the test."""
        begun = self._begun
        if begun is None:
            return (yield)
        begun.results.clear()
        try:
            return (yield)
        finally:
            for result in begun.results:
                lines = _told(item, result, verbose=self._config.getoption("--turnwise-verbose"))
                item.user_properties.append((_RESULTS, [result.success, lines]))

    def pytest_runtest_logstart(self) -> None:
        """Take note that a test began, here or in a worker."""
        self._tested = True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Gather the cases that are to be listed; reports of workers come in here too."""
        if report.when != "call" or self._worker:
            return
        shown = self._config.getoption("--turnwise-display")
        for name, value in report.user_properties:
            if name == _RESULTS and isinstance(value, list):
                success, lines = value
                if shown == "all" or (shown == "passing") is bool(success):
                    self._lines += lines

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Let a judge that was named for a metric which no test judged by be wrong use, once all is done."""
        if self._begun is None or self._worker or not self._tested:
            return
        self._lines += (unused := unused_judges(self._begun))
        if unused and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """List cases and sum up by metric, counted from what is stored."""
        from turnwise.conversations.safe_text import make_safe

        if self._begun is None or self._worker or not self._tested:
            return
        terminalreporter.section("turnwise")
        for line in [*self._lines, *summary(self._begun.store, self._begun.run)]:
            terminalreporter.write_line(make_safe(line))

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """End the run, and close the database; a run of which no test began is none."""
        if self._begun is not None and not self._worker:
            runs = self._begun.store.runs
            if self._tested or not runs.drop_empty(self._begun.run):
                runs.finish(self._begun.run)
        self._stack.close()


def _begin(store: Store, identifier: str) -> int:
    return store.runs.begin(judge="none", metrics=[], name=identifier)


def unused_judges(run: TestRun) -> list[str]:
    """Say of each judge that was named for a metric which no case was judged by that it had nothing to do."""
    from turnwise.engine.metrics.metric_names import same_name

    names = [row.metric for row in run.store.runs.by_metric(run.run)]
    used = ", ".join(names) or "none"
    return [
        f"! --judge-for {one.metric}: no test judged by that metric; they judged by {used}."
        for one in run.judges_for
        if same_name(one.metric, names) is None
    ]


def _told(item: pytest.Item, result: Any, *, verbose: bool) -> list[str]:
    from turnwise.conversations.results import Score
    from turnwise.engine.metrics.explaining import explain
    from turnwise.engine.scoring.evaluation_results import outcome_line

    lines = [f"{'✓' if result.success else '✗'} {item.nodeid}"]
    for outcome in result.outcomes:
        told = explain(outcome) if verbose and isinstance(outcome, Score) else outcome_line(outcome)
        lines += [f"  {line.strip()}" for line in told.splitlines()]
    return lines


def summary(store: Store, run_id: int) -> list[str]:
    """Return the outcomes of a run by metric, a line each, and how to look at them."""
    counted = store.runs.by_metric(run_id)
    if not counted:
        return ["No case was judged by assert_test."]
    lines = []
    for row in counted:
        told = f"{row.metric}: {row.passed} of {row.scores} passed"
        if row.mean is not None:
            told += f", mean {row.mean:.2f}"
        for count, word in ((row.failures, "could not be judged"), (row.skipped, "skipped")):
            if count:
                told += f", {count} {word}"
        lines.append(told)
    return [*lines, f"Run {run_id} is kept; `turnwise` shows its cases."]
