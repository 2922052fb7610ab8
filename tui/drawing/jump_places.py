"""Places within a widget that one can jump to by a letter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class JumpPlace:
    """x, y: cells from the widget's left upper corner. go: what going there does."""

    x: int
    y: int
    go: Callable[[], object]


@runtime_checkable
class HasPlaces(Protocol):
    """A widget that has more places than itself; any other that takes the focus is one place."""

    def jump_places(self) -> Sequence[JumpPlace]:
        """Return the places that are in sight, from above."""
        ...
