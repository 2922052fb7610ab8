"""Whether anything in a conversation speaks to whoever judges it, such as instructions and verdicts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

from turnwise.conversations.results import Verdict
from turnwise.engine.judge.masked_words import MaskedWords, left_out_details
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.masking import masked_subject, undoubted_subject
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import turns_named

DOUBTFUL = "doubtful"
"""The key of its details under which the sentences stand that only may speak to whoever judges."""


@dataclass(kw_only=True, eq=False)
class SpeaksToJudgeMetric(Metric):
    """Whether turns, passages and results of tools are free of words that speak to whoever judges.

    Such words are kept from every judge, and scores say so; this check is how to find the conversations. What
    only may be meant for a judge lowers nothing here, and is named.
    """

    key: ClassVar[str] = "speaks_to_judge"
    scope: ClassVar[Scope] = "conversation"
    version: ClassVar[int] = 2
    needs: ClassVar[tuple[str, ...]] = ("turns",)
    uses_judge: ClassVar[bool] = False
    account: ClassVar[Account] = Account(
        formula="1 where nothing speaks to whoever judges, else 0",
        source="turnwise; what is looked for stands in docs/explanation/planted-instructions.md",
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
        in_doubt = undoubted_subject(subject, self.reads)
        doubtful = in_doubt[1] if in_doubt else ()
        verdicts = [
            Verdict(turn=one.turn, passed=False, word="speaks to the judge", reason=one.why, about=one.text)
            for one in left_out
        ]
        surely = (
            f"Something speaks to whoever judges{_place(left_out)}: {left_out[0].why}." if left_out else ""
        )
        maybe = f" Something may{_place(doubtful)}, so that a judge is asked twice." if doubtful else ""
        return Finding(
            score=0.0 if left_out else 1.0,
            reason=f"{surely or 'Nothing speaks to whoever judges.'}{maybe}",
            verdicts=verdicts,
            details=left_out_details(left_out)
            | ({DOUBTFUL: [asdict(one) for one in doubtful]} if doubtful else {}),
        )


def _place(words: Sequence[MaskedWords]) -> str:
    turns = sorted({one.turn for one in words if one.turn is not None})
    return f" ({turns_named(turns)})" if turns else ""
