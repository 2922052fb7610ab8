"""Conversation length: how many turns did it take?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.conversations.errors import SettingError
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.subject import Subject


@dataclass(kw_only=True, eq=False)
class ConversationLengthMetric(Metric):
    """How short the conversation is: what takes many turns costs its user effort.

    max_turns: up to how many turns of user and chatbot nothing is lost, at least 1.
    """

    key: ClassVar[str] = "conversation_length"
    scope: ClassVar[Scope] = "conversation"
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    uses_judge: ClassVar[bool] = False
    account: ClassVar[Account] = Account(
        formula="min(1, max_turns / turns with words)",
        source=(
            "turnwise; the number of turns is one of the costs of a dialogue in PARADISE: Walker et al. "
            "1997, https://arxiv.org/abs/cmp-lg/9704004"
        ),
        empty="without a turn in words the score is 1",
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

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Count the turns."""
        count = sum(bool(turn.content.strip()) for _, turn in subject.numbered)
        noun = "turn" if count == 1 else "turns"
        beyond = f", {count - self.max_turns} more than {self.max_turns}" if count > self.max_turns else ""
        return Finding(
            score=min(1.0, self.max_turns / count) if count else 1.0,
            reason=f"The conversation has {count} {noun}{beyond}.",
            details={"turns": count},
        )
