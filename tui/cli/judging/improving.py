"""turnwise criteria improve: bring a criterion nearer to people's labels, line by line."""

from __future__ import annotations

import asyncio
import sys
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwise.conversations.errors import SettingError
from turnwise.conversations.words import counted
from turnwise.engine.people.statistics.rater_agreement import kappa_of
from turnwise.tui.cli.interrupts import run_async
from turnwise.tui.cli.judging.held_back import ask_before_spending
from turnwise.tui.cli.judging.limits import JudgeLimits, limit_options
from turnwise.tui.cli.judging.named_criteria import judge_for_criteria, named_criterion
from turnwise.tui.cli.options import json_option, judge_options, named_judge, open_store
from turnwise.tui.cli.output import Progress, columns, emit, narrate, say
from turnwise.tui.settings.settings import labeller

if TYPE_CHECKING:
    from collections.abc import Sequence

    from turnwise.conversations.store import Store
    from turnwise.engine.criteria.criteria import Criterion
    from turnwise.engine.criteria.criteria_files import CriterionFile
    from turnwise.engine.criteria.improving import Improvement, TriedProposal
    from turnwise.engine.criteria.trial_change import TrialChange
    from turnwise.engine.models.settings import ModelSettings

_EPILOG = """\b
Examples:
  turnwise criteria improve criteria/polite.yaml
  turnwise criteria improve criteria/polite.yaml --judge openai:gpt-4.1-mini --accept helpful --write
  turnwise criteria improve criteria/polite.yaml --accept helpful --test --yes --json

\b
From what the judge and people see differently on the train split it proposes guidelines,
examples, another wording and another threshold, and tries each on the dev split. A small
judge is given examples and a threshold alone. You accept line by line; --accept says it
beforehand. A proposal helps where it mends more than it breaks by more than chance,
corrected for all that were tried; of guidelines "helpful" takes the one that mends most,
or all of them where that mends more. --test then asks the test split, once, and notes it.
All versions are kept: `turnwise criteria list --json` has them, and the app compares them.
Exit code 1: nothing helped.
"""


