"""turnwise show: one conversation with its scores and labels."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

import click

from turnwise.conversations.errors import DamageError
from turnwise.conversations.marks import QUOTED, outcome_sign
from turnwise.conversations.safe_text import make_safe, make_safe_line
from turnwise.conversations.store import (
    DAMAGED,
    REPAIR_STEP,
    AboutPart,
    AssignedMode,
    LabelRow,
    ScoreRow,
    Store,
    TurnRow,
    quote_gone,
    standing_labels,
)
from turnwise.conversations.words import counted, mode_told
from turnwise.tui.cli.options import json_option, open_store
from turnwise.tui.cli.output import emit, lines_in_terminal, narrate, say, say_linked
from turnwise.tui.terminal.links import link, source_target, takes_links

_EPILOG = """\b
Examples:
  turnwise show 12
  turnwise show 12 --blind
  turnwise show 12 --json | jq '.turns[] | select(.role == "user") | .content'
"""
_FOUND = ("scores", "labels", "failure_modes")
_LONGEST = 400
_TITLE = 18
"""Cells of what a thing is called that is said about a session, with the gap after it."""


@click.command(epilog=_EPILOG)
@click.argument("session", type=int)
@click.option("--blind", is_flag=True, help="Without scores and labels, to judge it by yourself.")
@json_option
@click.pass_context
def command(context: click.Context, session: int, blind: bool, as_json: bool) -> None:
    """Print transcript, newest scores and labels of SESSION, a number from `turnwise sessions`."""
    store = open_store(context, to_read=True)
    if as_json:
        told = session_object(store, session)
        emit({name: value for name, value in told.items() if not blind or name not in _FOUND})
        return
    row = store.sessions.get(session)
    say(make_safe_line(row.name))
    links = _wants_links()
    about = [row.chatbot_role, counted(row.turns, "turn"), row.source, *row.tags]
    target = source_target(row.source) if links else ""
    shown = [make_safe_line(part) for part in about if part]
    sys.stdout.write(" · ".join(link(part, target if part == row.source else "") for part in shown) + "\n")
    lost: list[str] = []
    with _told(lost, "what is said about it"):
        for part in store.sessions.about(session).parts:
            if part.title != "tags":
                print_part(part, links=links)
    turns = store.turns.of(session)
    for turn in turns:
        say()
        print_turn(turn, links=links)
    if not blind:
        _print_found(store, session, lost)
    if count := sum(turn.remark.startswith(DAMAGED) for turn in turns):
        lost.insert(0, f"{count:,} of its messages")
    if row.damaged:
        lost.insert(0, "its line in lists")
    if lost:
        narrate(f"! Session {session:,} is damaged: {', '.join(lost)} cannot be read, or not wholly.")
        narrate(f"  → {REPAIR_STEP}")
        context.exit(1)


def _print_found(store: Store, session: int, lost: list[str]) -> None:
    """Print what was found about a session; what cannot be read goes to `lost`."""
    with _told(lost, "its scores"):
        scores = store.scores.newest(session)
        if scores:
            say("\nScores")
        for score in scores:
            print_score(score)
    with _told(lost, "its labels"):
        labels = store.labels.of(session)
        stands = standing_labels(labels)
        for label in stands:
            say(label_line(label))
        if earlier := len(labels) - len(stands):
            narrate(f"{counted(earlier, 'earlier label')}: `turnwise label {session} --history`.")
    with _told(lost, "its failure modes"):
        for mode in store.modes.of(session):
            print_mode(mode)


def print_mode(mode: AssignedMode) -> None:
    """Print a failure mode of a session, where it shows and who says so."""
    say(make_safe_line(f"Failure mode: {mode_told(mode.name, mode.turn, mode.author)}"))


@contextmanager
def _told(lost: list[str], what: str) -> Iterator[None]:
    """Note what cannot be read in the block, and go on."""
    try:
        yield
    except DamageError:
        lost.append(what)


def _wants_links() -> bool:
    """Whether standard output is a terminal whose user takes links."""
    if not sys.stdout.isatty() or not takes_links(os.environ):
        return False
    # Settings take 50 ms to read, and only a terminal is worth it.
    from turnwise.tui.settings.settings import load_settings

    return load_settings().links


def session_object(store: Store, session: int) -> dict[str, Any]:
    """Return all of a session as JSON-ready values."""
    from turnwise.conversations.cases import LLMTestCase
    from turnwise.conversations.turns import number_turns
    from turnwise.engine.metrics.subject import Subject

    row = store.sessions.get(session)
    case = store.sessions.case(session)
    whole = Subject.of(case).case
    data = whole.model_dump(mode="json", exclude_defaults=True, exclude={"turns"})
    turns = [
        {"number": number, "tools_called": [], **turn.model_dump(mode="json", exclude_defaults=True)}
        for number, turn in zip(number_turns(whole.turns), whole.turns, strict=True)
    ]
    return {
        "id": row.id,
        "kind": "exchange" if isinstance(case, LLMTestCase) else "conversation",
        "source": row.source,
        "created_at": row.created_at,
        # Lists cut a long name; here it is whole.
        "name": whole.name or row.name,
        "chatbot_role": row.chatbot_role or None,
        "tags": list(row.tags),
        "metadata": {},
        **{name: value for name, value in data.items() if name not in ("tags", "name", "chatbot_role")},
        "turns": turns,
        "scores": [score_data(score) for score in store.scores.newest(session)],
        "labels": [label_data(label) for label in store.labels.of(session)],
        "failure_modes": [
            {"name": mode.name, "turn": mode.turn, "author": mode.author} for mode in store.modes.of(session)
        ],
    }


def score_data(score: ScoreRow) -> dict[str, Any]:
    """Return a stored outcome as JSON-ready values."""
    return asdict(score)


def label_line(label: LabelRow) -> str:
    """Return a label as one line."""
    about = f" {label.metric}" if label.metric else ""
    value = f" ({label.value:.2f})" if label.value is not None else ""
    place = f", turn {label.turn}" if label.turn else ""
    said = make_safe_line(f"Label:{about} {said_words(label)}{value} by {label.given_by}{place}.")
    return f"{said} {_hanging(label.note)}".rstrip()


def said_words(label: LabelRow) -> str:
    """Say what a label says in a few words, such as "fail (tool)"."""
    word = label.label or "taken back"
    at_fault = f" (the {label.at_fault} failed)" if label.at_fault else ""
    return f"{word}{at_fault}{', where people differed' if label.adjudicates else ''}"


def label_data(label: LabelRow) -> dict[str, Any]:
    """Return a label as JSON-ready values."""
    return asdict(label)


def print_part(part: AboutPart, *, links: bool = False) -> None:
    """Print one thing that is said about a session: what it is, and its text beside that."""
    title = make_safe_line(part.title)
    first, *others = lines_in_terminal(make_safe(part.text), len("  ") + _TITLE)
    # A long name stands alone, so that the texts stay in a column.
    head = f"  {title:<{_TITLE}}" if len(title) < _TITLE else f"  {title}\n  {'':<{_TITLE}}"
    say_linked(f"{head}{first}", links)
    for line in others:
        say_linked(f"  {'':<{_TITLE}}{line}", links)


def print_turn(turn: TurnRow, *, links: bool = False) -> None:
    """Print one message with its tool calls and passages. links: whether addresses can be opened."""
    number = str(turn.number) if turn.number else " "
    cut = " · cut short" if turn.interrupted else ""
    say(f"{number:>3}  {turn.role}{f' ({make_safe_line(turn.name)})' if turn.name else ''}{cut}")
    for text in turn.reasoning:
        say(f"     ▸ reasoning: {_cut(text)}")
    for line in lines_in_terminal(make_safe(turn.content), len("     ")) if turn.content else ():
        say_linked(f"     {line}", links)
    for file in turn.files:
        say_linked(f"     + {make_safe_line(file)}", links)
    for call in turn.tools_called:
        time = f"  {call.seconds:.1f} s" if call.seconds is not None else ""
        say(f"     ▸ {make_safe_line(call.name)}({_cut(call.arguments)}){time}")
    for passage in turn.passages:
        say_linked(f"     ┆ {_cut(passage)}", links)
    if turn.told:
        say(f"     {make_safe_line(turn.told)}")
    if turn.remark:
        say(f"     ! {make_safe_line(turn.remark)}")


def print_score(score: ScoreRow) -> None:
    """Print one outcome with the verdicts that did not pass."""
    place = f" (exchange {score.exchange})" if score.exchange else ""
    if score.outcome == "score":
        say(f"  {outcome_sign(score)} {score.metric}{place}  {score.score:.2f}  {_hanging(score.reason)}")
    else:
        sign, word = ("–", "skipped") if score.outcome == "skipped" else ("!", "not judged")
        say(f"  {sign} {score.metric}{place}  {word}: {_hanging(score.reason)}")
        if score.next_step:
            say(f"      → {make_safe_line(score.next_step)}")
    if score.remark:
        say(f"      {_hanging(score.remark)}")
    for verdict in score.verdicts:
        if verdict.passed is False:
            turn = f"turn {verdict.turn}" if verdict.turn else "conversation"
            about = f" «{_cut(verdict.about)}»" if verdict.about else ""
            say(f"      {turn}{about}: {_hanging(verdict.reason)}")
            if verdict.quote and verdict.quote.text != verdict.about and not verdict.gone:
                say(f"        {QUOTED} {_cut(verdict.quote.text)}")
            if told := quote_gone(verdict):
                say(f"        {_hanging(told)}")


def _hanging(text: str) -> str:
    """Indent all lines but the first, so that no line of a transcript can pass for one of this program."""
    return make_safe(text).replace("\n", "\n        ")


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[:_LONGEST] + "…"
