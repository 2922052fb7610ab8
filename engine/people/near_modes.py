"""Near modes: the failure modes that a reviewer is likely to give next, each under a digit that it keeps.

Near is what was given lately and often, and what is told of in words like those of the conversation that is
read. A mode keeps its digit for a whole sitting, and as far as can be for all: fingers learn it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from turnwise.conversations.store import FailureMode, Store

DIGITS = 9
LOOKED_BACK = 200
"""So many of the newest assignments and notes say what is near."""
_FADES = 0.97
"""What an assignment counts beside the one after it."""
_ALIKE_COUNTS = 2.0
"""What it counts beside the most use that all its words are in the conversation."""
_MOST_READ = 40_000
"""Characters of a conversation that are compared."""
_WORD = re.compile(r"\w{4,}")


@dataclass(frozen=True, slots=True)
class KnownModes:
    """What is known of the failure modes in use before a conversation is looked at.

    uses: how much each was given lately, newer assignments counting for more. words: those of its name, its
    definition and the notes that tell of it. Both by the number of the mode.
    """

    modes: Mapping[int, FailureMode]
    uses: Mapping[int, float]
    words: Mapping[int, frozenset[str]]

    @classmethod
    def read(cls, store: Store) -> KnownModes:
        """Read it from the store; it takes a few milliseconds."""
        modes = {mode.id: mode for mode in store.modes.all(counted=False)}
        uses = dict.fromkeys(modes, 0.0)
        for place, mode_id in enumerate(store.modes.newest_given(LOOKED_BACK)):
            if mode_id in uses:
                uses[mode_id] += _FADES**place
        told = {mode.name: f"{mode.name} {mode.definition}" for mode in modes.values()}
        for note in store.modes.notes(limit=LOOKED_BACK):
            for name in note.told:
                if name in told:
                    told[name] += f" {note.note}"
        return cls(modes, uses, {mode.id: words_of_text(told[mode.name]) for mode in modes.values()})

    def nearest(self, said: Iterable[str]) -> list[FailureMode]:
        """Return all modes, those first that are nearest to a conversation. said: its turns."""
        read = words_of_text(_beginning(said))
        most = max(self.uses.values(), default=0.0) or 1.0

        def nearness(mode: FailureMode) -> float:
            words = self.words[mode.id]
            alike = len(words & read) / len(words) if words else 0.0
            return self.uses[mode.id] / most + _ALIKE_COUNTS * alike

        return sorted(self.modes.values(), key=lambda mode: (-nearness(mode), mode.name.casefold()))


def _beginning(said: Iterable[str]) -> str:
    """Return as much of the turns as is compared."""
    found: list[str] = []
    room = _MOST_READ
    for text in said:
        found.append(text[:room])
        room -= len(text)
        if room <= 0:
            break
    return "\n".join(found)


def words_of_text(text: str) -> frozenset[str]:
    """Return the words of a text that are long enough to tell something."""
    return frozenset(_WORD.findall(text.casefold()))


def numbered(before: Sequence[int | None], nearest: Sequence[int], digits: int = DIGITS) -> list[int | None]:
    """Return which mode stands under each digit from 1; None for a digit whose mode is gone.

    before: what stood there until now: what still exists keeps its place, and new ones stand behind it for as
    long as there are digits. nearest: all modes by their numbers, the nearest first. Among themselves the new
    ones stand as they were named, so that a digit gives the same in each sitting, until there are more modes
    than digits.
    """
    there = frozenset(nearest)
    kept = [mode if mode in there else None for mode in before[:digits]]
    new = [mode for mode in nearest if mode not in kept]
    return [*kept, *sorted(new[: digits - len(kept)])]
