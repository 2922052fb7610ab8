"""turnwise label: say of a stored conversation whether it passes."""

from __future__ import annotations

import shlex
import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast, get_args

import click

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.conversations.marks import AtFault, LabelWord
from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import LabelRow, Store
from turnwise.engine.people.labelling import WHOLE, PersonLabels, keep_label, noted
from turnwise.tui.cli.options import json_option, open_store
from turnwise.tui.cli.output import columns, emit, narrate, say
from turnwise.tui.cli.reviewing.label_subjects import labelled_metric, labelled_turn
from turnwise.tui.cli.reviewing.show import label_data, label_line, said_words
from turnwise.tui.settings.settings import labeller

_EPILOG = """\b
Examples:
  turnwise label 12 pass
  turnwise label 12 fail --turn 10 --note "asks again for what it was told"
  turnwise label 12 fail --metric role_adherence
  turnwise label 12 --note "polite, but slow"
  turnwise label 12 --undo
  turnwise label 12 --history
  turnwise label 12 fail --at-fault tool --note "the search returned nothing"
  turnwise label --from labels-tuesday-ada.json
  turnwise label --to labels.csv
  turnwise label --from labels.csv

\b
--to writes all that was ever said, as CSV or as YAML by the file's ending, for git to keep;
--from takes it in again, here or in another database that has the same conversations.
A label is kept at once, with its author and time. A new one takes the place of the old,
which stays in the history; its note stays until another is given. The author is --author,
or else the one in the settings, or else your user name.
"""


@click.command(epilog=_EPILOG)
@click.argument("session", type=int, required=False)
@click.argument("word", type=click.Choice(["pass", "fail", "defer"]), required=False)
@click.option("--turn", type=click.IntRange(min=1), help="Where it shows, such as the first turn that fails.")
@click.option("--note", help="What was seen, in your own words.")
@click.option(
    "--metric", default="", help="The metric or criterion it is about; without it the whole conversation."
)
@click.option("--author", help="Who labels.")
@click.option(
    "--at-fault",
    type=click.Choice(get_args(AtFault)),
    help="Who failed, of a conversation that fails.",
)
@click.option("--blind", is_flag=True, help="You have not seen the scores.")
@click.option("--undo", is_flag=True, help="Take back the newest change; what was said before holds again.")
@click.option("--redo", is_flag=True, help="Make the change again that was undone last.")
@click.option("--history", is_flag=True, help="Print who said what, and when, oldest first.")
@click.option(
    "--from",
    "files",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Take in the labels of a file: a CSV or YAML, or what a page of `turnwise queue hand` saved.",
)
@click.option(
    "--to",
    "written",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write all labels into a CSV or YAML file, those that were changed since among them.",
)
@click.option(
    "--query", default="", help="With --to: only the labels of the sessions that this filter finds."
)
@click.option("--force", is_flag=True, help="With --to: write over a file that is there.")
@json_option
@click.pass_context
def command(
    context: click.Context,
    session: int | None,
    word: str | None,
    turn: int | None,
    note: str | None,
    metric: str,
    at_fault: AtFault | None,
    author: str | None,
    blind: bool,
    undo: bool,
    redo: bool,
    history: bool,
    files: tuple[Path, ...],
    written: Path | None,
    query: str,
    force: bool,
    as_json: bool,
) -> None:
    """Label SESSION: pass, fail, or defer to look at it again later. A note may stand alone."""
    if files:
        _refuse_beside(context, "--from", ("files", "author"))
        from turnwise.tui.cli.reviewing.handed import take_files

        context.exit(take_files(open_store(context), files, author, as_json=as_json))
    if written is not None:
        _refuse_beside(context, "--to", ("written", "query", "force"))
        from turnwise.tui.cli.reviewing.handed import write_file

        write_file(open_store(context, to_read=True), written, query, force=force, as_json=as_json)
        return
    if query or force:
        raise SettingError(
            f"{'--query' if query else '--force'} goes with --to", next_step="turnwise label --to labels.csv"
        )
    if session is None:
        raise SettingError(
            "Say which session", next_step="Give its number: `turnwise sessions` lists them; or --from FILE."
        )
    asked = [f"--{name}" for name in ("undo", "redo", "history") if context.params[name]]
    said_something = word is not None or note is not None
    if len(asked) + said_something != 1:
        raise SettingError(
            f"{asked[0]} goes alone" if asked else "Say what the session is: pass, fail or defer",
            next_step=f"For example: turnwise label {session} {asked[0] if asked else 'pass'}",
        )
    if at_fault is not None and word != "fail":
        raise SettingError(
            "--at-fault goes with fail",
            next_step=f"For example: turnwise label {session} fail --at-fault tool",
        )
    if word is None and (turn is not None or metric):
        raise SettingError(
            "--turn and --metric go with a label",
            next_step=f"For example: turnwise label {session} fail --turn 2",
        )
    store = open_store(context, to_read=True)
    turn = labelled_turn(store, session, turn, fails_whole=word == "fail" and not metric.strip())
    rows = store.labels.of(session)
    if history:
        _print_history([row for row in rows if author in (None, row.author)], as_json=as_json)
        return
    who = labeller(author)
    labelling = PersonLabels(who, rows)
    # Where there are no scores, nobody can have seen them.
    hidden = blind or not store.scores.newest_ids([session])
    if undo or redo:
        _step(store, session, labelling, redo=redo)
    elif word is None:
        keep_label(store, session, who, WHOLE, noted(labelling.whole, note or "", hidden=hidden))
    else:
        about = labelled_metric(store, metric)
        subject = (about, turn if about else None)
        was = labelling.of(subject)
        same = was.word == word
        said = replace(
            was,
            word=cast("LabelWord", word),
            turn=was.turn if turn is None and same else turn,
            note=was.note if note is None else note.strip(),
            blind=was.blind if same else hidden,
            value=None,
            at_fault=at_fault or (was.at_fault if same else None),
        )
        keep_label(store, session, who, subject, said)
        if (was.word, word, about) == ("fail", "pass", ""):
            _tell_of_modes(store, session, who)
    kept = store.labels.of(session)[-1]
    if as_json:
        emit(label_data(kept))
    else:
        say(f"Session {session}. {label_line(kept)}")


