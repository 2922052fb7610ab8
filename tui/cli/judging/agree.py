"""turnwise agree: a metric against people's labels, with every session that they see differently."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import click

from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import SPLITS, SplitName
from turnwise.engine.people.agreement import Disagreement, agreement, note_look
from turnwise.tui.agreement.agreement_words import (
    NO_LABELS,
    figure_lines,
    judged_by,
    labels_words,
    left_out_words,
    replaced_words,
    who_labelled,
)
from turnwise.tui.cli.judging.held_back import ask_before_looking
from turnwise.tui.cli.options import json_option, open_store
from turnwise.tui.cli.output import columns, emit, narrate, say
from turnwise.tui.settings.keymap import fill_keys, read_keymap
from turnwise.tui.settings.settings import labeller, load_settings

MOST_LISTED = 20
_INDENT = "  "
_EPILOG = """\b
Examples:
  turnwise agree role_adherence
  turnwise agree role_adherence tag:billing --author ann
  turnwise agree faithfulness --run 8 --json | jq '.kappa, .false_passes[].session'

\b
Compared are the newest score of METRIC and the newest label of a person, session by
session: the label about that metric, or else the one of the whole conversation. Of
several people the majority counts, unless one is named. Intervals are of 95 %.
--split test is for the end: at a terminal it asks first, and every use is noted.
  TPR        of what people passed, the share that the judge passed too
  TNR        of what people failed, the share that the judge failed too
  kappa      Cohen's: agreement beyond chance
  corrected  the pass rate people would find (Rogan and Gladen)
  alpha      Krippendorff's: how far several people agree: 1 always, 0 as by chance, good from 0.80
"""


@click.command(epilog=_EPILOG)
@click.argument("metric", required=False, metavar="METRIC")
@click.argument("query", nargs=-1)
@click.option("--author", help="Only this person's labels.")
@click.option("--run", type=int, help="Only the outcomes of this run; `turnwise runs` lists them.")
@click.option("--split", type=click.Choice(SPLITS), help="Only the sessions of this split.")
@click.option("--blind", is_flag=True, help="Only labels given while the scores were hidden.")
@click.option("--yes", is_flag=True, help="Use the test split without being asked.")
@json_option
@click.pass_context
def command(
    context: click.Context,
    metric: str | None,
    query: tuple[str, ...],
    author: str | None,
    run: int | None,
    split: str | None,
    blind: bool,
    yes: bool,
    as_json: bool,
) -> None:
    """Say how far METRIC finds what people find, and where it does not."""
    store = open_store(context, to_read=True)
    if metric is None:
        raise _which_metric(context, store.sessions.metrics())
    found = agreement(
        store,
        metric,
        query=" ".join(query),
        split=cast("SplitName | None", split),
        run=run,
        author=author,
        blind_only=blind,
    )
    if split == "test" and found.matrix.total:
        if not yes:
            ask_before_looking(store)
        note_look(store, found, author=labeller())
    if as_json:
        emit(found.data())
        return
    who = who_labelled(found, labeller())
    say(f"{found.metric} against {labels_words(found, who)}")
    if left_out := left_out_words(found):
        say(f"Not compared: {left_out}")
    if replaced := replaced_words(found.replaced):
        say(f"! {replaced}")
    if not found.matrix.total:
        narrate(fill_keys(NO_LABELS, read_keymap(load_settings().keymap).table))
        return
    say()
    matrix, by = found.matrix, judged_by(found)
    table = [
        ["", f"{who} ✓", f"{who} ✗"],
        [f"{by} ✓", f"{matrix.true_pass:,}", f"{matrix.false_pass:,}"],
        [f"{by} ✗", f"{matrix.false_fail:,}", f"{matrix.true_fail:,}"],
    ]
    for line in columns(table, right=frozenset({1, 2})):
        say(line)
    say()
    lines = figure_lines(found, who)
    for line in columns([[one.words, one.name, one.value, one.interval] for one in lines], most=70):
        say(line)
    _list(f"False passes: {by} passed, {who} failed", found.false_passes)
    _list(f"False fails: {by} failed, {who} passed", found.false_fails)


def _which_metric(context: click.Context, judged: Sequence[str]) -> click.UsageError:
    """Return what is told to one who names no metric: those that were judged here."""
    # A parameter of click that is missing could not say which there are.
    if not judged:
        return click.UsageError(
            "Missing argument 'METRIC'. Nothing is scored yet: `turnwise score --all --metric NAME`.",
            context,
        )
    return click.UsageError(
        f"Missing argument 'METRIC'. Judged so far: {', '.join(map(make_safe_line, judged))}.\n"
        f"Such as: `turnwise agree {make_safe_line(judged[0])}`",
        context,
    )


def _list(title: str, found: Sequence[Disagreement]) -> None:
    if not found:
        return
    say(f"\n{title}")
    shown = [
        [str(one.session), one.name, f"{one.score:.2f}", one.note or one.reason]
        for one in found[:MOST_LISTED]
    ]
    # What is said of a session, the last, gives way to its name.
    for line in columns(shown, right=frozenset({0, 2}), most=70, give_way=[3], indent=_INDENT):
        say(f"{_INDENT}{line}")
    if len(found) > MOST_LISTED:
        say(f"  and {len(found) - MOST_LISTED:,} more: --json prints all")
