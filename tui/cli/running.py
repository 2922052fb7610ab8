"""turnwise run: a file of test cases, answered, checked and kept."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from turnwise.conversations.errors import JudgeError, SettingError, TurnwiseError
from turnwise.conversations.store import Store
from turnwise.conversations.suites import Check, Suite, TargetSpec
from turnwise.tui.cli.options import json_option, open_store
from turnwise.tui.cli.output import Progress, emit, narrate, say

if TYPE_CHECKING:
    from turnwise.engine.judge.settings import JudgeSettings
    from turnwise.engine.suites.results import CaseResult
    from turnwise.engine.suites.running import CaseRun

_MARKS = {"pass": "✓", "fail": "✗", "failure": "!", "skipped": "–"}
_TOLD = {"pass": "passed", "fail": "failed", "failure": "could not be run or checked", "skipped": "skipped"}
_MOST_WARNINGS = 10

_EPILOG = """\b
Examples:
  turnwise run promptfooconfig.yaml
  turnwise run promptfooconfig.yaml --target http://127.0.0.1:11434/v1#llama3 --judge embedded
  turnwise run promptfooconfig.yaml --filter-metadata category=billing --json

\b
FILE is a configuration of promptfoo. An answer that the file holds is taken; else --target answers, or what
the file names where that is echo, or openai:MODEL and OPENAI_API_KEY is set.
TARGET is a URL (URL#MODEL), openai:MODEL, embedded[:NAME], a .gguf file, or echo.

\b
Every case is kept as a session. Nothing in a file is run as code, but for inline JavaScript in a sandbox.
Exit code 1: a case did not pass, or could not be run or checked.
"""


@click.command(epilog=_EPILOG)
@click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(dir_okay=False, path_type=Path)
)
@click.option("--target", "target_name", metavar="TARGET", help="The chatbot that answers, for all cases.")
@click.option("--judge", "judge_name", metavar="JUDGE", help="The model that judges, or none.")
@click.option("--compat", is_flag=True, help="Do as promptfoo does where turnwise is stricter.")
@click.option(
    "--filter-metadata",
    "filters",
    multiple=True,
    metavar="KEY=TEXT",
    help="Only cases with this text in this entry of their metadata. May be given several times.",
)
@json_option
@click.pass_context
def command(
    context: click.Context,
    files: tuple[Path, ...],
    target_name: str | None,
    judge_name: str | None,
    compat: bool,
    filters: tuple[str, ...],
    as_json: bool,
) -> None:
    """Run a file of test cases: load, let the target answer, check."""
    wanted = [_filter(text) for text in filters]
    suites = [_loaded(path, wanted, target_name, compat=compat) for path in files]
    store = open_store(context)
    context.exit(asyncio.run(_run(store, suites, target_name, judge_name, compat=compat, as_json=as_json)))


def _filter(text: str) -> tuple[str, str]:
    key, mark, value = text.partition("=")
    if not mark or not key:
        raise SettingError(
            "A filter on metadata is KEY=TEXT",
            detail=f"given {text!r}",
            next_step="Write it as in --filter-metadata category=billing.",
        )
    return key, value


def _loaded(path: Path, filters: Sequence[tuple[str, str]], target: str | None, *, compat: bool) -> Suite:
    """Read a file and select its cases. Raises InputError where none is left."""
    # Templates, YAML and tables take a while to import.
    from turnwise.conversations.formats.promptfoo import load_suite
    from turnwise.engine.suites.selecting import for_target, with_metadata

    suite = load_suite(path, compat=compat, root=_root(path))
    chosen = with_metadata(suite, filters) if filters else suite
    if not chosen.cases and not compat:
        if suite.cases:
            raise SettingError(
                f"The filter selects no case of {path.name}",
                detail=f"{', '.join('='.join(one) for one in filters)}; {len(suite.cases):,} without it",
                next_step="Correct the filter: capitals count, and the text must stand in the value.",
            )
        raise SettingError(f"{path.name} holds no case", next_step="Give it tests.")
    return chosen if target is None else for_target(chosen, TargetSpec(id=target))


def _root(path: Path) -> Path | None:
    """Return the folder that a file's names may not leave: the working directory, where the file is below."""
    here = Path.cwd().resolve()
    # All of a person's files, or of a machine's, are no border.
    wide = here in (Path(here.anchor), Path.home().resolve())
    return here if path.resolve().is_relative_to(here) and not wide else None


@dataclass(slots=True)
class _Tally:
    """What a run has brought so far."""

    expected: int
    outcomes: Counter[str] = field(default_factory=Counter)
    named: list[CaseResult] = field(default_factory=list)

    def add(self, run: CaseRun) -> None:
        self.outcomes[run.result.outcome] += 1
        if run.result.named_scores:
            self.named.append(run.result)

    def line(self) -> str:
        return f"running {self.outcomes.total():,} of {self.expected:,} · ctrl+c stops"

    def summary(self) -> str:
        told = [
            f"{count:,} {_TOLD[word]}" for word in _TOLD if (count := self.outcomes[word]) or word == "pass"
        ]
        return f"{', '.join(told)}."


async def _run(
    store: Store,
    suites: Sequence[Suite],
    target_name: str | None,
    judge_name: str | None,
    *,
    compat: bool,
    as_json: bool,
) -> int:
    from turnwise.engine.evidence import StoredCallBook
    from turnwise.engine.judge.choose import open_judge
    from turnwise.engine.suites.answering import ECHO, Answerer
    from turnwise.engine.suites.running import run_suite
    from turnwise.engine.targets import Target, choose_target

    needed = any(_needs_judge(check) for suite in suites for case in suite.cases for check in case.checks)
    settings = await _judge(judge_name) if needed else None
    tally, progress = _Tally(sum(len(suite.cases) for suite in suites)), Progress()
    asks = target_name is not None and target_name != ECHO
    target = Target(await choose_target(target_name)) if asks else None
    rejected = sum(len(suite.settings.get("rejected") or ()) for suite in suites)
    try:
        async with (
            AsyncExitStack() as stack,
            Answerer(target) as answerer,
            open_judge(settings, needed=settings is not None, book=StoredCallBook(store)) as judge,
        ):
            if target is not None and tally.expected:
                await (await stack.enter_async_context(target)).open()
            for suite in suites:
                _warn(suite)
                runs = run_suite(suite, answerer, judge=judge, store=store, compat=compat)
                async with aclosing(runs) as landing:
                    async for run in landing:
                        tally.add(run)
                        if as_json:
                            emit({"source": suite.source.name, **run.data()})
                        else:
                            progress.clear()
                            say(_line(run))
                        progress.show(tally.line())
    except asyncio.CancelledError:
        progress.clear()
        narrate(f"{tally.summary()}\nInterrupted. The cases that were answered are kept as sessions.")
        return 130
    except JudgeError:
        progress.clear()
        narrate(tally.summary())
        raise
    progress.clear()
    for line in _metrics(suites, tally):
        narrate(line)
    narrate(tally.summary())
    passed = tally.outcomes["pass"] == tally.outcomes.total() and not rejected
    return 0 if passed else 1


async def _judge(name: str | None) -> JudgeSettings | None:
    from turnwise.engine.judge.choose import choose_judge

    settings = await choose_judge(name)
    if settings is None:
        narrate("Judge: none; checks that need one are skipped")
    else:
        narrate(f"Judge: {settings.model}")
    return settings


def _needs_judge(check: Check) -> bool:
    from turnwise.engine.suites.registry import judged_function

    return judged_function(check.type) is not None or any(map(_needs_judge, check.children))


def _warn(suite: Suite) -> None:
    from turnwise.engine.suites.running import in_one_line

    for warning in suite.warnings[:_MOST_WARNINGS]:
        narrate(f"Warning: {in_one_line(warning)}")
    if any(case.options.get("storeOutputAs") for case in suite.cases):
        narrate("Warning: storeOutputAs is not followed; later cases do not see that output.")
    if len(suite.warnings) > _MOST_WARNINGS:
        narrate(f"Warning: and {len(suite.warnings) - _MOST_WARNINGS:,} more")


def _line(run: CaseRun) -> str:
    """Return a case as a line: its mark, its number and name, its score, and what first went wrong."""
    case, result = run.case, run.result
    wrong = next((check.reason for check in result.checks if not check.passed), result.reason)
    told = "" if result.outcome == "pass" else f"  {_short(wrong, 200)}"
    name = _short(case.description or run.prompt, 60)
    return f"{case.index:>5}  {_MARKS[result.outcome]} {name}  {result.score:.2f}{told}"


def _short(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def _metrics(suites: Sequence[Suite], tally: _Tally) -> list[str]:
    """Return the metrics of all cases, with those that a file derives from them, a line each."""
    from turnwise.engine.suites.running import in_one_line
    from turnwise.engine.suites.totals import derive_metrics, total_metrics

    sums = total_metrics(tally.named)
    try:
        definitions = [one for suite in suites for one in _derived(suite)]
        sums |= derive_metrics(definitions, sums, cases=tally.outcomes.total())
    except TurnwiseError as error:
        narrate(f"Warning: {in_one_line(str(error))}")
    return [f"{name}: {value:.4g}" for name, value in sums.items()]


def _derived(suite: Suite) -> list[dict[str, Any]]:
    """Return the metrics that a file derives. Raises SettingError where it does not list any as it should."""
    listed = suite.settings.get("derivedMetrics") or []
    if not isinstance(listed, list) or not all(isinstance(one, dict) for one in listed):
        raise SettingError(
            f"{suite.source.name}: derivedMetrics is no list of names and values",
            next_step="Write each as {name: mean, value: m / __count}.",
        )
    return listed
