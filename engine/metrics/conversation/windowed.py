"""Windowed: what the metrics share that take a share over windows of exchanges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from turnwise.conversations.results import Verdict
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.numbered import Found, share_passed
from turnwise.engine.metrics.shares import share_finding
from turnwise.engine.metrics.units import Unit, by_unit, check_window, mean_over_windows


@dataclass(kw_only=True, eq=False)
class WindowedMetric(Metric):
    """A metric over windows of exchanges that slide by one. window_size: how many one holds, at least 1."""

    scope: ClassVar[Scope] = "conversation"

    window_size: int = 10

    def __post_init__(self) -> None:
        super().__post_init__()
        check_window(self.key, self.window_size)

    def finding(
        self,
        units: Sequence[Unit],
        found: Found,
        *,
        good: str,
        bad: str,
        noun: str,
        score: Callable[[Sequence[Verdict]], float] = share_passed,
    ) -> Finding:
        """Return the finding of verdicts tied to the units' turns. score: what a window's verdicts make."""
        details = {**found.details, "share": share_passed(found.verdicts)}
        mean = mean_over_windows(by_unit(units, found.verdicts), self.window_size, score)
        return share_finding(found.verdicts, details, good=good, bad=bad, noun=noun, score=mean)
