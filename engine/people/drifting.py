"""Drift: whether somebody passes more, or less, in their later labels than in their first ones.

    drift = drift_of("ada", opinions, passed)
    drift.change.value, drift.is_sure

Each label is set beside what others say of the same session, so that a batch of easier sessions is no drift.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean
from types import MappingProxyType
from typing import Any

from turnwise.engine.people.opinions import Opinions
from turnwise.engine.people.statistics.unseen import Counts, interval_of_counts

FEWEST_IN_HALF = 10
"""Of fewer sessions in each half no drift is told: even the greatest would hardly stand out."""
_KINDS = (-1.0, -0.5, 0.0, 0.5, 1.0)
"""How far a label can lie above what others say: they pass (1), fail (0), or are split evenly (one half)."""


@dataclass(frozen=True, slots=True)
class Drift:
    """How somebody's later labels differ from their first ones, beside one yardstick.

    beside: "others", or the metric whose newest scores are the yardstick; empty where there is none.
    sessions: how many labels have one. change: by how much the share that they pass rose, -2 to 2, beyond
    that of the yardstick; low, high: its 95 % interval. All three are None where labels are too few. more:
    how many more sessions it takes until a drift is told, 0 where it is.
    """

    author: str
    beside: str
    sessions: int
    change: float | None = None
    low: float | None = None
    high: float | None = None
    more: int = 0

    @property
    def is_sure(self) -> bool:
        """Whether the interval leaves out that nothing changed."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)

    def data(self) -> dict[str, Any]:
        """Return it as JSON-ready values."""
        return {**asdict(self), "sure": self.is_sure}


def drift_of(
    author: str,
    opinions: Mapping[int, Opinions],
    passed: Mapping[str, Mapping[int, bool]] = MappingProxyType({}),
) -> Drift:
    """Return the drift of somebody's labels beside the majority of the others, or else beside a metric.

    opinions: what people say, by session and author. passed: by metric, which sessions its newest scores
    pass. The yardstick is the others; where too few sessions have labels of others, it is the metric that
    scored most of the labelled sessions, if those are more. Whoever is alone with one other cannot be told
    apart from them: either may have drifted.
    """
    own = sorted(
        (
            (by[author].at, session, by[author].word == "pass")
            for session, by in opinions.items()
            if author in by
        )
    )
    others = others_say(author, opinions)
    yardsticks: list[tuple[str, Mapping[int, float]]] = [("others", others)]
    yardsticks += sorted(passed.items(), key=lambda one: one[0])
    beside: str = ""
    apart: Sequence[float] = ()
    for name, yardstick in yardsticks:
        found = [said - yardstick[session] for _, session, said in own if session in yardstick]
        if len(found) > len(apart):
            beside, apart = name, found
        if name == "others" and len(found) >= 2 * FEWEST_IN_HALF:
            break
    return measured_drift(author, beside, apart)


def others_say(author: str, opinions: Mapping[int, Opinions]) -> dict[int, float]:
    """Return what all but one say of the sessions that somebody else labelled too: 1 they pass it, 0 they
    fail it, one half where they are split evenly.
    """
    found = {}
    for session, by in opinions.items():
        said = [row.word == "pass" for other, row in by.items() if other != author]
        if said:
            passing = sum(said)
            found[session] = ((passing * 2 > len(said)) + (passing * 2 >= len(said))) / 2
    return found


def measured_drift(author: str, beside: str, apart: Sequence[float]) -> Drift:
    """Return the drift of labels, oldest first, each given as how far it lies above its yardstick.

    apart: of -1, -0.5, 0, 0.5 and 1. The later half of them is compared with the first one, and one more
    label of each half that nobody saw is allowed for, as `statistics/unseen.py` says. Takes some 50 ms.
    """
    half = len(apart) // 2
    if half < FEWEST_IN_HALF:
        return Drift(author, beside, len(apart), more=2 * FEWEST_IN_HALF - len(apart))
    # Of an odd number the one in the middle belongs to neither half.
    first, later = apart[:half], apart[-half:]
    low, high = interval_of_counts([_counted(first), _counted(later)], _change, lowest=-2.0, highest=2.0)
    return Drift(author, beside, len(apart), fmean(later) - fmean(first), low, high)


def _counted(apart: Iterable[float]) -> list[int]:
    values = list(apart)
    return [values.count(kind) for kind in _KINDS]


def _change(halves: Sequence[Counts]) -> float:
    first, later = (
        sum(kind * count for kind, count in zip(_KINDS, counts, strict=True)) / sum(counts)
        for counts in halves
    )
    return later - first
