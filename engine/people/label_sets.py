"""Label sets: all that people said of sessions, in a CSV or YAML that git keeps, and back into a database.

    write_label_set(label_set_of(store), Path("labels.csv"))
    take_label_set(another_store, read_label_set(Path("labels.csv")))

A row is one label as it was given, changed minds and labels that were taken back among them, so the history
comes back too. A session is named by what it holds, and is found again in any database that has it.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from turnwise.conversations.errors import InputError, NotFoundError, SettingError
from turnwise.conversations.findings import Label
from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.store import LabelRow, SplitName, Store
from turnwise.conversations.texts import mend_text

IDENTITY_DIGITS = 16
"""How many hex digits name a session in a label set."""
_LONGEST_NUMBER = 15


@dataclass(frozen=True, slots=True)
class SetRow:
    """One label of a set. place: where it stands, for messages, such as "row 12".

    session: the session's identity, its number in this database, or its name where no other bears it. name:
    the session's, for people who read the file. split: the one that the session is in; None for none.
    """

    place: str
    session: str
    label: Label
    split: SplitName | None = None
    name: str = ""


@dataclass(frozen=True, slots=True)
class LabelSet:
    """What a file holds. file: its name. refused: the rows that could not be read."""

    file: str
    rows: Sequence[SetRow]
    refused: Sequence[InputError] = ()


@dataclass(frozen=True, slots=True)
class TakenSet:
    """What became of a set: how many labels are new and how many were known, of which sessions, by whom."""

    new: int
    unchanged: int
    sessions: Sequence[int]
    authors: Sequence[str]
    refused: Sequence[InputError]


def label_set_of(store: Store, query: str = "") -> Iterator[SetRow]:
    """Yield every label that was ever given to the sessions of a query, session by session, oldest first.

    Raises SettingError for a query that means nothing.
    """
    splits = store.splits.members()
    wanted = sorted(store.sessions.ids(query))
    identities = {number: identity for identity, numbers in _identities(store).items() for number in numbers}
    names = store.judgements.names(wanted)
    for session in wanted:
        for row in store.labels.of(session):
            label = _label_of(row)
            yield SetRow("", identities[session], label, splits.get(session), names.get(session, ""))


def take_label_set(store: Store, found: LabelSet) -> TakenSet:
    """Keep what a set says, each label once, and say what became of it.

    A row is refused, and the others are kept, where its session is not here or is one of several, its turn is
    not in the session, the same person said something newer of it here, or the session is in another split.
    """
    identities = _identities(store)
    names = _names(store) if any(not _is_told(row.session, identities) for row in found.rows) else {}
    refused = list(found.refused)
    by_session: defaultdict[int, list[SetRow]] = defaultdict(list)
    for row in found.rows:
        try:
            by_session[_session_of(store, row, identities, names)].append(row)
        except InputError as error:
            refused.append(error)
    new = unchanged = 0
    changed: list[int] = []
    authors: dict[str, None] = {}
    members = store.splits.members()
    with store.writing():
        for session, rows in sorted(by_session.items()):
            kept, known, wrong = _keep(store, session, rows, found.file)
            new, unchanged = new + len(kept), unchanged + known
            authors |= dict.fromkeys(label.author for label in kept)
            if kept:
                changed.append(session)
            refused += wrong
            refused += _keep_split(store, session, rows, members)
    return TakenSet(new, unchanged, changed, tuple(authors), refused)


def _keep(
    store: Store, session: int, rows: Sequence[SetRow], file: str
) -> tuple[list[Label], int, list[InputError]]:
    """Keep the labels of one session; return the new ones, how many were known, and what was refused."""
    standing = store.labels.of(session)
    known = {_moment(_label_of(row)) for row in standing}
    timeless = {replace(label, at=None) for label in known}
    newest: dict[tuple[object, ...], float] = {}
    for given in standing:
        newest[_subject(_label_of(given))] = given.created_at
    numbers = {turn.number for turn in store.turns.of(session)}
    now = time.time()
    kept: list[Label] = []
    unchanged = 0
    refused: list[InputError] = []
    # A set that was edited by hand may hold a session's labels in any order.
    for row in sorted(rows, key=lambda row: now if row.label.at is None else row.label.at):
        label = _mended(row.label, now)
        if _moment(label) in known or (label.at is None and label in timeless):
            unchanged += 1
        elif label.turn is not None and label.turn not in numbers:
            refused.append(
                NotFoundError(
                    f"{row.place}: session {session} has no turn {label.turn}",
                    next_step="Mend the turn in the file.",
                )
            )
        elif label.at is not None and label.at < newest.get(_subject(label), 0.0):
            refused.append(
                SettingError(
                    f"{row.place}: {label.author} labelled session {session} anew since",
                    next_step=f"What is newer stands. `turnwise label {session}` changes it.",
                )
            )
        else:
            kept.append(label)
            known.add(_moment(label))
            timeless.add(replace(label, at=None))
    store.labels.add_new(session, kept, at=now, came_from=file)
    return kept, unchanged, refused


def _keep_split(
    store: Store, session: int, rows: Sequence[SetRow], members: Mapping[int, SplitName]
) -> list[InputError]:
    told = {row.split: row for row in rows if row.split is not None}
    there = members.get(session)
    if there is None and len(told) == 1:
        store.splits.add(dict.fromkeys([session], *told))
        return []
    return [
        SettingError(
            f"{row.place}: session {session} is to be in {split}, and in {other} too",
            detail="A session stays in its split for good, to be tested on nothing that it taught.",
            next_step="Name one split for it in the file, the one that it has here.",
        )
        for split, row in told.items()
        if (other := there or next((one for one in told if one != split), split)) != split
    ]


def _session_of(
    store: Store, row: SetRow, identities: Mapping[str, Sequence[int]], names: Mapping[str, Sequence[int]]
) -> int:
    """Return the session that a row means. Raises NotFoundError and SettingError."""
    said = row.session.strip()
    if _is_number(said) and int(said) in store.sessions:
        return int(said)
    meant = identities.get(said.lower()) or names.get(said, ())
    if len(meant) == 1:
        return meant[0]
    who = f"{said} ({row.name})" if row.name else said
    if not meant:
        raise NotFoundError(
            f"{row.place}: there is no session {who} here",
            detail="A session is named by what it holds, by its number in this database, or by its name.",
            next_step="Import the conversations first; or --db names another database.",
        )
    raise SettingError(
        f"{row.place}: {len(meant)} sessions are called {who}",
        detail=f"They are {', '.join(map(str, meant[:5]))}.",
        next_step="Write the number of the one that is meant under session.",
    )


def _is_number(said: str) -> bool:
    return said.isascii() and said.isdecimal() and len(said) <= _LONGEST_NUMBER


def _is_told(session: str, identities: Mapping[str, Sequence[int]]) -> bool:
    return _is_number(session.strip()) or session.strip().lower() in identities


def _identities(store: Store) -> Mapping[str, list[int]]:
    """Return the sessions by what they hold: their content and the role that the chatbot has in them."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for number, print_, role in store.sessions.prints():
        found[fingerprint([print_, role])[:IDENTITY_DIGITS]].append(number)
    return found


def _names(store: Store) -> Mapping[str, list[int]]:
    found: defaultdict[str, list[int]] = defaultdict(list)
    for row in store.sessions.each():
        found[row.name].append(row.id)
    return found


def _label_of(row: LabelRow) -> Label:
    return Label(
        word=row.label,
        author=row.author,
        metric=row.metric,
        value=row.value,
        turn=row.turn,
        note=row.note,
        blind=row.blind,
        at=row.created_at,
        at_fault=row.at_fault,
        adjudicates=row.adjudicates,
    )


def _mended(label: Label, now: float) -> Label:
    """Return a label as the store keeps it; a clock that is ahead makes it no newer than what follows."""
    author, metric, note = (mend_text(text) for text in (label.author, label.metric, label.note))
    at = None if label.at is None else min(label.at, now)
    return replace(label, author=author, metric=metric, note=note, at=at)


def _moment(label: Label) -> Label:
    """Return a label whose time is as exact as files keep it: to the microsecond."""
    return label if label.at is None else replace(label, at=round(label.at, 6))


def _subject(label: Label) -> tuple[object, ...]:
    return label.author, label.metric, label.turn if label.metric else None, label.adjudicates
