"""IdsWhenAsked: the ids of a long list of sessions, which are read only where somebody needs them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Protocol, overload


class ListedSessions(Protocol):
    """A list of sessions in its order. known_as: a name for what is in it as long as nothing was written;
    None where it has none.
    """

    known_as: Hashable

    def count(self) -> int:
        """Return how many there are."""
        ...

    def ids(self) -> list[int]:
        """Return the ids of all of them."""
        ...


class IdsWhenAsked(Sequence[int]):
    """The ids of all sessions of a list, in its order, read when the first of them is asked for.

    To read a hundred thousand takes longer than a key may, and a dialog that opens only tells how many.
    """

    def __init__(self, sessions: ListedSessions) -> None:
        self._sessions = sessions
        self._count = sessions.count()
        self._ids: list[int] | None = None

    @property
    def known_as(self) -> Hashable:
        """A name for all sessions in their order, as long as nothing was written; None for what was found."""
        return self._sessions.known_as

    def __len__(self) -> int:
        return self._count if self._ids is None else len(self._ids)

    @overload
    def __getitem__(self, at: int) -> int: ...

    @overload
    def __getitem__(self, at: slice) -> list[int]: ...

    def __getitem__(self, at: int | slice) -> int | list[int]:
        return self.read()[at]

    def __iter__(self) -> Iterator[int]:
        return iter(self.read())

    def read(self) -> list[int]:
        """Return all ids, read once."""
        if self._ids is None:
            self._ids = self._sessions.ids()
        return self._ids
