"""Sign indexes: which signs of many conversations count, and which conversations show each.

A sign that next to nobody shares says nothing about a way to go wrong; one that a fifth of all share is met
soon enough without being looked for. Of signs that mostly come together, such as the words of one sentence,
one stands for all: a sentence counts once, however long it is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

LEAST_SHARE = 0.001
"""The share of conversations that show a sign, from which on it counts; two have to in any case."""
GREATEST_SHARE = 0.2
TOGETHER = 0.5
"""From this Jaccard likeness on (both over either) two signs count as one."""
_ENDS = (0.01, 0.03)
"""Which shares of the conversations have the least, and the greatest, of a figure."""

Sign = TypeVar("Sign", bound=object)


@dataclass(frozen=True, slots=True)
class SignIndex:
    """Signs by number, from 0.

    shown_in: per sign the places of the conversations that show it. shown_by: per conversation its signs.
    """

    shown_in: Sequence[Sequence[int]]
    shown_by: Sequence[Sequence[int]]


def index_signs(shown: Sequence[Collection[Sign]]) -> SignIndex:
    """Return the signs that count. shown: per conversation all that it shows."""
    places: dict[Sign, list[int]] = defaultdict(list)
    for place, signs in enumerate(shown):
        for sign in signs:
            places[sign].append(place)
    least, greatest = max(2.0, LEAST_SHARE * len(shown)), GREATEST_SHARE * len(shown)
    counting = (found for found in places.values() if least <= len(found) <= max(greatest, least))
    shown_in = _apart(sorted(counting, key=lambda found: (-len(found), found)), len(shown))
    shown_by: list[list[int]] = [[] for _ in shown]
    for number, found in enumerate(shown_in):
        for place in found:
            shown_by[place].append(number)
    return SignIndex(shown_in, shown_by)


def _apart(signs: Sequence[list[int]], count: int) -> list[list[int]]:
    """Return the signs that do not mostly come together with one before them. signs: the commonest first."""
    kept: list[list[int]] = []
    masks: list[int] = []
    first = 0
    """The first of those kept that is not too common to be like the present one."""
    for places in signs:
        while first < len(kept) and len(places) < TOGETHER * len(kept[first]):
            first += 1
        mask = _mask(places, count)
        size = len(places)
        for other in range(first, len(kept)):
            both = (mask & masks[other]).bit_count()
            if both >= TOGETHER * (size + len(kept[other]) - both):
                break
        else:
            kept.append(places)
            masks.append(mask)
    return kept


def _mask(places: Sequence[int], count: int) -> int:
    bits = bytearray(count // 8 + 1)
    for place in places:
        bits[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(bits, "little")


def standing_out(shapes: Sequence[Mapping[str, float]]) -> list[list[str]]:
    """Say per conversation which of its figures are among the least or the greatest.

    A figure that is the same in most conversations has no least: nothing stands out by being usual.
    """
    found: list[list[str]] = [[] for _ in shapes]
    for name in sorted({name for shape in shapes for name in shape}):
        values = sorted(shape[name] for shape in shapes if name in shape)
        middle = values[len(values) // 2]
        for share in _ENDS:
            far = int(share * len(values))
            low, high = values[far], values[-1 - far]
            for place, shape in enumerate(shapes):
                value = shape.get(name, middle)
                if value <= low < middle:
                    found[place].append(f"{name} least {share}")
                if value >= high > middle:
                    found[place].append(f"{name} greatest {share}")
    return found
