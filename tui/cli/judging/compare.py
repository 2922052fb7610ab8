"""turnwise compare: two runs, or two targets of one, metric by metric, and what flipped between them."""

from __future__ import annotations

from dataclasses import asdict
from math import isnan
from typing import Any

import click

from turnwise.engine.comparing.compare import MetricChange, RunComparison, ScoredPair, compare
from turnwise.engine.comparing.sides import Side, find_side
from turnwise.engine.people.statistics.many_comparisons import FALSE_SHARE
from turnwise.tui.cli.judging.runs import run_data
from turnwise.tui.cli.options import json_option, open_store
from turnwise.tui.cli.output import columns, emit, narrate, say, say_whole_words
from turnwise.tui.compare.compared_settings import apart, compared_settings
from turnwise.tui.compare.run_words import (
    CHANGE,
    FLIPS,
    MEAN_INTERVAL,
    POINTS,
    delta_words,
    interval_words,
    judged_otherwise,
    left_out_words,
    named_sides,
    pair_name,
    points_words,
    prompt_words,
    score_words,
    side_about,
    side_words,
    signs_words,
)
from turnwise.tui.compare.summary_words import clear_first, summary_lines

MOST_PAIRS = 20
MOST_SUMMARY = 110
"""Cells of a line that names the metrics that got better or worse; a narrower terminal breaks it."""
MOST_SETTING = 60
"""Cells of a hyperparameter; --json prints all of it."""
_HEADS = ("pairs", "A", "B", CHANGE, MEAN_INTERVAL, "passed", POINTS, *FLIPS.values())
_RIGHT = frozenset({1, 2, 3, 4, 6, 8, 9})
_EPILOG = """\b
Examples:
  turnwise compare last-1 last
  turnwise compare 7 8 --metric role_adherence
  turnwise compare last:gpt-4o last:mistral
  turnwise compare last-1 last --by meta.language
  turnwise compare 7 8 --json | jq '.pairs[] | select(.flip == "failed") | .b.session'

\b
A and B are runs: a number from `turnwise runs`, last, last-1, or a run's name; of a
name the newest run. RUN:TARGET is what one target answered in a run. Sessions that both
judged are compared with themselves, the others by case: a suite's case by name, variables
and place, other conversations by name and first words. The change is the mean of B less
that of A, with its 95 % interval, which also holds where there are few cases; where they
are too few to say anything, how many more it needs stands there. Points are how many more
of 100 pass in B, with 95 % too. Metrics that got worse come first. A metric is clearly
better or worse (95 %) by its mean or by how many pass, whichever tells more; the words say
by which, and the other interval may hold 0. It is so among all metrics that are compared at
once; `certain` in the JSON. What is so perhaps may be chance.
"""


@click.command(epilog=_EPILOG)
@click.argument("a")
@click.argument("b")
@click.option("--metric", default="", help="Only this metric; a part of its name is enough.")
@click.option(
    "--by",
    default="",
    metavar="GROUP",
    help="Within each role, tag, source, model, scenario or meta.KEY too.",
)
@json_option
@click.pass_context
def command(context: click.Context, a: str, b: str, metric: str, by: str, as_json: bool) -> None:
    """Compare two runs: what changed from A to B, and what flipped."""
    store = open_store(context, to_read=True)
    comparison = compare(store, find_side(store, a), find_side(store, b), metric, by=by)
    if as_json:
        emit(comparison_data(comparison))
        return
    for letter, side in zip("AB", named_sides(comparison), strict=True):
        say(f"{letter}  {side_words(side)} · {side_about(side)}")
    if words := judged_otherwise(comparison):
        say(words)
    if words := prompt_words(comparison):
        say(f"{words}.")
    _print_hyperparameters(comparison)
    if not comparison.pairs:
        why = "They share no case." if not comparison.cases else "No case was scored by one metric in both."
        narrate(f"There is nothing to compare. {why}")
    else:
        _print_metrics(comparison)
        if comparison.groups:
            _print_groups(comparison, by)
        _print_pairs(comparison)
    if words := left_out_words(comparison):
        narrate(f"Not compared: {words}.")


