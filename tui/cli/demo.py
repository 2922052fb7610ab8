"""turnwise demo: the app on sample conversations, in a database of its own."""

from __future__ import annotations

import asyncio
import shutil
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwise.conversations.store import Store
from turnwise.tui.cli.interrupts import run_async
from turnwise.tui.cli.options import json_option
from turnwise.tui.cli.output import Progress, columns, emit, narrate, say

if TYPE_CHECKING:
    from turnwise.conversations.store import SessionRow
    from turnwise.engine.models.settings import ModelSettings

FALLBACK_WIDTH = 100
"""Cells of a table where no terminal tells its width."""
LEAST_NAME, ENOUGH_NAME, MOST_NAME, MOST_TAGS = 16, 24, 40, 24
"""Widths in cells: of a name at the least, where all columns are shown, and at the most; and of the tags."""

_EPILOG = """\b
Examples:
  turnwise demo
  turnwise demo --judge embedded
  turnwise demo --plain --judge none

\b
The samples are good and bad conversations of a clinic, a shop, an airline, a role play and more. Checks
score them at once; the app then offers a judge for the other metrics. Nothing is fetched unasked.
"""


@click.command(epilog=_EPILOG)
@click.option("--judge", "judge_name", metavar="JUDGE", help="The model that judges, or none.")
@click.option("--plain", is_flag=True, help="Print a table instead of opening the app.")
@click.option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal.")
@json_option
@click.pass_context
def command(
    context: click.Context, judge_name: str | None, plain: bool, no_mouse: bool, as_json: bool
) -> None:
    """Open the app on sample conversations, in a database of its own.

    Where there is no terminal, or with --plain or --json, it prints the samples with their marks instead;
    --judge then scores them first.
    """
    from turnwise.tui.library.samples import add_samples, check_all

    path = context.find_root().obj or demo_path()
    judge = run_async(_named_judge(judge_name))
    plain = plain or as_json or not (sys.stdin.isatty() and sys.stdout.isatty())
    with Store.open(path) as store:
        add_samples(store)
        run_async(check_all(store))
        if plain:
            if judge is not None:
                run_async(_judge_all(store, judge))
            _print(store, as_json=as_json)
            return
    from turnwise.tui.cli.opening import open_app

    context.exit(open_app(path, demo=True, mouse=not no_mouse, judge=judge))


def demo_path() -> Path:
    """Return the demo's database: beside the library's, so that samples and real conversations stay apart."""
    from platformdirs import user_data_path

    return user_data_path("turnwise", appauthor=False) / "demo.db"


async def _named_judge(name: str | None) -> ModelSettings | None:
    """Return the judge that was named; without a name nothing is asked or assumed."""
    if name is None:
        return None
    from turnwise.engine.models.choose import choose_model

    return await choose_model(name)


async def _judge_all(store: Store, settings: ModelSettings) -> None:
    from turnwise.engine.metrics.registry import make_metric
    from turnwise.tui.library.samples import JUDGED_METRICS
    from turnwise.tui.shell.runs import Runs, RunState, ScoreRequest

    narrate(f"Judge: {settings.model}")
    progress = Progress()
    over: asyncio.Future[RunState] = asyncio.get_running_loop().create_future()

    def hear(state: RunState) -> None:
        if state.over:
            over.set_result(state)
        else:
            progress.show(f"{state.line()} · ctrl+c stops")

    runs = Runs(store, hear)
    runs.start(ScoreRequest(store.sessions.ids(), [make_metric(key) for key in JUDGED_METRICS]), settings)
    try:
        state = await over
    finally:
        await runs.stop()
        progress.clear()
    if state.error is not None:
        raise state.error
    narrate(state.summary())


def _print(store: Store, *, as_json: bool) -> None:
    from turnwise.tui.cli.reviewing.sessions import session_data

    rows = list(store.sessions.each())
    if as_json:
        for row in rows:
            emit(session_data(row))
        return
    metrics = store.sessions.metrics()
    for line in table_lines(rows, metrics, table_width()):
        say(line)
    pairs = _short_names(metrics).items()
    legend = ", ".join(f"{short}: {name.replace('_', ' ')}" for short, name in pairs)
    narrate(
        f"""
{len(rows)} conversations. ✓ passes, ✗ does not; blank: does not apply, or is not judged yet.
{textwrap.fill(legend, FALLBACK_WIDTH)}
What to do next:
  turnwise demo                            the same in the app, from a terminal
  turnwise demo --plain --judge JUDGE      let a model judge them; `turnwise judge list` says which
  turnwise import FILE                     bring in your own
  turnwise --db {store.path} show {rows[0].id if rows else 1}"""
    )


def table_width() -> int:
    """Return the cells a table may take: the terminal's, or a hundred where there is none."""
    return shutil.get_terminal_size((FALLBACK_WIDTH, 24)).columns if sys.stdout.isatty() else FALLBACK_WIDTH


def table_lines(rows: Sequence[SessionRow], metrics: Sequence[str], width: int) -> list[str]:
    """Return a table of sessions and their marks that is no wider than `width`, as far as the marks allow.

    What has no room goes: first the scores' numbers, then the tags; names are cut.
    """
    from rich.cells import cell_len

    from turnwise.tui.parts.wrapping import fit

    for numbers, tags in ((True, True), (False, True), (False, False)):
        head = ["id", "", "turns", *_short_names(metrics), *(["tags"] if tags else [])]
        cells = [
            [str(row.id), "", str(row.turns), *_marks(row, metrics, numbers=numbers)]
            + ([" ".join(row.tags)[:MOST_TAGS]] if tags else [])
            for row in rows
        ]
        rest = max(map(cell_len, columns([head, *cells])), default=0)
        if width - rest >= ENOUGH_NAME:
            break
    name = max(LEAST_NAME, min(MOST_NAME, width - rest))
    table = [
        [first, fit(row.name, name).rstrip(), *others]
        for row, (first, _, *others) in zip(rows, cells, strict=True)
    ]
    head[1] = "conversation"
    return columns([head, *table], right=frozenset({0, 2}), most=MOST_NAME)


def _short_names(metrics: Sequence[str]) -> dict[str, str]:
    from turnwise.tui.session_lists.session_columns import abbreviations

    return dict(zip(abbreviations(metrics), metrics, strict=True))


def _marks(row: SessionRow, metrics: Sequence[str], *, numbers: bool) -> list[str]:
    from turnwise.tui.session_lists.session_columns import mark_sign

    found = [row.marks.get(metric) for metric in metrics]
    return [
        f"{mark_sign(mark)} {mark.score:.2f}"
        if numbers and mark and mark.score is not None
        else mark_sign(mark)
        for mark in found
    ]
