"""Words that messages of all rooms are made of: what was likely meant, how many there are, and shares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

ALIKE = 0.6
"""How much two names share at least, from 0 to 1, where one is offered for the other."""
A_SLIP = 0.75
"""From this likeness on an unknown name can hardly be anything but a slip of the known one."""

_ENDS = (".", ":", "?", "!", "…")


def nearest(given: str, known: Iterable[str], *, alike: float = ALIKE) -> str | None:
    """Return the known name that is most like a given one; None where none is at all alike.

    A name that differs in capitals, hyphens and underscores alone comes first, then one that a single slip
    of the hand makes of the other. alike: how much they share at least where none is so near, from 0 to 1;
    names that begin with different letters share as much as after a slip, or they only sound alike.
    """
    # Only who made a slip waits for it.
    import difflib

    names = list(known)
    plain = _plain(given)
    if plain and (same := next((name for name in names if _plain(name) == plain), None)) is not None:
        return same
    close = [name for name in names if one_slip_apart(given, name)]
    if close:
        return next(iter(difflib.get_close_matches(given, close, n=1, cutoff=0.0)), None)
    slips = difflib.get_close_matches(given, names, n=1, cutoff=max(alike, A_SLIP))
    begun = [name for name in names if name[:1].lower() == given[:1].lower()]
    return next(iter(slips or difflib.get_close_matches(given, begun, n=1, cutoff=alike)), None)


def one_slip_apart(one: str, other: str) -> bool:
    """Whether a letter left out, put in, doubled or put for another, or two that changed places, part them.

    Names that share no letter are not near each other, however short they are, nor those of another number.
    """
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    rest, other_rest = one[start:], other[start:]
    end = 0
    while end < min(len(rest), len(other_rest)) and rest[-1 - end] == other_rest[-1 - end]:
        end += 1
    left, right = rest[: len(rest) - end], other_rest[: len(other_rest) - end]
    if any(letter.isdigit() for letter in left + right):
        return False
    swapped = len(left) == len(right) == 2 and left == right[::-1]
    return swapped or (len(left) + len(right) > 0 and max(len(left), len(right)) == 1 and start + end > 0)


def mode_told(name: str, turn: int | None, author: str) -> str:
    """Say which failure mode a session has, where it shows and who says so: "Cuts off, turn 2, by Ana"."""
    return f"{name}{f', turn {turn}' if turn else ''}, by {author}"


def _plain(name: str) -> str:
    """Return a name as people hear it: without capitals, and without what parts its words."""
    return "".join(letter for letter in name.lower() if letter not in "-_ ")


def did_you_mean(given: str, known: Iterable[str], *, alike: float = ALIKE) -> str:
    """Return "Did you mean NAME?" with the known name that is most like a given one; "" where none is."""
    near = nearest(given, known, alike=alike)
    return f"Did you mean {near}?" if near is not None else ""


def listed(parts: Sequence[str]) -> str:
    """Return parts as a sentence lists them: "a, b and c"."""
    return " and ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)


def in_one_line(told: str) -> str:
    """Return what an error tells in several lines as sentences of one."""
    lines = (line.rstrip() for line in told.splitlines())
    return " ".join(line if line.endswith(_ENDS) else f"{line}." for line in lines if line)


def percent(share: float) -> str:
    """Return a share from 0 to 1 in percent, the one way that people see it: "67 %"."""
    return f"{round(100 * share)} %"


def percent_range(low: float, high: float) -> str:
    """Return from which share to which, of 0 to 1, something goes, as people see it: "15 to 85 %"."""
    return f"{round(100 * low)} to {percent(high)}"


def counted(count: int, noun: str, many: str = "") -> str:
    """Return how many there are: "1 session", "1,200 sessions". many: the plural, where it takes no s."""
    return f"{count:,} {noun if count == 1 else many or noun + 's'}"
