"""Occurrences of failure modes: a few sessions of each, with what the chatbot said and people noted there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from turnwise.conversations.store import NoteRow, Store, TurnRow, written_term

MOST_OCCURRENCES = 3
"""So many sessions stand for a mode."""
MOST_CHARACTERS = 400
"""A reply that is longer is cut."""


@dataclass(frozen=True, slots=True)
class ModeOccurrence:
    """A session that shows a failure mode.

    turn: the number of the turn at which it shows, None for the whole session. said: what the chatbot said
    there; of a whole session where a metric first fails, or last where none does. note, author: what was
    noted of it, newest first; empty without a note.
    """

    session_id: int
    session: str
    turn: int | None
    said: str
    note: str = ""
    author: str = ""


@dataclass(frozen=True, slots=True)
class ModeInWords:
    """A failure mode with its definition, empty where it has none, and the sessions that stand for it."""

    name: str
    definition: str
    occurrences: Sequence[ModeOccurrence]


def modes_in_words(store: Store, query: str = "", most: int = MOST_OCCURRENCES) -> list[ModeInWords]:
    """Return the failure modes of the sessions that a query means, the most frequent first.

    most: so many a mode, those with a note first. Raises SettingError where the query means nothing.
    """
    found = []
    written = store.modes.notes()
    for mode in sorted(store.modes.all(), key=lambda mode: -mode.sessions):
        ids = store.sessions.ids(f"{query} {written_term('mode', mode.name)}".strip(), None)
        if ids:
            notes = {note.session_id: note for note in reversed(written) if mode.name in note.told}
            shown = list(_occurrences(store, mode.id, ids, notes, most))
            found.append(ModeInWords(mode.name, mode.definition, shown))
    return found


def _occurrences(
    store: Store, mode_id: int, ids: Sequence[int], notes: Mapping[int, NoteRow], most: int
) -> Iterator[ModeOccurrence]:
    noted = {one: notes[one] for one in ids if one in notes}
    first = [
        *sorted(noted, key=lambda one: -noted[one].created_at),
        *(one for one in ids if one not in noted),
    ]
    for row in store.sessions.rows(first[:most]):
        given = next((one for one in store.modes.of(row.id) if one.mode_id == mode_id), None)
        note = noted.get(row.id)
        turn = given.turn if given is not None else None
        turn = note.turn if turn is None and note is not None else turn
        said = _said(store.turns.of(row.id), _failed_turn(store, row.id) if turn is None else turn)
        yield ModeOccurrence(
            row.id, row.name, turn, said, note.note if note else "", note.author if note else ""
        )


def _failed_turn(store: Store, session_id: int) -> int | None:
    """Return the first turn at which a metric that fails found something; None where none did."""
    turns = [
        verdict.turn
        for score in store.scores.newest(session_id)
        if score.passed is False
        for verdict in score.verdicts
        if verdict.passed is False and verdict.turn is not None
    ]
    return min(turns, default=None)


def _said(turns: Sequence[TurnRow], number: int | None) -> str:
    """Return the words of a turn, of the last reply where none is named, on one line."""
    there = [
        turn for turn in turns if (turn.number == number if number is not None else turn.role == "assistant")
    ]
    text = " ".join(there[-1].content.split()) if there else ""
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS].rstrip()}…"
