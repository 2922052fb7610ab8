"""turnwise demo: the app on sample conversations, in a database of its own."""

from __future__ import annotations

import asyncio
import shlex
import sys
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from turnwise.conversations.store import Store
from turnwise.tui.cli.interrupts import run_async
from turnwise.tui.cli.options import json_option
from turnwise.tui.cli.output import Progress, emit, narrate, say

if TYPE_CHECKING:
    from turnwise.engine.models.settings import ModelSettings

_EPILOG = """\b
Examples:
  turnwise demo
  turnwise demo --judge embedded
  turnwise demo --plain

\b
64 conversations of an airline's help desk, in two versions of its chatbot, with labels of two people,
failure modes, a criterion, a queue and the scores of a recorded judge; and 14 of a clinic, a shop, a
role play and more, which --judge lets a model score. A tour in one line leads from the rates to what is
wrong, and how sure that is. Nothing is fetched unasked.
"""


@click.command(epilog=_EPILOG)
@click.option("--judge", "judge_name", metavar="JUDGE", help="The model that judges, or none.")
@click.option("--plain", is_flag=True, help="Print a summary instead of opening the app.")
@click.option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal.")
@json_option
@click.pass_context
def command(
    context: click.Context, judge_name: str | None, plain: bool, no_mouse: bool, as_json: bool
) -> None:
    """Open the app on sample conversations, in a database of its own.

    Where there is no terminal, or with --plain or --json, it prints what is known of them instead; --judge
    then scores the varied samples first.
    """
    from turnwise.tui.demo.kept import is_filled

    path = context.find_root().obj or demo_path()
    judge = run_async(_named_judge(judge_name))
    plain = plain or as_json or not (sys.stdin.isatty() and sys.stdout.isatty())
    with Store.open(path) as store:
        if not is_filled(store):
            # It takes 0.3 s to load, which only the first start waits for.
            from turnwise.tui.demo.demo_store import fill

            run_async(fill(store))
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
    from turnwise.tui.library.samples import JUDGED_METRICS, SOURCE, add_samples
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
    add_samples(store)
    samples = [row.id for row in store.sessions.each() if row.source == SOURCE]
    runs.start(ScoreRequest(samples, [make_metric(key) for key in JUDGED_METRICS]), settings)
    try:
        state = await over
    finally:
        await runs.stop()
        progress.clear()
    if state.error is not None:
        raise state.error
    narrate(state.summary())


def _print(store: Store, *, as_json: bool) -> None:
    """Print what is wrong in short, and the commands that lead to it and to how sure it is."""
    if as_json:
        from turnwise.tui.cli.reviewing.sessions import session_data

        for row in store.sessions.each():
            emit(session_data(row))
        return
    from turnwise.engine.overview import overview
    from turnwise.tui.overview.overview_lines import overview_lines
    from turnwise.tui.overview.overview_words import sessions_words

    found = overview(store)
    say(sessions_words(found))
    # What there is to say in short stands before the first empty line.
    for line in takewhile(lambda line: line.text, overview_lines(found)):
        say(line.text)
    failing = store.sessions.ids(FAILING)
    for told in road_lines(shlex.quote(str(store.path)), failing[-1] if failing else 1):
        narrate(told)


FAILING = "knowledge_retention:fail"


def road_lines(database: str, session: int) -> list[str]:
    """Return the tour as commands, and what each shows. session: one that fails."""
    road = (
        ("overview", "rates, where sessions break, and what people say of it"),
        (f"sessions {FAILING}", "the sessions of the worst metric"),
        (f"show {session}", "read one of them, and what was found at which turn"),
        (f"label {session} fail", "say what you think of it"),
        ("queue next 'help desk, at random'", "go on with a review that is half done"),
        ("modes", "what goes wrong, by name, and how often"),
        ("agree knowledge_retention", "how far the judge can be trusted"),
        ("compare last-1 last", "version 4 of the chatbot beside version 5"),
    )
    width = max(len(command) for command, _ in road)
    return [
        "",
        "What is wrong with this help desk, and how sure is that? Its judge is a recording.",
        f"Set TURNWISE_DB={database}, or give it as --db, and go on with turnwise",
        *(f"  {command:<{width}}  {words}" for command, words in road),
        "`turnwise demo` in a terminal is the same as an app, with a tour. Your own: `turnwise import FILE`.",
    ]
