"""turnwise why: the very prompts and replies of the judge behind a session's scores."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict

import click

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store import CallRow, ScoreRow, Store
from turnwise.tui.cli.options import json_option, open_store
from turnwise.tui.cli.output import emit, narrate, say
from turnwise.tui.cli.reviewing.show import print_score, score_data
from turnwise.tui.review.call_words import without_call

_EPILOG = """\b
Examples:
  turnwise why 12
  turnwise why 12 role_adherence
  turnwise why 12 faithfulness --json | jq -r '.calls[].reply'
"""


@click.command("why", epilog=_EPILOG)
@click.argument("session", type=int)
@click.argument("metric", default="")
@json_option
@click.pass_context
def command(context: click.Context, session: int, metric: str, as_json: bool) -> None:
    """Print what is behind the scores of SESSION: prompts, replies, tokens, time and cost."""
    store = open_store(context, to_read=True)
    store.sessions.get(session)
    # What fails is asked about first.
    rows = sorted(_chosen(store.scores.newest(session), metric), key=lambda row: row.passed is not False)
    if not rows and not as_json:
        narrate(f"No scores yet. `turnwise score {session} --metric NAME` judges it.")
    for row in rows:
        calls = _calls(store, row)
        if as_json:
            emit({**score_data(row), "calls": [asdict(call) for call in calls]})
            continue
        print_score(row)
        for call in calls:
            _print_call(call)
        if not calls:
            say(f"    {without_call(row)}\n")


def _chosen(rows: Sequence[ScoreRow], metric: str) -> list[ScoreRow]:
    """Return the scores of a metric, or all where none is named. Raises NotFoundError."""
    if not metric:
        return list(rows)
    from turnwise.engine.metrics.metric_names import meant_metric, near_name

    known = list(dict.fromkeys(row.metric for row in rows))
    meant = meant_metric(metric, known)
    if not meant:
        near = near_name(metric, known)
        raise NotFoundError(
            f"The session was not judged by {metric}",
            detail=f"Judged by: {', '.join(known)}" if known else "",
            next_step=f"Did you mean {near}?" if near else "`turnwise show SESSION` prints its scores.",
        )
    return [row for row in rows if row.metric in meant]


def _calls(store: Store, row: ScoreRow) -> list[CallRow]:
    """Return the calls behind a score, those that were kept."""
    found = []
    for key in row.calls:
        try:
            found.append(store.calls.get(key))
        except NotFoundError:
            # The score came from another database, and its calls did not.
            continue
    return found


def _print_call(call: CallRow) -> None:
    sent, came = call.usage.get("prompt_tokens"), call.usage.get("completion_tokens")
    tokens = f"{sent or 0:,} tokens in, {came or 0:,} out" if sent or came else "tokens not told"
    cost = "cost unknown" if call.cost is None else f"${call.cost:.4f}"
    asked = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(call.created_at))
    say(f"\n    {call.model} · {tokens} · {call.seconds:.2f} s · {cost} · asked {asked}")
    for role, text in [*call.messages, ("reply", call.reply)]:
        say(f"\n    [{role}]")
        for line in text.splitlines():
            say(f"    ┃ {line}")
    say()
