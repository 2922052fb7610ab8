"""OpenElements: the elements of a document that are open, asked and changed in a time that does not grow."""

from __future__ import annotations

from collections import defaultdict


class OpenElements:
    """The names of open elements, the innermost last. The same name may be open any number of times."""

    def __init__(self) -> None:
        # A name taken out of the middle leaves None; there is never one at the end.
        self._names: list[str | None] = []
        self._places: dict[str, list[int]] = defaultdict(list)
        self._first = 0

    def __bool__(self) -> bool:
        return bool(self._names)

    def __contains__(self, name: str) -> bool:
        return bool(self._places.get(name))

    @property
    def last(self) -> str | None:
        """The innermost element; None where none is open."""
        return self._names[-1] if self._names else None

    def begin(self, name: str) -> None:
        """Open an element inside all others."""
        self._places[name].append(len(self._names))
        self._names.append(name)

    def end_with_inner(self, name: str) -> None:
        """Close the innermost element of a name, which is open, with all that is open inside it."""
        del_from = self._places[name][-1]
        while len(self._names) > del_from:
            self._drop()
        self._trim()

    def end_alone(self, name: str) -> None:
        """Close the innermost element of a name, if any is open; those inside it stay open."""
        if name in self:
            self._names[self._places[name].pop()] = None
            self._trim()

    def begins_before(self, name: str) -> bool:
        """Whether any element is open outside of the innermost one of a name, which is open."""
        while self._names[self._first] is None:
            self._first += 1
        return self._first < self._places[name][-1]

    def _drop(self) -> None:
        name = self._names.pop()
        if name is not None:
            self._places[name].pop()

    def _trim(self) -> None:
        while self._names and self._names[-1] is None:
            self._names.pop()
        self._first = min(self._first, len(self._names))
