"""Measures: how long the replies took, how many turns there were, and how many words the replies have."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import ClassVar

from turnwise.conversations.errors import SettingError
from turnwise.conversations.results import Verdict
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.deterministic.repetition import text_words
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.subject import Subject, no_reply_words
from turnwise.engine.metrics.verdicts import share_finding


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


@dataclass(kw_only=True, eq=False)
class ConversationLengthMetric(Metric):
    """How short the conversation is: what takes many turns costs its user effort.

    max_turns: up to how many turns of user and chatbot nothing is lost, at least 1.
    """

    key: ClassVar[str] = "conversation_length"
    version: ClassVar[int] = 2
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    uses_judge: ClassVar[bool] = False
    account: ClassVar[Account] = Account(
        formula="min(1, max_turns / turns with words)",
        source=(
            "turnwise; the number of turns is one of the costs of a dialogue in PARADISE: Walker et al. "
            "1997, https://arxiv.org/abs/cmp-lg/9704004"
        ),
        empty="a conversation without a turn in words is skipped",
        calls="none",
        range="above 0 to 1",
    )

    max_turns: int = 10

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.max_turns < 1:
            raise SettingError(
                "conversation_length: max_turns is at least 1", detail=f"Given: {self.max_turns}"
            )

    def lacks(self, subject: Subject) -> str:
        """Skip also a conversation in which nobody says anything: there is nothing to count."""
        return super().lacks(subject) or ("" if _turns_with_words(subject) else "there is no turn in words")

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Count the turns."""
        count = _turns_with_words(subject)
        noun = "turn" if count == 1 else "turns"
        beyond = f", {count - self.max_turns} more than {self.max_turns}" if count > self.max_turns else ""
        return Finding(
            score=min(1.0, self.max_turns / count),
            reason=f"The conversation has {count} {noun}{beyond}.",
            details={"turns": count},
        )


def _turns_with_words(subject: Subject) -> int:
    return sum(bool(turn.content.strip()) for _, turn in subject.numbered)


@dataclass(kw_only=True, eq=False)
class ReplyLengthMetric(Metric):
    """Whether the replies keep to a length, in words.

    min_words, max_words: the shortest and the longest a reply may be; both belong to what is allowed.
    """

    key: ClassVar[str] = "reply_length"
    version: ClassVar[int] = 2
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    uses_judge: ClassVar[bool] = False
    account: ClassVar[Account] = Account(
        formula="replies of min_words to max_words / replies in words; tool calls without words do not count",
        source="turnwise",
        empty="a conversation without a reply in words is skipped",
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

    def lacks(self, subject: Subject) -> str:
        """Skip also a conversation in which the chatbot says nothing: there is nothing to count."""
        return super().lacks(subject) or no_reply_words(subject)

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
            {"median_words": statistics.median(counts.values()), "growth": _growth(counts)},
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
