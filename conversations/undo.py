"""Undo: which changes of one person stand, and which were taken back and can be made again.

The one rule of undo and redo, wherever changes are kept: an undo takes the newest change back that stands, a
redo makes the change again that was undone last, and a new change leaves nothing to redo. Labels and failure
modes build this anew from their rows in the store, where nothing is ever deleted; so it is the same after a
restart.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Generic, TypeVar

Change = TypeVar("Change")


class ChangeHistory(Generic[Change]):
    """The changes of one person in the order they were made. It changes nothing itself."""

    def __init__(self) -> None:
        self._standing: list[Change] = []
        self._undone: list[Change] = []

    @property
    def to_undo(self) -> Change | None:
        """The change that an undo takes back; None without one."""
        return self._standing[-1] if self._standing else None

    @property
    def to_redo(self) -> Change | None:
        """The change that a redo makes again; None without one."""
        return self._undone[-1] if self._undone else None

    @property
    def standing(self) -> int:
        """How many changes stand."""
        return len(self._standing)

    def make(self, change: Change) -> None:
        """Note that a new change was made."""
        self._standing.append(change)
        self._undone.clear()

    def begin_with(self, changes: Iterable[Change]) -> None:
        """Note that these changes, oldest first, stood before all that is known; they are taken back last."""
        self._standing[:0] = changes

    def undo(self, change: Change | None = None) -> None:
        """Note that a change was taken back: `to_undo` for None. Nothing where it does not stand."""
        if change is None:
            self._undone += self._standing[-1:]
            del self._standing[-1:]
        elif change in self._standing:
            self._standing.remove(change)
            self._undone.append(change)

    def forget_undone(self) -> None:
        """Leave nothing to redo: something else was changed."""
        self._undone.clear()

    def redo(self, change: Change | None = None) -> None:
        """Note that a change was made again: `to_redo` for None. It then stands as the newest."""
        if change is None:
            self._standing += self._undone[-1:]
            del self._undone[-1:]
            return
        if change in self._undone:
            self._undone.remove(change)
        self._standing.append(change)
