"""turnwise label: say of a stored conversation whether it passes."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import click

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.findings import LabelWord
from turnwise.conversations.store import Store
from turnwise.tui.cli.options import json_option, open_store
from turnwise.tui.cli.output import emit, say
from turnwise.tui.cli.show import label_data, label_line
from turnwise.tui.labeller import labeller
from turnwise.tui.labelling import Labelling, Opinion, Subject

_EPILOG = """\b
Examples:
  turnwise label 12 pass
  turnwise label 12 fail --turn 10 --note "asks again for what it was told"
  turnwise label 12 fail --metric role_adherence
  turnwise label 12 --undo

\b
A label is kept at once, with its author and time. A new one takes the place of the old,
which stays in the history; its note stays until another is given. The author is --author,
or else the one in the settings, or else your user name.
"""


@click.command(epilog=_EPILOG)
@click.argument("session", type=int)
@click.argument("word", type=click.Choice(["pass", "fail", "defer"]), required=False)
@click.option("--turn", type=click.IntRange(min=1), help="Where it shows, such as the first turn that fails.")
@click.option("--note", help="What was seen, in your own words.")
@click.option("--metric", default="", help="What the label is about; without it the whole conversation.")
@click.option("--author", help="Who labels.")
@click.option("--blind", is_flag=True, help="You have not seen the scores.")
@click.option("--undo", is_flag=True, help="Take back the newest change; what was said before holds again.")
@json_option
@click.pass_context
def command(
    context: click.Context,
    session: int,
    word: str | None,
    turn: int | None,
    note: str | None,
    metric: str,
    author: str | None,
    blind: bool,
    undo: bool,
    as_json: bool,
) -> None:
    """Label SESSION: pass, fail, or defer to look at it again later."""
    if undo == (word is not None):
        raise SettingError(
            "--undo goes without a label" if undo else "Say what the session is: pass, fail or defer",
            next_step=f"For example: turnwise label {session} {'--undo' if undo else 'pass'}",
        )
    store = open_store(context, to_read=True)
    spoken = store.sessions.get(session).turns
    if turn is not None and turn > spoken:
        raise NotFoundError(
            f"Session {session} has no turn {turn}", next_step=f"Its last one is turn {spoken}."
        )
    who = labeller(author)
    labelling = Labelling(who, store.labels.of(session))
    if undo:
        _undo(store, session, labelling)
    else:
        subject = (metric.strip(), turn if metric.strip() else None)
        was = labelling.of(subject)
        same = was.word == word
        # Where there are no scores, nobody can have seen them.
        hidden = blind or not store.scores.newest_ids([session])
        said = replace(
            was,
            word=cast("LabelWord", word),
            turn=was.turn if turn is None and same else turn,
            note=was.note if note is None else note.strip(),
            blind=was.blind if same else hidden,
            value=None,
        )
        _keep(store, session, who, subject, said)
    kept = store.labels.of(session)[-1]
    if as_json:
        emit(label_data(kept))
    else:
        say(f"Session {session}. {label_line(kept)}")


def _undo(store: Store, session: int, labelling: Labelling) -> None:
    """Say again what held before the author's newest change. Raises NotFoundError where there is none."""
    change = labelling.to_undo
    if change is None:
        raise NotFoundError(
            f"{labelling.author} has nothing to undo on session {session}",
            next_step=f"`turnwise show {session}` prints its labels; --author names whose is meant.",
        )
    _keep(store, session, labelling.author, change.subject, change.after)


def _keep(store: Store, session: int, author: str, subject: Subject, said: Opinion) -> None:
    metric, turn = subject
    store.labels.add(
        session,
        said.word,
        author=author,
        blind=said.blind,
        turn=turn if metric else said.turn,
        note=said.note,
        metric=metric,
        value=said.value,
    )
