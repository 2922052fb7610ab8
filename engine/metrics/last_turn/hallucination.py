"""Hallucination: does a reply contradict what is known to be true?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.directions import TurnedMetric
from turnwise.engine.metrics.last_turn.retrieval import passage_items
from turnwise.engine.metrics.metric import Finding, Scope
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import Example, Narrow, VerdictWords, ask_numbered, share_finding

_ASK = """\
Each passage below is known to be true. Does the chatbot's last reply agree with it? The verdict is no only \
when the reply says something that cannot be true if the passage is. It is yes in every other case, also \
when the reply says nothing of what stands in the passage."""
_NARROW_ASK = (
    "The passage is true. Does the chatbot's last turn agree with it? no only if it says something that "
    "cannot be true if the passage is."
)
_EXAMPLES = (
    Example(
        (("user", "When does the tower open?"), ("assistant", "It opens at ten.")),
        "The reply and the passage both say ten.",
        "yes",
        about="The tower is open from ten to five.",
    ),
    Example(
        (("user", "What do children pay?"), ("assistant", "Children pay three coins.")),
        "The reply lets children pay, and the passage says that they enter free.",
        "no",
        about="Children enter free.",
    ),
    Example(
        (("user", "When does the tower open?"), ("assistant", "It opens at ten.")),
        "The reply says nothing of dogs.",
        "yes",
        about="Dogs must stay outside.",
    ),
)


@dataclass(kw_only=True, eq=False)
class HallucinationMetric(TurnedMetric):
    """Whether the reply agrees with what is given as true in the case's context; higher is better.

    direction: "lower" marks a threshold that was set when less was better, which is then turned round.
    """

    key: ClassVar[str] = "hallucination"
    scope: ClassVar[Scope] = "exchange"
    needs: ClassVar[tuple[str, ...]] = ("actual_output", "context")
    account: ClassVar[Account] = Account(
        asks="Does the reply agree with the passage?",
        formula="contexts that the reply does not contradict / contexts",
        source="deepeval's Hallucination, in the direction it has since 4.3 (before, the share contradicted)",
        empty="with an empty context the score is 1",
        calls="1; with a small judge, 1 a context",
    )

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for a verdict on every context."""
        found = await ask_numbered(
            asking,
            subject=subject,
            ask=_ASK,
            noun="passage",
            items=passage_items(subject, subject.value("context")),
            words=VerdictWords({"yes": True, "no": False}),
            narrow=Narrow(_NARROW_ASK, 1, _EXAMPLES, label="Passage"),
        )
        return share_finding(
            found.verdicts, found.details, good="agree with the reply", bad="are contradicted", noun="context"
        )
