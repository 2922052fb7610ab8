"""turnwise bench: how good a judge is, measured on conversations that people have rated."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Sequence
from contextlib import aclosing
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwise.conversations.errors import SettingError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import Store
from turnwise.tui.cli.interrupts import run_async
from turnwise.tui.cli.judging.limits import JudgeLimits, limit_options
from turnwise.tui.cli.options import json_option, judge_options, judge_or_usual, open_store
from turnwise.tui.cli.output import Progress, columns, emit, narrate, say
from turnwise.tui.cli.waiting import telling_waits

if TYPE_CHECKING:
    from turnwise.engine.judge.evidence import StoredCallBook
    from turnwise.engine.metrics.metric import Metric
    from turnwise.engine.people.benchmark import Rated, RatingAgreement

_EPILOG = """\b
Examples:
  turnwise bench judge --dataset human-evaluations.json --judge none
  turnwise bench judge --dataset human-evaluations.json --judge embedded --sample 40
  turnwise bench judge --dataset rated.jsonl --metric faithfulness --judge openai:gpt-4.1-mini --json

\b
The file may be in any format that `turnwise import` reads. Ratings are what it says under ratings (a name,
then a number for each person) in a conversation's metadata, people's labels, or a reward.
The judge's replies are kept in the database: the same command goes on where it stopped, at no cost.
"""
_STATISTICS = {"spearman": "rank correlation (Spearman)", "auc": "area under the curve (AUC)"}
_FEWEST_OF_A_NAME = 10
SECONDS_BETWEEN_WRITES = 2.0
"""How often replies are stored meanwhile: a small judge may take minutes for one conversation."""


@click.group(epilog="\b\nExamples:\n  turnwise bench judge --dataset rated.jsonl --judge none")
def command() -> None:
    """Measure judges and metrics against people."""


@command.command("judge", epilog=_EPILOG)
@click.option(
    "--dataset",
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file of conversations with people's ratings.",
)
@judge_options
@limit_options()
@click.option(
    "--metric",
    "names",
    multiple=True,
    metavar="NAME[:SETTINGS]",
    help="Default: those meant for the file's ratings.",
)
@click.option(
    "--sample", type=click.IntRange(min=1), metavar="N", help="Only N cases, spread evenly over the file."
)
@json_option
@click.pass_context
def bench_judge(
    context: click.Context,
    dataset: Path,
    judge_name: str | None,
    offline: bool,
    limits: JudgeLimits,
    names: tuple[str, ...],
    sample: int | None,
    as_json: bool,
) -> None:
    """Score rated conversations, and say how well each metric agrees with people."""
    store = open_store(context)
    context.exit(
        run_async(
            _bench(store, dataset, judge_name, limits, names, offline=offline, sample=sample, as_json=as_json)
        )
    )


async def _bench(
    store: Store,
    dataset: Path,
    judge_name: str | None,
    limits: JudgeLimits,
    names: Sequence[str],
    *,
    offline: bool,
    sample: int | None,
    as_json: bool,
) -> int:
    from turnwise.engine.judge.evidence import StoredCallBook
    from turnwise.engine.judge.judge import open_judge
    from turnwise.engine.metrics.registry import make_metric
    from turnwise.engine.models.choose import choose_model
    from turnwise.engine.people.benchmark import Benchmark, load_rated, metrics_for, score_rated, spread

    every = load_rated(dataset)
    cases = every if sample is None else spread(every, sample)
    meant = metrics_for(cases)
    metrics = [make_metric(name) for name in names or meant]
    judged = any(one.uses_judge for one in metrics)
    settings = await choose_model(judge_or_usual(judge_name, offline=offline)) if judged else None
    settings = settings and limits.of(settings)
    if settings is None:
        metrics = [metric for metric in metrics if not metric.uses_judge]
    _check(metrics, cases)
    model = settings.model if settings else ""
    narrate(f"Judge: {model or 'none'}; {len(cases):,} of {len(every):,} cases, {len(metrics)} metrics")
    benchmark = Benchmark(cases, {} if names else meant)
    total, done, progress, book = len(cases) * len(metrics), 0, Progress(), StoredCallBook(store)
    stopped = False
    writing = asyncio.create_task(_write_regularly(book))
    try:
        async with (
            open_judge(settings, needed=settings is not None, book=book) as judge,
            telling_waits(judge, progress),
            aclosing(score_rated(cases, metrics, judge, secret=store.secret)) as outcomes,
        ):
            async for place, outcome in outcomes:
                benchmark.add(place, outcome)
                done += 1
                progress.show(f"scored {done:,} of {total:,} · ctrl+c stops")
    except asyncio.CancelledError:
        stopped = True
    finally:
        writing.cancel()
        progress.clear()
        book.write()
    _tell(benchmark.agreements({metric.name: model for metric in metrics if metric.uses_judge}), as_json)
    if failures := benchmark.failures():
        narrate(f"{failures:,} could not be judged and are left out.")
    if stopped:
        narrate(f"Interrupted after {done:,} of {total:,}; the same command goes on from here.")
    return 130 if stopped else 0


async def _write_regularly(book: StoredCallBook) -> None:
    while True:
        await asyncio.sleep(SECONDS_BETWEEN_WRITES)
        book.write()


def _check(metrics: Sequence[Metric], cases: Sequence[Rated]) -> None:
    """Raise SettingError where there is nothing to measure."""
    if not metrics:
        ratings = ", ".join(sorted({name for case in cases for name in case.ratings}))
        raise SettingError(
            "No metric without a judge is meant for these ratings",
            detail=f"Ratings: {ratings}",
            next_step="Name a judge with --judge, or a check with --metric.",
        )


def _tell(agreements: Sequence[RatingAgreement], as_json: bool) -> None:
    """Print how everything agrees with every rating that one of our metrics is meant for."""
    if as_json:
        for one in agreements:
            emit(one.data())
        return
    ours = {one.rating for one in agreements if one.judge != "file"}
    shown = sorted(
        (one for one in agreements if one.rating in ours), key=lambda one: (one.rating, one.statistic)
    )
    for place, ((rating, statistic), group) in enumerate(
        groupby(shown, key=lambda one: (one.rating, one.statistic))
    ):
        say(f"{chr(10) if place else ''}{make_safe_line(rating)}, by {_STATISTICS.get(statistic, statistic)}")
        for line in _table(list(group)):
            say(f"  {line}")


def _table(agreements: Sequence[RatingAgreement]) -> list[str]:
    """Set how scorers agree with one rating in columns; in a terminal long names give way to the figures."""
    head = ["metric", "judge", "value", "95 % interval", "cases"]
    rows = [head, *map(_row, agreements)]
    most = 60
    if sys.stdout.isatty():
        figures = sum(max(len(row[place]) for row in rows) for place in (2, 3, 4))
        room = shutil.get_terminal_size().columns - len("  ") - figures - len("  ") * (len(head) - 1)
        longest = sorted(max(len(row[place]) for row in rows) for place in (0, 1))
        # The shorter of the two columns of names stays whole where it can, and the longer takes the rest.
        most = min(most, max(_FEWEST_OF_A_NAME, room - longest[0], room // 2))
    return columns(rows, right=frozenset({2, 4}), most=most)


def _row(one: RatingAgreement) -> list[str]:
    found = one.data()
    value = "unknown" if found["value"] is None else f"{one.value:.3f}"
    interval = "" if found["low"] is None else f"{one.low:.2f} to {one.high:.2f}"
    return [one.scorer, one.judge or "none", value, interval, f"{one.pairs:,}"]
