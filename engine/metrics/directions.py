"""Directions: thresholds that were set when less was better, as they were in deepeval before 4.3."""

from __future__ import annotations

from dataclasses import dataclass

from turnwise.conversations.errors import SettingError
from turnwise.conversations.models import shorten
from turnwise.engine.metrics.metric import Metric

DIRECTIONS = ("higher", "lower")
_PLACES = 12
"""1 - 0.7 is to be 0.3, and not the next number beside it."""


@dataclass(kw_only=True, eq=False)
class TurnedMetric(Metric, abstract=True):
    """A metric whose score grew with what was wrong in deepeval before 4.3, and shrinks with it now and here.

    direction: "lower" says that the threshold was set for the old direction: it is turned round, so that 0.7,
    the most that may be wrong, becomes the score 0.3, the least that must be right.
    """

    direction: str = "higher"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.direction not in DIRECTIONS:
            raise SettingError(
                f"{self.name}: direction is {' or '.join(DIRECTIONS)}",
                detail=f"Given: {shorten(self.direction)}",
                next_step='"lower" turns a threshold round that was set when less was better.',
            )
        if self.direction == "lower" and not self.strict_mode:
            self.threshold = round(1 - self.threshold, _PLACES)
