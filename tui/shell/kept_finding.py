"""KeptFinding: something that takes long to find out, as it was found last."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class KeptFinding(Generic[T]):
    """Gives it again as long as all is the same that it was found for."""

    def __init__(self) -> None:
        self._kept: tuple[Hashable, T] | None = None

    def of(self, found_for: Hashable) -> T | None:
        """Return what was found for this; None where something else was asked about last."""
        return self._kept[1] if self._kept is not None and self._kept[0] == found_for else None

    def keep(self, found_for: Hashable, found: T) -> None:
        """Keep it in the place of what was found before."""
        self._kept = found_for, found
