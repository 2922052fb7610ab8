"""Which conversations lack a turn where rows of a file cannot be read, so that none comes in with a hole."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from turnwise.conversations.formats.tables.rows import TableRow
from turnwise.conversations.models import shorten
from turnwise.conversations.words import listed


class _Run(NamedTuple):
    """Rows without a good one between them: what they may be of, and the conversations next to them."""

    before: str | None
    sure: frozenset[str]
    possible: frozenset[str]
    after: str | None


@dataclass(slots=True)
class Gaps:
    """What is gathered of the rows of a file, in their order, before its conversations are read.

    Rows are numbered as whoever reads them counts them. first_unread: the first that cannot be read.
    """

    first_unread: int | None = None
    _runs: dict[_Run, int] = field(default_factory=dict)
    _before: str | None = None
    _first: int | None = None
    _sure: set[str] = field(default_factory=set)
    _possible: set[str] = field(default_factory=set)

    def read(self, key: str) -> None:
        """A row of a conversation was read."""
        self._end_run(key)
        self._before = key

    def unread(self, number: int, sure: Iterable[str] = (), possible: Iterable[str] = ()) -> None:
        """A row cannot be read. sure: its conversation. possible: others, where there are such."""
        if self.first_unread is None:
            self.first_unread = number
        self.nameless(number)
        self._sure.update(sure)
        self._possible.update(possible)

    def nameless(self, number: int) -> None:
        """A row does not say of which conversation it is."""
        if self._first is None:
            self._first = number

    def left_out_of_one(self) -> SpoiltConversations:
        """Return what goes with the rows that cannot be read where all rows are one conversation."""
        if self.first_unread is None:
            return SpoiltConversations()
        return SpoiltConversations({""}, {self.first_unread: (True, [""])})

    def left_out(self, known: Container[str]) -> SpoiltConversations:
        """Return what goes with the rows that were not read. known: conversations of which a row was read.

        Rows that lie together are taken to be of one conversation where any of them says which: texts of
        several lines, written without quotes, are such rows.
        """
        self._end_run(None)
        found = SpoiltConversations()
        for run, number in self._runs.items():
            named = run.sure | {key for key in run.possible if key in known}
            of = named or {key for key in (run.before, run.after) if key is not None}
            fresh = sorted(key for key in of if key in known and key not in found.conversations)
            found.conversations.update(fresh)
            if fresh:
                found.by_row[number] = (bool(named), fresh)
        return found

    def _end_run(self, after: str | None) -> None:
        if self._first is None:
            return
        run = _Run(self._before, frozenset(self._sure), frozenset(self._possible), after)
        self._runs.setdefault(run, self._first)
        self._first = None
        self._sure.clear()
        self._possible.clear()


@dataclass(slots=True)
class SpoiltConversations:
    """Conversations that would lack a turn. by_row: those that a row is the first to spoil, and whether it
    says itself that it is of them.
    """

    conversations: set[str] = field(default_factory=set)
    by_row: dict[int, tuple[bool, list[str]]] = field(default_factory=dict)

    def words(self, number: int) -> str:
        """Say what goes with a row that was not read; empty where nothing does, or it was said before."""
        if number not in self.by_row:
            return ""
        is_named, keys = self.by_row[number]
        which = _conversations(keys)
        if is_named:
            return f"; so {which} left out, which would lack a turn"
        return f"; nothing tells which conversation it is of, so of those next to it {which} left out"


def _conversations(keys: list[str]) -> str:
    if len(keys) == 1:
        return f"conversation {shorten(keys[0])} is" if keys[0] else "the conversation is"
    return f"conversations {listed([shorten(key) for key in keys])} are"


def keys_of_unread(row: TableRow, key_in: Callable[[dict[str, Any]], str]) -> tuple[list[str], list[str]]:
    """Return the ids of the conversation that a row is surely of, and of those that it may be of."""
    keys = [key for reading in row.readings if (key := key_in(reading))]
    return (keys[:1], keys) if row.is_whole else ([], keys)
