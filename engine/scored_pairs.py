"""Scored pairs: the same units scored on two sides, a hundred thousand of them in little room."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, overload

from turnwise.conversations.store.run_outcomes import OutcomeRow, RunOutcomes

Flip = Literal["failed", "passed"]
"""What a pair turned into: it passed in A and failed in B, or the other way."""
_RANKS: Mapping[Flip | None, int] = {"failed": 0, "passed": 1, None: 2}


@dataclass(frozen=True, slots=True)
class ScoredPair:
    """The same unit scored on both sides. name: the case's, as B's session is listed."""

    name: str
    a: OutcomeRow
    b: OutcomeRow
    delta: float
    flip: Flip | None

    @property
    def metric(self) -> str:
        """What both were judged by."""
        return self.a.metric

    @property
    def exchange(self) -> int | None:
        """Which exchange was judged; None for the whole."""
        return self.a.exchange

    @property
    def is_changed(self) -> bool:
        """Whether it flipped or its score moved."""
        return self.flip is not None or self.delta != 0


class ScoredPairs(Sequence[ScoredPair]):
    """Pairs of outcomes of two sides, by their places there; each is made when it is asked for."""

    def __init__(self, a: RunOutcomes, b: RunOutcomes, names: Sequence[str]) -> None:
        """names: of the cases, by number; those of later cases may be added to it."""
        self._a, self._b, self._names = a, b, names
        self._places_a = array("q")
        self._places_b = array("q")
        self._cases = array("q")

    def add(self, place_a: int, place_b: int, case: int) -> None:
        """Put a pair at the end: where its scores stand on both sides, and the number of its case."""
        self._places_a.append(place_a)
        self._places_b.append(place_b)
        self._cases.append(case)

    def extend(self, others: ScoredPairs) -> None:
        """Put the pairs of the same two sides at the end."""
        self._places_a.extend(others._places_a)
        self._places_b.extend(others._places_b)
        self._cases.extend(others._cases)

    def sort(self) -> None:
        """Put flips first, those to fail before those to pass, then what moved furthest.

        What moved as far stays in the order it came in.
        """
        order = sorted(range(len(self)), key=lambda place: -abs(self.delta(place)))
        # By one key after the other: a pair of keys for each would take more room than all the pairs.
        order.sort(key=lambda place: _RANKS[self.flip(place)])
        for name in ("_places_a", "_places_b", "_cases"):
            column = getattr(self, name)
            setattr(self, name, array(column.typecode, map(column.__getitem__, order)))

    def delta(self, place: int) -> float:
        """Return how far the score of a pair moved from A to B."""
        return self._b.score(self._places_b[place]) - self._a.score(self._places_a[place])

    def flip(self, place: int) -> Flip | None:
        """Return what a pair turned into, None where it is what it was."""
        a, b = self._a.passed(self._places_a[place]), self._b.passed(self._places_b[place])
        if a is None or b is None or a == b:
            return None
        return "passed" if b else "failed"

    def __len__(self) -> int:
        return len(self._cases)

    @overload
    def __getitem__(self, place: int) -> ScoredPair: ...

    @overload
    def __getitem__(self, place: slice) -> list[ScoredPair]: ...

    def __getitem__(self, place: int | slice) -> ScoredPair | list[ScoredPair]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        return ScoredPair(
            self._names[self._cases[place]],
            self._a[self._places_a[place]],
            self._b[self._places_b[place]],
            self.delta(place),
            self.flip(place),
        )
