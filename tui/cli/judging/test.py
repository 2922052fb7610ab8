"""turnwise test: tests with assert_test, run by pytest and kept as a run."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwise.conversations.errors import SettingError

if TYPE_CHECKING:
    import pytest

_EPILOG = """\b
Examples:
  turnwise test run test_chatbot.py
  turnwise test run tests/ -n 4 --identifier nightly
  turnwise test run test_chatbot.py::test_refund -v -d all
  turnwise test run tests/ --judge http://127.0.0.1:11434/v1#qwen3
  turnwise test run tests/ --judge-for faithfulness=http://127.0.0.1:11434/v1#bespoke-minicheck
  turnwise test run tests/ -- --durations 5

\b
What follows -- goes to pytest as it stands. Exit code 1: a test failed; 2: a file of tests cannot be read.
"""
_INSTALL = "pip install 'turnwise[test]'"


@click.group(epilog="\b\nExamples:\n  turnwise test run tests/ -n 4")
def command() -> None:
    """Run tests that judge conversations."""


@command.command("run", epilog=_EPILOG)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("-n", "--num-processes", type=click.IntRange(min=1), metavar="N", help="Run in N processes.")
@click.option("-r", "--repeat", type=click.IntRange(min=1), metavar="N", help="Run every test N times.")
@click.option("-c", "--use-cache", is_flag=True, help="Let what was judged before serve again.")
@click.option("-i", "--ignore-errors", is_flag=True, help="What could not be judged fails no test.")
@click.option(
    "-s", "--skip-on-missing-params", is_flag=True, help="Skip metrics that lack a field of the case."
)
@click.option("-v", "--verbose", is_flag=True, help="Say how each score came about.")
@click.option(
    "-d",
    "--display",
    type=click.Choice(["all", "failing", "passing"]),
    default="failing",
    help="Which cases to list at the end.",
)
@click.option("-m", "--mark", metavar="EXPRESSION", help="Only tests with these pytest marks.")
@click.option("-id", "--identifier", metavar="NAME", help="What to call the run.")
@click.option("--judge", metavar="JUDGE", help="The judge of metrics that name none.")
@click.option(
    "--judge-for",
    multiple=True,
    metavar="METRIC=JUDGE",
    help="The judge of one metric, where the metric names none. May be given several times.",
)
@click.option("-x", "--exit-on-first-failure", is_flag=True, help="Stop at the first test that fails.")
@click.pass_context
def run_tests(
    context: click.Context,
    paths: tuple[str, ...],
    num_processes: int | None,
    repeat: int | None,
    use_cache: bool,
    ignore_errors: bool,
    skip_on_missing_params: bool,
    verbose: bool,
    display: str,
    mark: str | None,
    identifier: str | None,
    judge: str | None,
    judge_for: tuple[str, ...],
    exit_on_first_failure: bool,
) -> None:
    """Run tests by pytest, keep every case that they judge, and sum up by metric."""
    if find_spec("pytest") is None:
        raise SettingError(
            "Tests are run by pytest, which is not here", next_step="pip install 'turnwise[test]'"
        )
    if num_processes is not None and find_spec("xdist") is None:
        raise SettingError("Several processes need pytest-xdist, which is not here", next_step=_INSTALL)
    import pytest

    from turnwise.engine.scoring.judges import JudgeFor

    for text in judge_for:
        # A slip is told before pytest begins.
        JudgeFor.of(text)
    database: Path | None = context.find_root().obj
    arguments = [*paths, "--turnwise", "--turnwise-display", display]
    flags = {
        "--turnwise-cache": use_cache,
        "--turnwise-ignore-errors": ignore_errors,
        "--turnwise-skip-missing": skip_on_missing_params,
        "--turnwise-verbose": verbose,
        "-x": exit_on_first_failure,
    }
    values = {
        "-n": num_processes,
        "--turnwise-repeat": repeat,
        "-m": mark,
        "--turnwise-identifier": identifier,
        "--turnwise-judge": judge,
        "--turnwise-db": database,
    }
    arguments += [flag for flag, on in flags.items() if on]
    for name, value in values.items():
        arguments += [] if value is None else [name, str(value)]
    arguments += [f"--turnwise-judge-for={text}" for text in judge_for]
    ending = _Ending()
    code = int(pytest.main(arguments, plugins=[ending]))
    # pytest's own codes: 1 a failure, 2 no end, 3 broken inside, 4 wrong use, 5 no test at all.
    context.exit({0: 0, 1: ending.code, 2: ending.code, 3: 3}.get(code, 2))


class _Ending:
    """Finds out why pytest ended: one of its exit codes stands for ctrl+c and for other ends as well."""

    def __init__(self) -> None:
        self.code = 1

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Take note of a file that cannot be read."""
        if report.failed:
            self.code = 2

    def pytest_keyboard_interrupt(self, excinfo: pytest.ExceptionInfo[BaseException]) -> None:
        """Take note that a person pressed ctrl+c; pytest's own stops are subclasses of KeyboardInterrupt."""
        import pytest

        if excinfo.type is KeyboardInterrupt or issubclass(excinfo.type, pytest.exit.Exception):
            self.code = 130
