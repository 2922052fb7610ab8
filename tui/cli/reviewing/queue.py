"""turnwise queue: which sessions to review, in what order, and how far that is."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from turnwise.conversations.errors import DamageError, SettingError
from turnwise.conversations.marks import PASSED, UNSURE
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.words import counted
from turnwise.tui.cli.options import CommandGroup, json_option, open_store
from turnwise.tui.cli.output import Progress, columns, emit, narrate, say, tell_damage
from turnwise.tui.settings.settings import labeller

if TYPE_CHECKING:
    from turnwise.conversations.store import AssignedShare, QueueItem, QueueRow, Store
    from turnwise.engine.people.queues import SamplerWord

_EPILOG = """\b
Examples:
  turnwise queue new tuesday --sample uncertain --size 50 role:airline
  turnwise queue new worst --sample failures --metric role_adherence
  turnwise queue new each --sample random --by meta.language
  turnwise queue new unread --sample new --size 60
  turnwise queue list
  turnwise queue new both --for ada --for ben --each 2
  turnwise queue new open --sample disputed
  turnwise queue new faithful --sample next --metric faithfulness --within 5
  turnwise queue next tuesday
  turnwise queue next both --author ada
  turnwise queue show tuesday --json
  turnwise queue hand tuesday --output tuesday.html
  turnwise queue remove tuesday

