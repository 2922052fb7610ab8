"""EarlierSessions: which session of an earlier reading a conversation is that has gone on since.

A source that is read again gives what it gave before, mostly unchanged. A conversation is taken for one that
has gone on only where that one is no longer in the source as it was, and all it held still is.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from turnwise.conversations.store.unfinished.growing import GrowingTable, SaidSoFar, said_in

if TYPE_CHECKING:
    from turnwise.conversations.cases import ConversationalTestCase


_ON_ITS_WAY = "on its way"
"""Stands for the first words where they are the only ones, of which more may come."""
Kinship = Literal["goes on", "goes on elsewhere", "holds", "part", "same words"]
"""What a conversation is to earlier sessions: it goes on from one of this file, or from one that has
its id elsewhere, holds several or one that stands further in, is a part of one, or says the same in another
form."""
_ID_KEYS = ("source_id", "id", "conversation_id", "conv_id", "session_id", "chat_id", "thread_id")
"""Under which keys of its metadata a conversation has the id that its source knows it by."""
_LEAST_WITHIN = 2
"""A session of fewer turns is no part of another for being said in it, too: many begin and end alike."""


class EarlierSessions:
    """The sessions that a source gave before, less those that were found in it again."""

    def __init__(self, growing: GrowingTable, source: str) -> None:
        self._growing = growing
        self._ids = dict.fromkeys(growing.of(source))
        self._said: dict[int, SaidSoFar] | None = None
        # By what was said first, and by anything that was said: most conversations share neither with any.
        self._by_first: dict[str, list[SaidSoFar]] = {}
        self._by_any: dict[str, list[SaidSoFar]] = {}

    def found_again(self, session_id: int) -> None:
        """Take a session as still being in the source as it was."""
        self._ids.pop(session_id, None)

    def might_be(self, case: ConversationalTestCase) -> bool:
        """Say whether a conversation may turn out to be one of these, once all of the source is read."""
        return bool(self._ids) and self.continued_by(case) is not None

    def continued_by(self, case: ConversationalTestCase) -> int | None:
        """Return the session that a conversation continues; the longest where several are."""
        source_id, said = source_id_of(case), said_in(case.turns)
        found = [
            one
            for one in self._beginning_like(said)
            if one.session_id in self._ids and _continues(one, case, source_id, said)
        ]
        if not found:
            return None
        best = max(found, key=lambda one: (bool(source_id) and one.source_id == source_id, len(one.said)))
        return best.session_id

    def akin(self, case: ConversationalTestCase) -> tuple[list[int], Kinship] | None:
        """Return sessions that hold the same as a conversation, some of it, or more; None if none does."""
        if not self._ids:
            return None
        said = said_in(case.turns)
        before = self.continued_by(case)
        if before is not None and self._read()[before].said == said:
            return [before], "same words"
        within = self._within(said)
        if before is not None and not set(within) - {before}:
            return [before], "goes on"
        if within:
            return sorted({*within, *([] if before is None else [before])}), "holds"
        may_hold = self._by_any.get(said[0], ()) if said else ()
        whole = (one.session_id for one in may_hold if one.session_id in self._ids and _holds(one.said, said))
        found = next(whole, None)
        return None if found is None else ([found], "part")

    def elsewhere(self, case: ConversationalTestCase, *, before: int) -> tuple[list[int], Kinship] | None:
        """Return the session with the id of a conversation that this goes on from, whatever file it is of.

        before: the number of the conversation's own session; those that came later are not looked at.
        """
        said = said_in(case.turns)
        found = (self._growing.said(one) for one in self._growing.with_ids(_ids_of(case), before))
        begun = [one for one in found if one is not None and _begins(said, one.said)]
        longest = max(begun, key=lambda one: len(one.said), default=None)
        return None if longest is None else ([longest.session_id], "goes on elsewhere")

    def _within(self, said: tuple[str, ...]) -> list[int]:
        """Return the sessions all of which was said in a row in a conversation that has more."""
        self._read()
        return [
            one.session_id
            for first in dict.fromkeys(said)
            for one in self._by_first.get(first, ())
            if one.session_id in self._ids and len(one.said) >= _LEAST_WITHIN and _holds(said, one.said)
        ]

    def _read(self) -> dict[int, SaidSoFar]:
        # Mostly all is as it was, and nothing need be read.
        if self._said is None:
            read = [self._growing.said(session_id) for session_id in self._ids]
            self._said = {one.session_id: one for one in read if one is not None}
            for one in self._said.values():
                self._by_first.setdefault(_first_of(one.said), []).append(one)
                for said in dict.fromkeys(one.said):
                    self._by_any.setdefault(said, []).append(one)
        return self._said

    def _beginning_like(self, said: tuple[str, ...]) -> list[SaidSoFar]:
        """Return the sessions that what was said may go on from, as far as their first words tell."""
        self._read()
        return [*self._by_first.get(said[0] if said else "", ()), *self._by_first.get(_ON_ITS_WAY, ())]


def _first_of(said: tuple[str, ...]) -> str:
    """Return what was said first, where that is sure: what was said last may have been on its way."""
    return said[0] if len(said) > 1 else _ON_ITS_WAY


def file_source(path: Path) -> str:
    """Return the name under which it is remembered which sessions a file gave."""
    return f"file:{path.absolute()}"


def source_id_of(case: ConversationalTestCase) -> str:
    """Return the source's own id of a conversation; empty where it has none."""
    found = (case.metadata or {}).get("source_id")
    return found if isinstance(found, str) else ""


def _ids_of(case: ConversationalTestCase) -> list[tuple[str, str]]:
    """Return the ids of a conversation in its source, each with its key."""
    told = [(key, (case.metadata or {}).get(key)) for key in _ID_KEYS]
    return [(key, str(given)) for key, given in told if isinstance(given, str | int) and str(given).strip()]


def _traces_of(case: ConversationalTestCase) -> list[str]:
    """Return the traces of a conversation: one of them is its id until the conversation's own is known."""
    found = (case.metadata or {}).get("trace_id")
    return [one for one in (found if isinstance(found, list) else [found]) if isinstance(one, str)]


def _continues(
    before: SaidSoFar, case: ConversationalTestCase, source_id: str, said: tuple[str, ...]
) -> bool:
    if before.source_id and source_id and before.source_id not in (source_id, *_traces_of(case)):
        return False
    length = len(before.said)
    if not length or len(said) < length or said[: length - 1] != before.said[:-1]:
        return False
    if said[length - 1] == before.said[-1]:
        return True
    # What was said last may have been on its way when it was read.
    named = bool(source_id) and before.source_id == source_id
    return named or (bool(before.last) and case.turns[length - 1].content.startswith(before.last))


def _begins(whole: tuple[str, ...], part: tuple[str, ...]) -> bool:
    """Return whether a conversation begins with all that was said in another, and has more."""
    return 0 < len(part) < len(whole) and whole[: len(part)] == part


def _holds(whole: tuple[str, ...], part: tuple[str, ...]) -> bool:
    """Return whether all that was said in one conversation stands in a row in another, which has more."""
    length = len(part)
    if not length or len(whole) <= length:
        return False
    starts = (at for at in range(len(whole) - length + 1) if whole[at] == part[0])
    return any(whole[at : at + length] == part for at in starts)
