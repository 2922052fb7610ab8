"""Adjudicating: what people see differently, shown without their names, and settled by one more look.

    found = disputed_sessions(store)
    settle(store, found[0].session, "ben", "fail", note="it promised a refund twice")

A word that settles is kept as a label of its own kind: nobody's opinion is changed by it, and agreement
between people is measured without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.marks import AtFault, LabelWord
from turnwise.conversations.store import LabelRow, OpinionRow, Store
from turnwise.engine.people.labelling import CurrentLabel, LabelChange, PersonLabels, keep_label
from turnwise.engine.people.opinions import disputes, opinions_of


@dataclass(frozen=True, slots=True)
class SaidByOne:
    """What one of those who differ said, without the name. turn: where it shows, None for no single one."""

    word: LabelWord
    turn: int | None
    note: str
    at_fault: AtFault | None


@dataclass(frozen=True, slots=True)
class DisputedSession:
    """A session that people see differently. metric: as to which; empty for the conversation as a whole.

    said: what each of them said, those who fail it first; nothing of it tells who they are.
    """

    session: int
    name: str
    metric: str
    said: Sequence[SaidByOne]


def disputed_sessions(store: Store, metric: str = "", *, query: str = "") -> list[DisputedSession]:
    """Return the sessions that people see differently and nobody settled yet, by number.

    metric: as to which. Raises SettingError for a query that means nothing.
    """
    found = disputes(store, metric, query=query)
    names = store.judgements.names(list(found))
    return [
        DisputedSession(session, names.get(session, ""), metric, said_without_names(store, session, metric))
        for session in sorted(found)
    ]


def said_without_names(store: Store, session: int, metric: str = "") -> list[SaidByOne]:
    """Return what people say of a session by now, those who fail it first, in an order that names nobody."""
    return [
        SaidByOne(row.label, row.turn, row.note.strip(), row.at_fault)
        for row in without_names(store.labels.of(session), metric).values()
        if row.label is not None
    ]


def without_names(rows: Sequence[LabelRow], metric: str = "") -> dict[str, LabelRow]:
    """Return the label of each person that counts for a metric, as those of "person 1", "person 2" and so on.

    rows: of one session, oldest first. Those who fail it come first: who is which follows from what they say
    alone.
    """
    newest: dict[object, LabelRow] = {}
    for row in rows:
        subject = row.author, row.adjudicates, row.subject
        # What is said anew comes last, as of labels of several turns the last counts.
        newest.pop(subject, None)
        newest[subject] = row
    by_opinion = {_opinion_of(row): row for row in newest.values()}
    counting = opinions_of(by_opinion, metric).values()
    said = [by_opinion[opinion] for by_author in counting for opinion in by_author.values()]
    said.sort(key=lambda row: (row.label or "", row.turn or 0, row.note))
    return {f"person {place}": row for place, row in enumerate(said, 1)}


def _opinion_of(row: LabelRow) -> OpinionRow:
    return OpinionRow(
        row.session_id,
        row.author,
        row.metric,
        row.label,
        row.blind,
        row.note,
        row.adjudicates,
        row.created_at,
    )


def settle(
    store: Store,
    session: int,
    author: str,
    word: LabelWord,
    *,
    metric: str = "",
    turn: int | None = None,
    note: str = "",
    at_fault: AtFault | None = None,
) -> None:
    """Say what holds of a session that people see differently; it is no blind label, as theirs were read."""
    said = CurrentLabel(word, turn, note.strip(), at_fault=at_fault)
    keep_label(store, session, author, (metric, turn if metric else None), said, adjudicates=True)


def unsettle(store: Store, session: int, author: str) -> LabelChange:
    """Take back what an author said last to settle a session, and return that change.

    Raises NotFoundError where there is nothing to take back.
    """
    own = PersonLabels(author, store.labels.of(session), adjudicating=True)
    change = own.to_undo
    if change is None:
        raise NotFoundError(
            f"{author} settled nothing of session {session}",
            next_step=f"`turnwise label {session} --history` lists what was said, and by whom.",
        )
    keep_label(store, session, author, change.subject, change.after, adjudicates=True)
    return change