def _tell_of_modes(store: Store, session: int, author: str) -> None:
    """Say which failure modes an author gave a session with a fail that is a pass now: they still count."""
    for mode in store.modes.only_by(session, author):
        name = shlex.quote(make_safe_line(mode.name))
        narrate(f"It still has the failure mode “{make_safe_line(mode.name)}” from you. To take it away:")
        narrate(f"  → turnwise modes assign {name} {session} --remove")


def _refuse_beside(context: click.Context, option: str, allowed: Collection[str]) -> None:
    """Raise SettingError where something is said of a session, and the option is about files."""
    beside = [name for name, value in context.params.items() if value not in (None, False, "", ())]
    names = {"written": "--to", "files": "--from", "session": "a session", "word": "a label"}
    if wrong := [name for name in beside if name not in (*allowed, "as_json")]:
        told = (names.get(name, f"--{name.replace('_', '-')}") for name in wrong)
        raise SettingError(
            f"{option} goes without {' and '.join(told)}", next_step="The file says what each session is."
        )


def _step(store: Store, session: int, labelling: PersonLabels, *, redo: bool) -> None:
    """Say again what held before the author's newest change, or after the one that was undone last.

    Raises NotFoundError where there is none.
    """
    change = labelling.to_redo if redo else labelling.to_undo
    if change is None:
        raise NotFoundError(
            f"{labelling.author} has nothing to {'redo' if redo else 'undo'} on session {session}",
            next_step=f"`turnwise label {session} --history` lists what was said; --author says by whom.",
        )
    keep_label(store, session, labelling.author, change.subject, change.after)


def _print_history(rows: Sequence[LabelRow], *, as_json: bool) -> None:
    if as_json:
        for row in rows:
            emit(label_data(row))
        return
    if not rows:
        narrate("Nobody labelled it yet.")
        return
    head = ["when", "who", "about", "label", "turn", "", "note"]
    table = [
        [
            time.strftime("%Y-%m-%d %H:%M", time.localtime(row.created_at)),
            row.given_by,
            row.metric or "the whole",
            said_words(row) if row.label else "–",
            str(row.turn or ""),
            "blind" if row.blind and row.label else "",
            row.note,
        ]
        for row in rows
    ]
    for line in columns([head, *table], right=frozenset({4})):
        say(line)
