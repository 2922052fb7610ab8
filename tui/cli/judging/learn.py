"""turnwise learn: signals that are learned from your labels and need no judge."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from turnwise.conversations.words import counted, percent
from turnwise.tui.cli.options import CommandGroup, json_option, open_store
from turnwise.tui.cli.output import columns, emit, narrate, say
from turnwise.tui.cli.reviewing.label_subjects import metric_with_labels
from turnwise.tui.settings.settings import labeller

if TYPE_CHECKING:
    from turnwise.conversations.store import SignalVersion
    from turnwise.engine.learning.learned_signal import LearnedSignal

_EPILOG = """\b
Examples:
  turnwise learn new resolved
  turnwise learn new polite --metric politeness tag:billing --group meta.ticket
  turnwise learn new success --scores reward --threshold 0.6
  turnwise learn show resolved --json
  turnwise learn forget resolved
  turnwise score --all --metric learned:resolved
  turnwise queue new doubtful --sample uncertain --metric learned:resolved

\b
A small model learns from labelled sessions what those that pass have in common: their length, tools and
changes, how they end, kept scores, words. It is measured on sessions that it did not learn from, of other
cases. What it learned is kept in the database as plain numbers; `learned:NAME` is then a metric like others,
asks nobody, and takes milliseconds. Learning needs scikit-learn: pip install 'turnwise[learn]'.
"""


@click.group("learn", cls=CommandGroup, invoke_without_command=True, epilog=_EPILOG)
@json_option
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """Learn from your labels what good sessions have in common, and foretell the others."""
    if context.invoked_subcommand is None:
        _list(context, as_json)


@command.command("list")
@json_option
@click.pass_context
def list_command(context: click.Context, as_json: bool) -> None:
    """List what was learned, as `turnwise learn` by itself does."""
    _list(context, as_json)


@command.command("new")
@click.argument("name")
@click.argument("query", nargs=-1)
@click.option(
    "--metric", default="", help="Learn from the labels about this metric, not from those of sessions."
)
@click.option("--scores", default="", metavar="METRIC", help="Take what this metric says as labels.")
@click.option(
    "--group", default="", metavar="BY", help="What sessions of one case share, such as meta.task_id."
)
@click.option(
    "--threshold", type=float, default=0.5, show_default=True, help="A session passes from here on."
)
@json_option
@click.pass_context
def new_command(
    context: click.Context,
    name: str,
    query: tuple[str, ...],
    metric: str,
    scores: str,
    group: str,
    threshold: float,
    as_json: bool,
) -> None:
    """Learn NAME from labelled sessions, measure it on others, and keep it."""
    from turnwise.engine.learning.learning import keep_signal, learn

    store = open_store(context)
    # Both are refused further down; which of them has a wrong name is then no matter.
    metric = metric if scores else metric_with_labels(store, metric)
    words = " ".join(query)
    signal = learn(store, name, metric=metric, scores=scores, query=words, group=group, threshold=threshold)
    version = keep_signal(store, signal, author=labeller())
    if as_json:
        emit(_data(version, signal))
        return
    _tell(version, signal)
    narrate(f"Foretell all sessions: `turnwise score --all --metric learned:{version.name}`")


@command.command("show")
@click.argument("name")
@json_option
@click.pass_context
def show_command(context: click.Context, name: str, as_json: bool) -> None:
    """Say how well NAME foretells, and what it rests on."""
    from turnwise.engine.learning.learned_metric import learned_version, signal_of

    version = learned_version(open_store(context, to_read=True), name)
    signal = signal_of(version)
    if as_json:
        emit(_data(version, signal))
    else:
        _tell(version, signal)


@command.command("forget")
@click.argument("name")
@json_option
@click.pass_context
def forget_command(context: click.Context, name: str, as_json: bool) -> None:
    """Forget NAME; the scores that it gave stay."""
    from turnwise.engine.learning.learned_metric import learned_version

    store = open_store(context)
    known = learned_version(store, name).name
    forgotten = store.learned.forget(known)
    if as_json:
        emit({"forgotten": known, "versions": forgotten})
    else:
        say(f"Forgotten: learned:{known}, {counted(forgotten, 'version')}. Its scores stay.")


def _list(context: click.Context, as_json: bool) -> None:
    from turnwise.engine.learning.learned_metric import signal_of

    found = [(one, signal_of(one)) for one in open_store(context, to_read=True).learned.standing()]
    if as_json:
        for version, signal in found:
            emit(_data(version, signal))
    elif not found:
        narrate("Nothing was learned yet: `turnwise learn new NAME` learns from your labels.")
    else:
        table = [["metric", "AUC", "95 %", "learned from", "looks at"]]
        for version, signal in found:
            measured = signal.measured
            interval = f"{measured.low:.2f} to {measured.high:.2f}"
            looks = ", ".join(signal.families)
            table.append(
                [f"learned:{version.name}", f"{measured.auc:.2f}", interval, signal.learned_from, looks]
            )
        for line in columns(table, right=frozenset({1})):
            say(line)


def _data(version: SignalVersion, signal: LearnedSignal) -> dict[str, Any]:
    return {
        "metric": f"learned:{version.name}",
        "version": version.number,
        "fingerprint": version.fingerprint,
        "author": version.author,
        "created_at": version.created_at,
        **signal.model_dump(mode="json", exclude={"name", "weights", "buckets"}),
        "rests_on": [{"feature": words, "weight": round(weight, 4)} for words, weight in signal.rests_on()],
    }


def _tell(version: SignalVersion, signal: LearnedSignal) -> None:
    from turnwise.tui.learning.learned_words import (
        FORETOLD,
        MAY_BE_CHANCE,
        MOST_LISTED,
        RESTS_ON,
        lighter_words,
        summary_words,
    )

    for line in summary_words(version, signal):
        say(line)
    if not signal.measured.is_better_than_chance:
        narrate(MAY_BE_CHANCE)
    say(f"\n{FORETOLD}")
    rows = [["foretold", "passed", "sessions"]]
    for step in signal.measured.reliability:
        rows.append([percent(step.foretold), percent(step.passed / step.sessions), f"{step.sessions:,}"])
    for line in columns(rows, right=frozenset({0, 1, 2})):
        say(f"  {line}")
    say(f"\n{RESTS_ON}")
    shown = [[f"{weight:+.2f}", words] for words, weight in signal.rests_on()[:MOST_LISTED]]
    for line in columns(shown, right=frozenset({0}), most=90):
        say(f"  {line}")
    if more := lighter_words(signal):
        say(f"  {more}: --json prints all")
