"""Whether anything in a conversation speaks to whoever judges it, such as orders and ready-made verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.conversations.results import Verdict
from turnwise.engine.judge.masked_words import left_out_details
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.masking import masked_subject
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import turns_named


@dataclass(kw_only=True, eq=False)
class SpeaksToJudgeMetric(Metric):
    """Whether turns, passages and results of tools are free of words that speak to whoever judges.

    Such words are kept from every judge, and scores say so; this check is how to find the conversations.
    """

    key: ClassVar[str] = "speaks_to_judge"
    scope: ClassVar[Scope] = "conversation"
    version: ClassVar[int] = 2
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    uses_judge: ClassVar[bool] = False
    account: ClassVar[Account] = Account(
        formula="1 where nothing speaks to whoever judges, else 0",
        source="turnwise; what is looked for stands in docs/explanation/planted-orders.md",
        empty="a conversation always has turns",
        calls="none",
        range="0 or 1",
        needs="and passages and results of tools, where there are any",
    )

    @property
    def reads(self) -> tuple[str, ...]:
        """What was said, and what came with it."""
        return (*self.needs, "retrieval_context", "tools_called", "mcp_tools_called")

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Look through everything that a judge would be shown."""
        _, left_out = masked_subject(subject)
        verdicts = [
            Verdict(turn=one.turn, passed=False, word="speaks to the judge", reason=one.why, about=one.text)
            for one in left_out
        ]
        turns = sorted({one.turn for one in left_out if one.turn is not None})
        place = f" ({turns_named(turns)})" if turns else ""
        reason = f"Something speaks to whoever judges{place}: {left_out[0].why}." if left_out else ""
        return Finding(
            score=0.0 if left_out else 1.0,
            reason=reason or "Nothing speaks to whoever judges.",
            verdicts=verdicts,
            details=left_out_details(left_out),
        )
