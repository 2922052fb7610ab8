"""Latency: did the replies come soon enough?"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import ClassVar

from turnwise.conversations.errors import SettingError
from turnwise.conversations.results import Verdict
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.shares import share_finding
from turnwise.engine.metrics.subject import Subject


@dataclass(kw_only=True, eq=False)
class LatencyMetric(Metric):
    """Whether the replies came within a time.

    max_seconds: how long a reply may take, above 0.
    """

    key: ClassVar[str] = "latency"
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    uses_judge: ClassVar[bool] = False
    account: ClassVar[Account] = Account(
        formula="replies that took max_seconds at most / replies whose time is known",
        source="turnwise; the times are deepeval's latency_ms of a turn and completion_time of a test case",
        empty="a conversation without a known time is skipped",
        calls="none",
        needs="and latency_ms or completion_time on a reply",
    )

    max_seconds: float = 10.0

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.max_seconds > 0:
            raise SettingError("latency: max_seconds lies above 0", detail=f"Given: {self.max_seconds}")

    @property
    def reads(self) -> tuple[str, ...]:
        """The needs, and the times of the replies."""
        return (*self.needs, "reply_seconds")

    def lacks(self, subject: Subject) -> str:
        """Skip also a conversation of which no reply's time is known."""
        return super().lacks(subject) or ("" if subject.reply_seconds else "no reply says how long it took")

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Compare the time of every reply with the longest allowed."""
        times = subject.reply_seconds
        verdicts = [
            Verdict(
                turn=number,
                passed=seconds <= self.max_seconds,
                word=f"{seconds:.3g} s",
                reason="" if seconds <= self.max_seconds else f"took {seconds:.3g} s",
            )
            for number, seconds in times.items()
        ]
        slowest = max(times, key=times.__getitem__)
        return share_finding(
            verdicts,
            {
                "median_seconds": statistics.median(times.values()),
                "slowest_seconds": times[slowest],
                "slowest_turn": slowest,
            },
            good=f"come within {self.max_seconds:g} s",
            bad=f"take longer than {self.max_seconds:g} s",
        )
