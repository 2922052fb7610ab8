"""The order of novelty: which conversation shows most that none of those before it showed.

Each step takes the conversation with the most signs that are still unseen, over the root of all its signs, so
that a long conversation is not first for being long. Once it is taken, its signs are seen. This is greedy
maximum coverage, which is within 1 - 1/e of the best (Nemhauser, Wolsey and Fisher 1978, Mathematical
Programming 14) where lengths are alike; data for speech recognisers were chosen in this way by Wei et al.
2014 (ICASSP, "Submodular subset selection for large-scale speech training data"). Farthest first, the other
usual rule, takes what is odd and alone: here a sign has to be shared to count.

Words are many, events fewer and figures few, so they are not added up: every second step goes by what is
said, and those between by what happens and by figures in turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from heapq import heapify, heappop, heapreplace
from itertools import cycle
from math import sqrt

from turnwise.engine.novelty.sign_index import SignIndex, index_signs, standing_out
from turnwise.engine.novelty.signs import Sighting

_FLOOR = 0.3
"""Conversations with less than this share of the usual number of signs count as if they had that share."""


def novel_order(sightings: Sequence[Sighting], seen: Collection[int] = ()) -> Iterator[int]:
    """Yield the places of all conversations that were not seen, the most novel first.

    seen: the places of those that were reviewed. Once all signs are seen, all count anew.
    """
    words = _Coverage(index_signs([one.words for one in sightings]))
    course = _Coverage(index_signs([one.course for one in sightings]))
    figures = _Coverage(index_signs(standing_out([one.shape for one in sightings])))
    kinds = (words, course, figures)
    for reviewed in seen:
        for kind in kinds:
            kind.see(reviewed)
    left = set(range(len(sightings))) - set(seen)
    for kind in cycle((words, course, words, figures)):
        found = (one.best(left) for one in (kind, *kinds))
        place = next((one for one in found if one is not None), None)
        if place is not None:
            left.discard(place)
            for one in kinds:
                one.see(place)
            yield place
            continue
        began_anew = [one.begin_anew() for one in kinds]
        if not any(began_anew):
            yield from sorted(left)
            return


class _Coverage:
    """The signs of one kind: which are still unseen, and how many of them each conversation shows."""

    def __init__(self, index: SignIndex) -> None:
        self._index = index
        self._is_seen = bytearray(len(index.shown_in))
        self.unseen = [len(signs) for signs in index.shown_by]
        usual = sorted(self.unseen)[len(self.unseen) // 2] if self.unseen else 0
        self._weights = [1 / sqrt(max(count, _FLOOR * usual, 1)) for count in self.unseen]
        self._heap = self._fresh_heap()

    def _fresh_heap(self) -> list[tuple[float, int]]:
        heap = [
            (-count * weight, place)
            for place, (count, weight) in enumerate(zip(self.unseen, self._weights, strict=True))
        ]
        heapify(heap)
        return heap

    def best(self, left: Collection[int]) -> int | None:
        """Return which of those left shows most that is unseen, for its length; of several the first.

        None where none of them shows anything unseen.
        """
        # What is unseen only ever grows less, so whoever still has the value it was put in with is the best.
        while self._heap:
            value, place = self._heap[0]
            now = -self.unseen[place] * self._weights[place]
            if place not in left or not now:
                heappop(self._heap)
            elif value == now:
                return place
            else:
                heapreplace(self._heap, (now, place))
        return None

    def see(self, place: int) -> None:
        """Take that a conversation was seen, with all that it shows."""
        for sign in self._index.shown_by[place]:
            if not self._is_seen[sign]:
                self._is_seen[sign] = 1
                for other in self._index.shown_in[sign]:
                    self.unseen[other] -= 1

    def begin_anew(self) -> bool:
        """Count all signs as unseen again; return whether any was seen."""
        was_seen = any(self._is_seen)
        self._is_seen = bytearray(len(self._is_seen))
        self.unseen = [len(signs) for signs in self._index.shown_by]
        self._heap = self._fresh_heap()
        return was_seen
