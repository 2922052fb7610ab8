"""turnwise queue: which sessions to review, in what order, and how far that is."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from turnwise.conversations.errors import DamageError, SettingError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.words import counted
from turnwise.tui.cli.options import CommandGroup, json_option, open_store
from turnwise.tui.cli.output import columns, emit, narrate, say, tell_damage
from turnwise.tui.settings.settings import labeller

if TYPE_CHECKING:
    from turnwise.conversations.store import AssignedShare, QueueRow, Store
    from turnwise.engine.people.queues import SamplerWord

_EPILOG = """\b
Examples:
  turnwise queue new tuesday --sample uncertain --size 50 role:airline
  turnwise queue new worst --sample failures --metric role_adherence
  turnwise queue new each --sample random --by meta.language
  turnwise queue list
  turnwise queue new both --for ada --for ben --each 2
  turnwise queue new open --sample disputed
  turnwise queue next tuesday
  turnwise queue next both --author ada
  turnwise queue show tuesday --json
  turnwise queue hand tuesday --output tuesday.html
  turnwise queue remove tuesday

\b
Samples: random, failures (worst scores first), uncertain (near a threshold, or judge
and checks disagree), tags (as many of each), unlabelled, disputed (people see them
differently: `turnwise adjudicate` settles them). Of the others, sessions that have a label
are left out, unless QUERY asks for labels. A session is done once it gets a label; with
--for, once each person who is to label it did.
"""
_SAMPLES = ("random", "failures", "uncertain", "tags", "unlabelled", "disputed")


@click.group("queue", cls=CommandGroup, epilog=_EPILOG)
def command() -> None:
    """Make and follow queues of sessions to review; in the app: q in the library."""


@command.command("new")
@click.argument("name")
@click.argument("query", nargs=-1)
@click.option("--sample", type=click.Choice(_SAMPLES), default="random", show_default=True)
@click.option("--size", type=click.IntRange(1), default=50, show_default=True, help="Sessions at the most.")
@click.option("--metric", default="", help="Of failures and uncertain: whose scores count; default: all.")
@click.option(
    "--by",
    "--stratify",
    "by",
    default="",
    metavar="GROUP",
    help="As many of each: role, tag, source, model, scenario or meta.KEY.",
)
@click.option(
    "--seed", type=int, help="The same seed takes the same sessions; one is drawn if none is given."
)
@click.option(
    "--for",
    "people",
    multiple=True,
    metavar="NAME",
    help="Who labels; name several, and each gets as many sessions as the others.",
)
@click.option(
    "--each",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="With --for: how many people label each session.",
)
@json_option
@click.pass_context
def new(
    context: click.Context,
    name: str,
    query: tuple[str, ...],
    sample: str,
    size: int,
    metric: str,
    by: str,
    seed: int | None,
    people: tuple[str, ...],
    each: int,
    as_json: bool,
) -> None:
    """Make a queue NAME of the sessions that match QUERY, or of all."""
    from turnwise.engine.people.assigning import assign, checked_people
    from turnwise.engine.people.queues import QueuePlan, choose

    names = checked_people(people, each) if people or each > 1 else ()
    store = open_store(context)
    drawn = random.randrange(1_000_000) if seed is None else seed
    plan = QueuePlan(cast("SamplerWord", sample), size, " ".join(query), metric, drawn, by)
    chosen = choose(store, plan)
    assigned = assign(chosen, names, each) if names else {}
    number = store.queues.add(name, chosen, sampler=sample, settings=plan.settings(), assigned=assigned)
    row = store.queues.get(number)
    if as_json:
        emit(queue_data(row, store.queues.shares(number)))
    else:
        first = store.queues.next(number)
        narrate(f"Queue {row.name}: {count_words(row)}. It begins with session {first and first.session_id}.")
        _tell_shares(store, number)


@command.command("list")
@json_option
@click.pass_context
def list_queues(context: click.Context, as_json: bool) -> None:
    """List the queues and how far they are, newest first."""
    store = open_store(context, to_read=True)
    rows = store.queues.all()
    if as_json:
        for row in rows:
            emit(queue_data(row, store.queues.shares(row.id)))
        return
    if not rows:
        narrate("There are no queues yet: turnwise queue new NAME")
        return
    table = [
        [row.name, row.sampler, str(row.done), str(row.count), str(row.settings.get("query", ""))]
        for row in rows
    ]
    for line in columns(
        [["name", "sample", "done", "of", "filter"], *table], right=frozenset({2, 3}), most=60
    ):
        say(line)


@command.command("show")
@click.argument("queue")
@json_option
@click.pass_context
def show(context: click.Context, queue: str, as_json: bool) -> None:
    """List the sessions of QUEUE (its name or number) in order."""
    store = open_store(context, to_read=True)
    row = _queue(store, queue)
    items = store.queues.items(row.id)
    sessions = {one.id: one for one in store.sessions.rows([item.session_id for item in items])}
    if as_json:
        for item in items:
            session = sessions[item.session_id]
            data = {"place": item.place, "session": item.session_id, "done": item.done}
            emit({**data, "name": session.name, "label": session.label})
        return
    narrate(f"{row.name}: {count_words(row)}.")
    _tell_shares(store, row.id)
    table = [
        [str(item.place), "✓" if item.done else "·", str(item.session_id), sessions[item.session_id].name]
        for item in items
    ]
    for line in columns([["place", "done", "id", "session"], *table], right=frozenset({0, 2})):
        say(line)


@command.command("next")
@click.argument("queue")
@click.option("--author", help="Who labels: of sessions that people are named for, only theirs.")
@json_option
@click.pass_context
def next_session(context: click.Context, queue: str, author: str | None, as_json: bool) -> None:
    """Print the number of the first session of QUEUE that is not done; exit code 1 where all are."""
    store = open_store(context, to_read=True)
    row = _queue(store, queue)
    who = labeller(author)
    shares = store.queues.shares(row.id)
    if author is not None and shares and who not in [share.author for share in shares]:
        raise SettingError(
            f"{who} is to label nothing of {row.name}",
            next_step=f"Those who are: {', '.join(share.author for share in shares)}.",
        )
    item = store.queues.next(row.id, who)
    if as_json:
        place = {"session": item and item.session_id, "place": item and item.place}
        emit({**queue_data(row, shares), **place})
    elif item is None:
        own = next((share for share in shares if share.author == who), None)
        whose = f"all {own.count:,} of {who}" if own else f"all {row.count:,}"
        narrate(f"{row.name}: {whose} are done.")
    else:
        say(str(item.session_id))
    context.exit(0 if item else 1)


@command.command("hand")
@click.argument("queue")
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    required=True,
    help="The page to write; it appears when it is whole.",
)
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@json_option
@click.pass_context
def hand(context: click.Context, queue: str, output: Path, force: bool, as_json: bool) -> None:
    """Write QUEUE as one page on which somebody labels it in a browser, without turnwise or a server.

    No score and nobody's label is on it. The labels come back as a file: turnwise label --from FILE.
    """
    from turnwise.engine.people.handing_out import hand_out

    store = open_store(context, to_read=True)
    row = _queue(store, queue)
    damaged: list[DamageError] = []
    count = hand_out(store, row, output, force=force, on_damage=damaged.append)
    if as_json:
        emit({"queue": row.name, "sessions": count, "file": str(output)})
    narrate(
        f"{row.name}: {counted(count, 'session')} in {output}. It works in any browser; "
        "the file that it saves comes back by turnwise label --from FILE."
    )
    if damaged:
        tell_damage(damaged, "left out")
        context.exit(1)


@command.command("remove")
@click.argument("queue")
@json_option
@click.pass_context
def remove(context: click.Context, queue: str, as_json: bool) -> None:
    """Forget QUEUE; its sessions and their labels stay."""
    store = open_store(context, to_read=True)
    row = _queue(store, queue)
    store.queues.remove(row.id)
    if as_json:
        emit({"name": row.name, "removed": True})
    else:
        narrate(f"Removed: {row.name}. Labels stay.")


def _queue(store: Store, named: str) -> QueueRow:
    return store.queues.get(int(named) if named.isdecimal() and len(named) < 18 else named)


def count_words(row: QueueRow) -> str:
    """Say how far a queue is."""
    return f"{row.done:,} of {row.count:,} done"


def _tell_shares(store: Store, number: int) -> None:
    for share in store.queues.shares(number):
        narrate(f"  {make_safe_line(share.author)}: {share.done:,} of {share.count:,} labelled")


def queue_data(row: QueueRow, shares: Sequence[AssignedShare]) -> dict[str, object]:
    """Return a queue as lists print it. shares: who is to label how much of it."""
    return {
        "id": row.id,
        "name": row.name,
        "sampler": row.sampler,
        "count": row.count,
        "done": row.done,
        "settings": dict(row.settings),
        "people": [asdict(share) for share in shares],
        "created_at": row.created_at,
    }
