"""turnwise pairs: which of two sessions is better, asked without names, and what that makes of each group."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import click

from turnwise.conversations.errors import SettingError
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.words import counted
from turnwise.tui.cli.asking import ask_first
from turnwise.tui.cli.options import CommandGroup, json_option, open_store
from turnwise.tui.cli.output import columns, emit, narrate, say
from turnwise.tui.pairs.preference_words import share_words, side_words, strength_words
from turnwise.tui.settings.settings import labeller

if TYPE_CHECKING:
    from turnwise.conversations.store import Preference, Store

_EPILOG = """\b
Examples:
  turnwise pairs new models --by model --size 40
  turnwise pairs new prompts --by meta.prompt tag:billing
  turnwise pairs next models
  turnwise pairs say models 1 left --note "the right one promises too much"
  turnwise pairs say models 1 --undo
  turnwise pairs show models
  turnwise pairs show models --json | jq '.groups[] | {group, win_share}'
  turnwise pairs remove models

\b
A pair is two sessions of different groups with the same scenario, or the same first words of
the user. Which one stands on the left is drawn, and nobody is told the groups before `show`.
`show` prints how often each group is preferred to the others (Bradley and Terry's model, fitted
as by Hunter, 2004; a tie is half a win), with intervals of 95 %, and how people lean to a side.
"""


@click.group("pairs", cls=CommandGroup, epilog=_EPILOG)
def command() -> None:
    """Ask people which of two sessions is better, and learn which group is."""


@command.command("new")
@click.argument("name")
@click.argument("query", nargs=-1)
@click.option(
    "--by", required=True, metavar="GROUP", help="The groups: model, tag, role, source or meta.KEY."
)
@click.option("--size", type=click.IntRange(1), default=40, show_default=True, help="Pairs at the most.")
@click.option("--seed", type=int, help="The same seed makes the same pairs; one is drawn if none is given.")
@json_option
@click.pass_context
def new(
    context: click.Context,
    name: str,
    query: tuple[str, ...],
    by: str,
    size: int,
    seed: int | None,
    as_json: bool,
) -> None:
    """Make pairs NAME of the sessions that match QUERY, or of all."""
    from turnwise.engine.people.pairing import PairPlan, choose_pairs

    store = open_store(context)
    plan = PairPlan(by, " ".join(query), size, random.randrange(1_000_000) if seed is None else seed)
    pairs = choose_pairs(store, plan)
    store.pairs.add(name, pairs, plan.settings())
    row = store.pairs.get(" ".join(name.split()))
    if as_json:
        emit({"name": row.name, "pairs": row.count, **row.settings})
    else:
        narrate(f"{counted(row.count, 'pair')}. The first: turnwise pairs next {row.name}")


@command.command("list")
@json_option
@click.pass_context
def list_pairs(context: click.Context, as_json: bool) -> None:
    """List all pairs that were made, newest first."""
    rows = open_store(context, to_read=True).pairs.all()
    if as_json:
        for row in rows:
            emit({"name": row.name, "pairs": row.count, **row.settings})
        return
    if not rows:
        narrate("There are no pairs yet: turnwise pairs new NAME --by model")
        return
    table = [
        [row.name, str(row.count), *(str(row.settings.get(key, "")) for key in ("by", "query"))]
        for row in rows
    ]
    for line in columns([["name", "pairs", "by", "filter"], *table], right=frozenset({1})):
        say(line)


@command.command("next")
@click.argument("name")
@click.option("--author", help="Who compares.")
@json_option
@click.pass_context
def next_one(context: click.Context, name: str, author: str | None, as_json: bool) -> None:
    """Print the first pair of NAME that you said nothing of; exit code 1 where there is none."""
    from turnwise.engine.people.preferring import next_pair

    store = open_store(context, to_read=True)
    row, pair = next_pair(store, name, labeller(author))
    if as_json:
        sides = {"left": _spoken(store, pair.left), "right": _spoken(store, pair.right)} if pair else {}
        emit({"name": row.name, "pairs": row.count, "place": pair and pair.place, **sides})
    elif pair is None:
        narrate(f"{row.name}: you compared all {row.count:,}. turnwise pairs show {row.name}")
    else:
        for title, session in (("left", pair.left), ("right", pair.right)):
            say(f"── {title} ──")
            for turn in _spoken(store, session):
                say(f"  {turn['role']}")
                for line in turn["content"].splitlines():
                    say(f"     {line}")
        narrate(
            f"Pair {pair.place} of {row.count:,}: turnwise pairs say {row.name} {pair.place} left|right|tie"
        )
    context.exit(0 if pair else 1)


def _spoken(store: Store, session: int) -> list[dict[str, Any]]:
    """Return what is read of one side: who speaks and what, and nothing that tells the group."""
    from turnwise.engine.people.blind_pairs import blind_turns

    return [
        {
            "role": turn.role,
            "content": turn.content,
            "tools": [make_safe_line(call.name) for call in turn.tools_called],
        }
        for turn in blind_turns(store, session)
        if turn.number is not None
    ]


@command.command("say")
@click.argument("name")
@click.argument("place", type=click.IntRange(1))
@click.argument("preferred", type=click.Choice(["left", "right", "tie"]), required=False)
@click.option("--note", default="", help="Why, in your own words.")
@click.option("--author", help="Who says it.")
@click.option("--undo", is_flag=True, help="Take back what you said of this pair.")
@json_option
@click.pass_context
def say_one(
    context: click.Context,
    name: str,
    place: int,
    preferred: Preference | None,
    note: str,
    author: str | None,
    undo: bool,
    as_json: bool,
) -> None:
    """Say which side of pair PLACE of NAME is better: left, right, or tie for neither."""
    from turnwise.engine.people.preferring import say_of_pair

    if undo == (preferred is not None) or (undo and note):
        raise SettingError(
            "Say left, right or tie, or take it back by --undo alone",
            next_step=f"For example: turnwise pairs say {name} {place} left",
        )
    who = labeller(author)
    say_of_pair(open_store(context), name, place, who, preferred, note=note)
    if as_json:
        emit({"place": place, "preferred": preferred, "author": who})
    elif undo:
        say(f"Pair {place}: taken back.")
    else:
        say(f"Pair {place}: {preferred}, as {who} sees it.")


@command.command("show")
@click.argument("name")
@json_option
@click.pass_context
def show(context: click.Context, name: str, as_json: bool) -> None:
    """Print how strong each group of NAME is, and how each person leans to a side."""
    from turnwise.engine.people.preferring import group_strengths

    found = group_strengths(open_store(context, to_read=True), name)
    if as_json:
        emit(found.data())
        return
    narrate(f"{found.name}: {found.done:,} of {counted(found.pairs, 'pair')} compared, groups by {found.by}.")
    if not found.people:
        narrate(f"Nobody said anything yet: turnwise pairs next {found.name}")
        return
    table = [
        [
            one.group,
            str(one.won),
            str(one.tied),
            str(one.lost),
            *share_words(one.win_share),
            strength_words(one.strength),
        ]
        for one in found.groups
    ]
    head = ["group", "won", "tied", "lost", "preferred", "interval", "strength"]
    for line in columns([head, *table], right=frozenset({1, 2, 3, 4, 6})):
        say(line)
    if len(found.parts) > 1:
        parts = " | ".join(", ".join(part) for part in found.parts)
        narrate(f"No strength can be told across groups that were never set beside each other: {parts}")
    for person in found.people:
        say(side_words(person))


@command.command("remove")
@click.argument("name")
@click.option("--yes", is_flag=True, help="Without being asked, also where people said something.")
@json_option
@click.pass_context
def remove(context: click.Context, name: str, yes: bool, as_json: bool) -> None:
    """Forget the pairs NAME and what people said of them; the sessions stay."""
    store = open_store(context, to_read=True)
    row = store.pairs.get(name)
    said = len(store.pairs.preferences(row.id))
    if said and not yes:
        ask_first(
            f"{counted(said, 'preference')} of {row.name} would be forgotten",
            "Forget the pairs?",
            next_step=f"Add --yes if that is meant; `turnwise pairs show {row.name}` tells what came of it.",
        )
    store.pairs.remove(row.id)
    if as_json:
        emit({"name": row.name, "removed": True, "preferences": said})
    else:
        narrate(f"Removed: {row.name}. Its sessions stay.")