def _print_hyperparameters(comparison: RunComparison) -> None:
    settings = compared_settings(comparison.a.run, comparison.b.run)
    if not settings:
        return
    table = [[one.name, *apart(one.a, one.b, MOST_SETTING), "≠" if one.differs else ""] for one in settings]
    say()
    for line in columns([["hyperparameter", "A", "B", ""], *table], most=MOST_SETTING):
        say(line)


def _print_metrics(comparison: RunComparison) -> None:
    table = [[change.metric, *_change_cells(change)] for change in clear_first(comparison.metrics)]
    say()
    for line in summary_lines(comparison, MOST_SUMMARY):
        say_whole_words(line)
    say()
    for line in columns([["metric", *_HEADS], *table], right=_RIGHT, most=40, give_way=[0]):
        say(line)


def _print_groups(comparison: RunComparison, by: str) -> None:
    table = [
        [group or "(none)", change.metric, *_change_cells(change)]
        for group, changes in comparison.groups.items()
        for change in changes
        if change.pairs
    ]
    say()
    for line in columns(
        [[by, "metric", *_HEADS], *table], right=frozenset(one + 1 for one in _RIGHT), most=40
    ):
        say(line)


def _change_cells(change: MetricChange) -> list[str]:
    return [
        f"{change.pairs:,}",
        score_words(change.mean_a),
        score_words(change.mean_b),
        delta_words(change.delta),
        interval_words(change),
        f"{change.passed_a:,} → {change.passed_b:,}",
        points_words(change),
        str(change.newly_failed or ""),
        str(change.newly_passed or ""),
    ]


def _print_pairs(comparison: RunComparison) -> None:
    changed = [pair for pair in comparison.pairs if pair.is_changed]
    if not changed:
        say("\nNo score changed.")
        return
    head = ["", "change", "A", "B", "metric", "ids", "session"]
    table = [
        [
            signs_words(pair),
            delta_words(pair.delta),
            score_words(pair.a.score),
            score_words(pair.b.score),
            pair.metric,
            _sessions(pair),
            pair_name(pair),
        ]
        for pair in changed[:MOST_PAIRS]
    ]
    say()
    give_way = [head.index(one) for one in ("metric", "session")]
    for line in columns([head, *table], right=frozenset({1, 2, 3}), most=48, give_way=give_way):
        say(line)
    if len(changed) > MOST_PAIRS:
        narrate(f"And {len(changed) - MOST_PAIRS:,} more that changed; --json prints all.")


def _sessions(pair: ScoredPair) -> str:
    a, b = pair.a.session_id, pair.b.session_id
    return str(a) if a == b else f"{a}, {b}"


def comparison_data(comparison: RunComparison) -> dict[str, Any]:
    """Return a comparison as JSON-ready values; what cannot be computed is null."""
    return {
        "a": _side_data(named_sides(comparison)[0]),
        "b": _side_data(named_sides(comparison)[1]),
        "cases": comparison.cases,
        "only_a": comparison.only_a,
        "only_b": comparison.only_b,
        "metrics": [_metric_data(change) for change in comparison.metrics],
        "false_discovery_rate": FALSE_SHARE,
        **({"groups": _groups_data(comparison)} if comparison.groups else {}),
        "pairs": [_pair_data(pair) for pair in comparison.pairs],
        "differing_prompts": comparison.prompts_apart,
        "changed": [one.data() for one in comparison.changed],
    }


def _groups_data(comparison: RunComparison) -> list[dict[str, Any]]:
    return [
        {"group": group or None, "metrics": [_metric_data(change) for change in changes]}
        for group, changes in comparison.groups.items()
    ]


def _side_data(side: Side) -> dict[str, Any]:
    return {**run_data(side.run), "target": side.target or None}


def _metric_data(change: MetricChange) -> dict[str, Any]:
    return {
        **{
            name: None if isinstance(value, float) and isnan(value) else value
            for name, value in asdict(change).items()
        },
        "certain": change.is_sure,
    }


def _pair_data(pair: ScoredPair) -> dict[str, Any]:
    sides = {
        letter: {"session": row.session_id, "score": row.score, "passed": row.passed}
        for letter, row in (("a", pair.a), ("b", pair.b))
    }
    return {
        "metric": pair.metric,
        "name": pair.name,
        "exchange": pair.exchange,
        "flip": pair.flip,
        "delta": pair.delta,
        **sides,
    }
