"""turnwise adjudicate: settle what people see differently, without knowing who said what."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, cast, get_args

import click

from turnwise.conversations.errors import SettingError
from turnwise.conversations.marks import AtFault, LabelWord
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.words import counted
from turnwise.tui.cli.options import json_option, open_store
from turnwise.tui.cli.output import columns, emit, narrate, say, say_whole_words
from turnwise.tui.cli.reviewing.label_subjects import labelled_turn, metric_with_labels
from turnwise.tui.settings.settings import labeller

if TYPE_CHECKING:
    from collections.abc import Sequence

    from turnwise.conversations.store import Store
    from turnwise.engine.people.adjudicating import DisputedSession, SaidByOne

_EPILOG = """\b
Examples:
  turnwise adjudicate
  turnwise adjudicate --metric role_adherence --query tag:billing
  turnwise adjudicate 12
  turnwise show 12 --blind
  turnwise adjudicate 12 fail --turn 4 --at-fault tool --note "both are right about turn 4"
  turnwise adjudicate 12 --undo
  turnwise queue new open --sample disputed

\b
Without SESSION it lists what people see differently; with it, what each of them says,
without names; `turnwise show SESSION --blind` prints the conversation without scores and
labels. PASS or FAIL then settles it: that word counts in place of the majority, the labels
of the others stay, and agreement between people is measured without it.
In the app, the review of a queue of disputed sessions does the same.
"""


@click.command("adjudicate", epilog=_EPILOG)
@click.argument("session", type=int, required=False)
@click.argument("word", type=click.Choice(["pass", "fail"]), required=False)
@click.option("--metric", default="", help="As to which metric; without it the whole conversation.")
@click.option("--query", default="", help="Of the list: only sessions that this filter finds.")
@click.option("--turn", type=click.IntRange(min=1), help="Where a fail shows.")
@click.option("--at-fault", type=click.Choice(get_args(AtFault)), help="Who failed.")
@click.option("--note", default="", help="Why, in your own words.")
@click.option("--author", help="Who settles it.")
@click.option("--undo", is_flag=True, help="Take back what you said last to settle it.")
@json_option
@click.pass_context
def command(
    context: click.Context,
    session: int | None,
    word: str | None,
    metric: str,
    query: str,
    turn: int | None,
    at_fault: AtFault | None,
    note: str,
    author: str | None,
    undo: bool,
    as_json: bool,
) -> None:
    """Settle what people see differently of SESSION, or list all that is to be settled."""
    from turnwise.engine.people.adjudicating import disputed_sessions, settle, unsettle

    if (word is None and (turn or at_fault or note)) or (word != "fail" and (turn or at_fault)):
        raise SettingError(
            "--turn and --at-fault go with fail, and --note with pass or fail",
            next_step="For example: turnwise adjudicate 12 fail --turn 4",
        )
    if undo and (session is None or word is not None or metric):
        raise SettingError("--undo goes with a session alone", next_step="turnwise adjudicate 12 --undo")
    if session is not None and query:
        raise SettingError("--query is for the list", next_step="Leave the session out, or the filter.")
    if author is not None and word is None and not undo:
        raise SettingError(
            "--author goes with pass, fail or --undo", next_step="Labels are listed without names."
        )
    store = open_store(context, to_read=True)
    metric = metric_with_labels(store, metric)
    if session is None:
        _list(disputed_sessions(store, metric, query=query), as_json=as_json)
        return
    turn = labelled_turn(store, session, turn, fails_whole=word == "fail" and not metric)
    who = labeller(author)
    if undo:
        change = unsettle(store, session, who)
        _tell(session, change.after.word or "open again", who, as_json=as_json)
        return
    if word is None:
        _show(store, session, metric, as_json=as_json)
        return
    _refuse_unless_disputed(store, session, metric)
    settle(
        store,
        session,
        who,
        cast("LabelWord", word),
        metric=metric,
        turn=turn,
        note=note,
        at_fault=at_fault,
    )
    _tell(session, word, who, as_json=as_json)


def _list(found: list[DisputedSession], *, as_json: bool) -> None:
    if as_json:
        for one in found:
            emit(asdict(one))
        return
    if not found:
        narrate("People see nothing differently that is not settled.")
        return
    table = [[str(one.session), _counts(one.said), one.name] for one in found]
    for line in columns([["session", "said", "conversation"], *table], right=frozenset({0}), most=60):
        say(line)
    narrate(f"{counted(len(found), 'session')} to settle: turnwise adjudicate {found[0].session}")


def _counts(said: Sequence[SaidByOne]) -> str:
    words = [one.word for one in said]
    return f"{words.count('pass')} pass, {words.count('fail')} fail"


def _show(store: Store, session: int, metric: str, *, as_json: bool) -> None:
    from turnwise.engine.people.adjudicating import said_without_names

    said = said_without_names(store, session, metric)
    if as_json:
        emit({"session": session, "metric": metric, "said": [asdict(one) for one in said]})
        return
    if not said:
        narrate(f"Nobody labelled session {session} yet.")
        return
    for one in said:
        place = f" at turn {one.turn}" if one.turn else ""
        failed = f", the {one.at_fault} failed" if one.at_fault else ""
        note = f": {make_safe_line(one.note)}" if one.note else ""
        say_whole_words(f"One person says {one.word}{place}{failed}{note}")
    narrate(f"turnwise show {session} --blind prints it; turnwise adjudicate {session} pass|fail settles it.")


def _refuse_unless_disputed(store: Store, session: int, metric: str) -> None:
    """Raise SettingError where nobody differs: that word would count in place of what all of them say."""
    from turnwise.engine.people.adjudicating import said_without_names

    words = {one.word for one in said_without_names(store, session, metric)}
    if words != {"pass", "fail"}:
        about = f" --metric {metric}" if metric else ""
        said = f"Everybody who labelled it says {words.pop()}." if words else "Nobody labelled it yet."
        raise SettingError(
            f"There is nothing to settle of session {session}",
            detail=said,
            next_step=f"Give a label of your own: turnwise label {session} pass{about}",
        )


def _tell(session: int, word: str, author: str, *, as_json: bool) -> None:
    if as_json:
        emit({"session": session, "settled": word if word in ("pass", "fail") else None, "author": author})
    else:
        settled = f"Session {session}: {word}, as {author} settled it."
        say(settled if word in ("pass", "fail") else f"Session {session} is open again.")