@click.command("improve", epilog=_EPILOG)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--name", help="Which criterion, where the file holds several.")
@judge_options
@limit_options(money=True)
@click.option(
    "--accept",
    type=click.Choice(["helpful", "none"]),
    help="Take all that help, or nothing, without being asked. Default: asked at a terminal, else none.",
)
@click.option("--write", is_flag=True, help="Write what was accepted into FILE without being asked.")
@click.option("--test", "tested", is_flag=True, help="At the end, set old and new beside each other on test.")
@click.option("--yes", is_flag=True, help="Use the test split without being asked.")
@json_option
@click.pass_context
def command(
    context: click.Context,
    file: Path,
    name: str | None,
    judge_name: str | None,
    offline: bool,
    limits: JudgeLimits,
    accept: str | None,
    write: bool,
    tested: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Propose changes to a criterion from people's labels, and see what each of them does."""
    known = named_criterion(file, name)
    store = open_store(context, to_read=True)
    if tested and not yes:
        ask_before_spending(store)
    settings = limits.of(run_async(judge_for_criteria(judge_name, offline=offline)))
    found, better, change = run_async(
        _improve(store, known, settings, accept, tested=tested, as_json=as_json)
    )
    taken = better.content() != known.criterion.content()
    if as_json:
        emit(
            {
                "criterion": found.criterion.name,
                "version": found.criterion.fingerprint,
                "judge": settings.model,
                "dev": found.base.data(),
                "proposals": [one.data() for one in found.tried],
                "accepted": better.content() if taken else None,
                "test": None if change is None else change.data(),
            }
        )
    if taken:
        _write(known, better, write=write)
    context.exit(0 if any(one.helps for one in found.tried) else 1)


async def _improve(
    store: Store,
    known: CriterionFile,
    settings: ModelSettings,
    accept: str | None,
    *,
    tested: bool,
    as_json: bool,
) -> tuple[Improvement, Criterion, TrialChange | None]:
    from turnwise.engine.criteria.improving import improve, last_test
    from turnwise.engine.criteria.proposing import changed
    from turnwise.engine.judge.evidence import StoredCallBook
    from turnwise.engine.judge.judge import open_judge

    narrate(f"Judge: {named_judge(settings)}")
    progress = Progress()
    author, source = labeller(), str(known.path)

    def tell(words: str, done: int, of: int) -> None:
        progress.show(f"{words}: {done:,} of {of:,} · ctrl+c stops, what is judged is kept")

    change = None
    async with open_judge(settings, book=StoredCallBook(store)) as judge:
        if judge is None:
            raise SettingError("A criterion needs a judge", next_step="Name one with --judge.")
        try:
            found = await improve(store, known.criterion, judge, author=author, source=source, tell=tell)
            progress.clear()
            if not as_json:
                _tell(found)
            taken = await asyncio.to_thread(_accepted, found.tried, accept, as_json=as_json)
            better = changed(known.criterion, [one.proposal for one in taken])
            if tested and taken:
                change = await last_test(store, known.criterion, better, judge, author=author, tell=tell)
            elif tested:
                progress.clear()
                narrate("Nothing was accepted, so there is nothing to test: the test split was not used.")
        finally:
            progress.clear()
    if change is not None and not as_json:
        was, now = change.matrices
        told = f"kappa {_figure(kappa_of(was))} -> {_figure(kappa_of(now))}"
        say(f"\nOn test, {counted(now.total, 'session')}: {told}")
        _say_change(change)
    return found, better, change


def _tell(found: Improvement) -> None:
    base = found.base.matrix
    agreed = base.true_pass + base.true_fail
    say(f"{found.criterion.name} on dev: judge and people agree on {agreed:,} of {base.total:,}.")
    if not found.tried:
        say("There is nothing to propose: judge and people see no session of train differently.")
        return
    head = ["", "mends", "breaks", "kappa", "", "by chance"]
    table = []
    for place, one in enumerate(found.tried, 1):
        was, now = one.change.matrices
        told = f"{_figure(kappa_of(was))} -> {_figure(kappa_of(now))}"
        mark = "helps" if one.helps else "no help that is sure"
        table.append(
            [str(place), str(one.change.mended), str(one.change.broken), told, mark, f"{one.chance:.2g}"]
        )
    say()
    for line in columns([head, *table], right=frozenset({1, 2})):
        say(line)
    for place, one in enumerate(found.tried, 1):
        say(f"{place}  {one.proposal.words}")


def _say_change(change: TrialChange) -> None:
    flips = ", ".join(map(str, sorted(change.flips))) or "none"
    say(f"  mended {change.mended:,}, broken {change.broken:,}; sessions that flipped: {flips}")


def _figure(value: float) -> str:
    return "–" if isnan(value) else f"{value:.2f}"


def _accepted(tried: Sequence[TriedProposal], accept: str | None, *, as_json: bool) -> list[TriedProposal]:
    """Return the proposals to take: those that help most, or those that a person takes one by one."""
    from turnwise.engine.criteria.improving import most_helpful

    helpful = most_helpful(tried)
    if accept is not None or as_json or not sys.stdin.isatty():
        return helpful if accept == "helpful" else []
    taken: list[TriedProposal] = []
    for one in tried:
        lines = {line for each in taken for line in each.proposal.guidelines}
        if one.proposal.guidelines and lines.issuperset(one.proposal.guidelines):
            # It is taken already, with the others.
            continue
        words = f"Take this? {one.proposal.words}{'' if one.helps else ' (it may be chance)'}"
        if click.confirm(words, default=one in helpful, err=True):
            taken.append(one)
    return taken


def _write(known: CriterionFile, better: Criterion, *, write: bool) -> None:
    from turnwise.engine.criteria.criteria_files import save_criterion

    if not write and not (
        sys.stdin.isatty() and click.confirm(f"Write it into {known.path.name}?", default=True, err=True)
    ):
        narrate(f"{known.path.name} stays as it is; --write puts in what was accepted.")
        return
    saved = save_criterion(better, folder=known.path.parent, known=known)
    narrate(f"Written: {saved.path}")
