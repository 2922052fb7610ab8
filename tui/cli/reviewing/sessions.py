"""turnwise sessions: list and search what is stored."""

from __future__ import annotations

import click

from turnwise.conversations.store import (
    REPAIR_STEP,
    SessionRow,
    fields_help,
    filter_hints,
    order_of,
    orders_named,
)
from turnwise.tui.cli.options import json_option, open_store
from turnwise.tui.cli.output import columns, emit, narrate, say

_FIELDS = "\n".join(f"  {line}" for line in fields_help(76))
_EPILOG = f"""\b
Examples:
  turnwise sessions
  turnwise sessions airline
  turnwise sessions 'role_adherence<0.5' tag:billing
  turnwise sessions -- -label:none turns\\>20
  turnwise sessions refund --sort match
  turnwise sessions meta.language:es 'meta.latency>2' since:7d --sort=-meta.latency

\b
A query is words (searched in what was said) and terms, joined by "and":
{_FIELDS}
  METRIC<N  METRIC>=N  METRIC:pass|fail|failure|skipped  meta.KEY<N  meta.KEY>=DATE
  mode: is the failure mode that people gave it; -TERM is for "not"
"""


@click.command(epilog=_EPILOG)
@click.argument("query", nargs=-1)
@click.option(
    "--sort",
    default="when",
    show_default=True,
    metavar="COLUMN",
    help=f"{', '.join(orders_named())}, meta.KEY or a metric; -COLUMN for the other way round.",
)
@json_option
@click.pass_context
def command(context: click.Context, query: tuple[str, ...], sort: str, as_json: bool) -> None:
    """List stored conversations, all or those that match QUERY, newest import first."""
    store = open_store(context, to_read=True)
    words, damaged = " ".join(query), 0
    found = store.sessions.each(words, order_of(sort, store.sessions.metrics()))
    if as_json:
        for row in found:
            emit(session_data(row))
            damaged += row.damaged
        _tell_damaged(context, damaged)
        return
    rows = list(found)
    if not rows:
        total = store.sessions.count()
        narrate(
            f"None of {total:,} sessions matches."
            if total
            else "There are no sessions yet. Bring some in: `turnwise import FILE`, or try `turnwise demo`."
        )
        hints = filter_hints(words, store.sessions.vocabulary()) if total else []
        for hint in hints:
            narrate(hint)
        if any('"' in hint for hint in hints):
            narrate("A shell takes double quotes away: put all of the filter in single ones.")
        return
    head = ["id", "session", "label", "role", "turns", "tags", "source"]
    table = [
        [
            str(row.id),
            row.name,
            _label_words(row),
            row.chatbot_role,
            str(row.turns),
            " ".join(row.tags),
            row.source,
        ]
        for row in rows
    ]
    give_way = [head.index(one) for one in ("role", "tags", "source", "session")]
    for line in columns([head, *table], right=frozenset({0, 4}), most=44, give_way=give_way):
        say(line)
    _tell_damaged(context, sum(row.damaged for row in rows))


def _label_words(row: SessionRow) -> str:
    """Return what people say of a session, as `label:` asks for it; a dash where nobody said anything."""
    if row.disputed:
        return "disputed"
    return "deferred" if row.label == "defer" else row.label or "–"


def _tell_damaged(context: click.Context, count: int) -> None:
    """Count the sessions that are damaged, and end the command as one that missed something."""
    if count:
        narrate(f"{count:,} of these {'is' if count == 1 else 'are'} damaged. {REPAIR_STEP}")
        context.exit(1)


def session_data(row: SessionRow) -> dict[str, object]:
    """Return a session as lists print it."""
    return {
        "id": row.id,
        "name": row.name,
        "chatbot_role": row.chatbot_role or None,
        "turns": row.turns,
        "tags": list(row.tags),
        "source": row.source,
        "label": row.label,
        "disputed": row.disputed,
        "scores": {name: mark.score for name, mark in row.marks.items()},
    }
