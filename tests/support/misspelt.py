"""Slips of the hand: a name with one letter left out, swapped, doubled or put for another."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from zlib import crc32

_OTHER = "jq"


def misspelt(name: str, known: Collection[str], *, kinds: int = 4) -> list[str]:
    """Return misspellings of a name, none of which is a known name: one of each kind, always the same.

    kinds: how many kinds at most.
    """
    found: dict[str, None] = {}
    for edits in (_without(name), _swapped(name), _doubled(name), _replaced(name)):
        able = [edit for edit in dict.fromkeys(edits) if edit not in known and edit.strip() == edit != ""]
        if able:
            found[able[crc32(name.encode()) % len(able)]] = None
    return list(found)[:kinds]


def _without(name: str) -> Iterator[str]:
    # A name of one letter has nothing left that could be told.
    return (name[:place] + name[place + 1 :] for place in range(len(name)) if len(name) > 2)


def _swapped(name: str) -> Iterator[str]:
    for place in range(len(name) - 1):
        first, second = name[place : place + 2]
        if first != second:
            yield name[:place] + second + first + name[place + 2 :]


def _doubled(name: str) -> Iterator[str]:
    return (name[:place] + name[place] + name[place:] for place in range(len(name)))


def _replaced(name: str) -> Iterator[str]:
    for place in range(len(name)):
        other = _OTHER[name[place] == _OTHER[0]]
        yield name[:place] + other + name[place + 1 :]
