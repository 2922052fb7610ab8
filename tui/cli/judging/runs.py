"""turnwise runs: the evaluations there were."""

from __future__ import annotations

import click

from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import RunRow, value_text
from turnwise.tui.cli.options import json_option, open_store
from turnwise.tui.cli.output import columns, emit, narrate, say
from turnwise.tui.compare.run_words import judge_of, when_words

_EPILOG = """\b
Examples:
  turnwise runs
  turnwise runs --json | jq 'select(.failures > 0) | .id'
  turnwise sessions run:8
  turnwise compare 7 8
"""
_INDENT = "    "


@click.command(epilog=_EPILOG)
@json_option
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """List the runs, newest first: who judged what, how it came out, and their hyperparameters."""
    rows = open_store(context, to_read=True).runs.all()
    if as_json:
        for row in rows:
            emit(run_data(row))
        return
    if not rows:
        narrate("There are no runs yet. `turnwise score --all --metric NAME` makes one.")
        return
    head = ["id", "when", "name", "judge", "metrics", "sessions", "passed", "failures"]
    table = [
        [
            str(row.id),
            when_words(row),
            row.name,
            judge_of(row),
            ", ".join(row.metrics),
            str(row.sessions),
            f"{row.passed:,} of {row.scores:,}",
            str(row.failures),
        ]
        for row in rows
    ]
    give_way = [head.index(one) for one in ("metrics", "judge", "name")]
    first, *lines = columns([head, *table], right=frozenset({0, 5, 6, 7}), most=32, give_way=give_way)
    say(first)
    for row, line in zip(rows, lines, strict=True):
        say(line)
        for name, value in row.hyperparameters.items():
            # On one line, so that no value can pass for a run.
            say(_INDENT + make_safe_line(f"{name}: {value_text(value)}"))


def run_data(row: RunRow) -> dict[str, object]:
    """Return a run as JSON-ready values; times are seconds since 1970."""
    return {
        "id": row.id,
        "name": row.name or None,
        "created_at": row.created_at,
        "finished_at": row.finished_at,
        "judge": row.judge,
        "came_from": row.came_from,
        "metrics": list(row.metrics),
        "sessions": row.sessions,
        "scores": row.scores,
        "passed": row.passed,
        "failures": row.failures,
        "skipped": row.skipped,
        "parameters": dict(row.parameters),
    }