\b
Samples: random, failures (worst scores first, those without last), uncertain (near a threshold, or judge
and checks disagree), tags (as many of each), unlabelled, disputed (people see them
differently: `turnwise adjudicate` settles them), next (one by one, whose label tells most
of the rate at which people pass sessions, guided by the scores of --metric; `show` says
the rate, an interval that holds whenever you look, and how many labels it still needs),
new (first what is unlike all that has a label, in words, tools, errors, lengths; of more
than 5,000 sessions as many are looked at, drawn at random). Sessions that have a label are
left out, unless they are disputed or QUERY asks for labels. A session is done once it gets a
label; with --for, once each who is to label it did.
"""
_SAMPLES = ("random", "failures", "uncertain", "tags", "unlabelled", "disputed", "next", "new")


@click.group("queue", cls=CommandGroup, epilog=_EPILOG)
def command() -> None:
    """Make and follow queues of sessions to review; in the app: Q in the library."""


@command.command("new")
@click.argument("name")
@click.argument("query", nargs=-1)
@click.option("--sample", type=click.Choice(_SAMPLES), default="random", show_default=True)
@click.option(
    "--size",
    type=click.IntRange(1),
    help="Sessions at the most; default: 50, and of next as many as the rate needs.",
)
@click.option(
    "--metric", default="", help="Of failures, uncertain and next: whose scores count; default: all, or none."
)
@click.option(
    "--within",
    type=click.FloatRange(0, 50, min_open=True),
    metavar="PERCENT",
    help="Of next: how wide the interval may be to either side; default: 5.",
)
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
    size: int | None,
    metric: str,
    within: float | None,
    by: str,
    seed: int | None,
    people: tuple[str, ...],
    each: int,
    as_json: bool,
) -> None:
    """Make a queue NAME of the sessions that match QUERY, or of all."""
    from turnwise.engine.people.assigning import checked_people
    from turnwise.engine.people.next_labels import NO_LIMIT, USUAL_WITHIN, make_queue
    from turnwise.engine.people.queues import USUAL_SIZE, QueuePlan

    if within is not None and sample != "next":
        raise SettingError("--within is for --sample next", next_step="Leave it out, or take that sample.")
    names = checked_people(people, each) if people or each > 1 else ()
    store = open_store(context)
    drawn = random.randrange(1_000_000) if seed is None else seed
    most = size or (NO_LIMIT if sample == "next" else USUAL_SIZE)
    plan = QueuePlan(cast("SamplerWord", sample), most, " ".join(query), metric, drawn, by)
    narrow = USUAL_WITHIN if within is None else within / 100
    progress = Progress()

    def told(done: int, of: int) -> None:
        progress.show(f"looked at {done:,} of {of:,} sessions …")

    try:
        number = make_queue(store, name, plan, people=names, each=each, within=narrow, told=told)
    finally:
        progress.clear()
    row = store.queues.get(number)
    if as_json:
        emit(_data(store, row))
    else:
        first = store.queues.next(number)
        narrate(f"Queue {row.name}: {count_words(row)}. It begins with session {first and first.session_id}.")
        _tell_shares(store, number)
        _tell_rate(store, row)


@command.command("list")
@json_option
@click.pass_context
def list_queues(context: click.Context, as_json: bool) -> None:
    """List the queues and how far they are, newest first."""
    store = open_store(context, to_read=True)
    rows = store.queues.all()
    if as_json:
        for row in rows:
            emit(_data(store, row))
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
        chances = {one.session_id: {"chance": one.chance} for one in store.draws.drawn(row.id)}
        for item in items:
            session = sessions[item.session_id]
            data = {
                "place": item.place,
                "session": item.session_id,
                "done": item.done,
                "put_off": item.put_off,
            }
            emit({**data, **chances.get(item.session_id, {}), "name": session.name, "label": session.label})
        return
    narrate(f"{row.name}: {count_words(row)}.")
    _tell_shares(store, row.id)
    _tell_rate(store, row)
    table = [
        [str(item.place), _sign(item), str(item.session_id), sessions[item.session_id].name] for item in items
    ]
    for line in columns([["place", "done", "id", "session"], *table], right=frozenset({0, 2})):
        say(line)


@command.command("next")
@click.argument("queue")
@click.option("--author", help="Who labels: of sessions that people are named for, only theirs.")
@json_option
@click.pass_context
def next_session(context: click.Context, queue: str, author: str | None, as_json: bool) -> None:
    """Print the number of the first session of QUEUE that is not done; exit code 1 where all are.

    What was put off comes last.
    """
    from turnwise.engine.people.next_labels import draw_ahead

    store = open_store(context, to_read=True)
    row = _queue(store, queue)
    draw_ahead(store, row)
    row = store.queues.get(row.id)
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
        emit({**_data(store, row), **place})
    elif item is None:
        own = next((share for share in shares if share.author == who), None)
        whose = f"all {own.count:,} of {who}" if own else f"all {row.count:,}"
        narrate(f"{row.name}: {whose} are done.")
    else:
        say(str(item.session_id))
    if not as_json:
        _tell_rate(store, row)
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
    from turnwise.engine.people.next_labels import more_drawn_words

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
    if more := more_drawn_words(row):
        narrate(more)
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
    off = f", {row.put_off:,} put off" if row.put_off else ""
    return f"{row.done:,} of {row.count:,} done{off}"


def _sign(item: QueueItem) -> str:
    return PASSED if item.done else UNSURE if item.put_off else "·"


def _tell_shares(store: Store, number: int) -> None:
    for share in store.queues.shares(number):
        narrate(f"  {make_safe_line(share.author)}: {share.done:,} of {share.count:,} labelled")


def _tell_rate(store: Store, row: QueueRow) -> None:
    from turnwise.engine.people.next_labels import drawn_words, rate_of, rate_words

    if (rate := rate_of(store, row)) is not None:
        narrate(f"  {make_safe_line(drawn_words(row))}")
        narrate(f"  {rate_words(rate)}")


def _data(store: Store, row: QueueRow) -> dict[str, object]:
    """Return a queue as lists print it, with its pass rate where it draws for one."""
    from turnwise.engine.people.next_labels import rate_of

    data, rate = queue_data(row, store.queues.shares(row.id)), rate_of(store, row)
    return data if rate is None else {**data, "rate": asdict(rate)}


def queue_data(row: QueueRow, shares: Sequence[AssignedShare]) -> dict[str, object]:
    """Return a queue as lists print it. shares: who is to label how much of it."""
    return {
        "id": row.id,
        "name": row.name,
        "sampler": row.sampler,
        "count": row.count,
        "done": row.done,
        "put_off": row.put_off,
        "settings": dict(row.settings),
        "people": [asdict(share) for share in shares],
        "created_at": row.created_at,
    }
