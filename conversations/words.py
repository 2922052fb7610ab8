"""Words that messages of all rooms are made of: what was likely meant, and how many there are."""

from __future__ import annotations

from collections.abc import Iterable

ALIKE = 0.6
"""How much two names share at least, from 0 to 1, where one is offered for the other."""


def nearest(given: str, known: Iterable[str], *, alike: float = ALIKE) -> str | None:
    """Return the known name that is most like a given one; None where none is at all alike.

    alike: how much they share at least, from 0 to 1.
    """
    # Only who made a slip waits for it.
    import difflib

    return next(iter(difflib.get_close_matches(given, list(known), n=1, cutoff=alike)), None)


def did_you_mean(given: str, known: Iterable[str], *, alike: float = ALIKE) -> str:
    """Return "Did you mean NAME?" with the known name that is most like a given one; "" where none is."""
    near = nearest(given, known, alike=alike)
    return f"Did you mean {near}?" if near is not None else ""


def counted(count: int, noun: str, many: str = "") -> str:
    """Return how many there are: "1 session", "1,200 sessions". many: the plural, where it takes no s."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"
