"""Overviews for tests: of a few metrics, and of two runs of which the newer has another weakest metric."""

from turnwise.conversations.store import ScoreTally, TurnTally
from turnwise.engine.overview import Overview, PassRate, RunRate


def tally(metric: str, passed: int, scores: int, label: str = "") -> ScoreTally:
    histogram = (scores - passed, *(0,) * 8, passed)
    return ScoreTally(metric, scores, passed, 0, 0, histogram, label)


def found(*rates: PassRate, turns: tuple[TurnTally, ...] = (), **fields: object) -> Overview:
    shared = {"sessions": 10, **fields}
    return Overview(rates=rates, turns=turns, **shared)  # type: ignore[arg-type]


RUNS = (
    RunRate(2, "version 5", 2.0, "memory", 32, 30),
    RunRate(2, "version 5", 2.0, "language", 32, 27),
    RunRate(1, "version 4", 1.0, "memory", 32, 22),
    RunRate(1, "version 4", 1.0, "language", 32, 32),
)
MEMORY_FIRST = (PassRate(tally("memory", 52, 64)), PassRate(tally("language", 59, 64)))
