"""Reply length: are the replies neither too short nor too long, and do they stay so?"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import ClassVar

from turnwise.conversations.errors import SettingError
from turnwise.conversations.results import Verdict
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.checks.repetition import text_words
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.shares import share_finding
from turnwise.engine.metrics.subject import Subject


@dataclass(kw_only=True, eq=False)
class ReplyLengthMetric(Metric):
    """Whether the replies keep to a length, in words.

    min_words, max_words: the shortest and the longest a reply may be; both belong to what is allowed.
    """

    key: ClassVar[str] = "reply_length"
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    uses_judge: ClassVar[bool] = False
    account: ClassVar[Account] = Account(
        formula="replies of min_words to max_words / replies in words; tool calls without words do not count",
        source="turnwise",
        empty="without a reply in words the score is 1",
        calls="none",
    )

    min_words: int = 1
    max_words: int = 250

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 0 <= self.min_words <= self.max_words:
            raise SettingError(
                "reply_length: min_words is at least 0 and at most max_words",
                detail=f"Given: {self.min_words} and {self.max_words}",
            )

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Count the words of every reply."""
        spoken = set(subject.reply_numbers())
        counts = {
            number: len(text_words(turn.content)) for number, turn in subject.numbered if number in spoken
        }
        verdicts = [
            Verdict(
                turn=number,
                passed=self.min_words <= count <= self.max_words,
                word=f"{count} words",
                reason=self._fault(count),
            )
            for number, count in counts.items()
        ]
        return share_finding(
            verdicts,
            {"median_words": statistics.median(counts.values()), "growth": _growth(counts)} if counts else {},
            good=f"have {self.min_words} to {self.max_words} words",
            bad=f"have not {self.min_words} to {self.max_words} words",
        )

    def _fault(self, count: int) -> str:
        if count < self.min_words:
            return f"{count} words, {self.min_words - count} too few"
        return f"{count} words, {count - self.max_words} too many" if count > self.max_words else ""


def _growth(counts: dict[int, int]) -> float:
    """Return by how many words a reply is longer than the one before, on average (least squares)."""
    lengths = list(counts.values())
    if len(lengths) < 2:
        return 0.0
    return round(statistics.linear_regression(range(len(lengths)), lengths).slope, 2)
