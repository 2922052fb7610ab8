"""Faithfulness: do the passages that were retrieved carry what the reply says?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.conversations.turns import passage_text
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.numbered import Words, ask_numbered, share_passed
from turnwise.engine.metrics.reasons import turns_reason
from turnwise.engine.metrics.statements import reply_statements
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.transcripts import fence

_ASK = """\
Before its last reply, the chatbot was given these passages:
{passages}

Its reply is cut into statements below. Do the passages carry each statement? The verdict is yes when \
they say \
it or it follows from them. It is no when they contradict it. It is borderline when it claims a fact on \
which they \
are silent. It is none when the statement claims no fact: a question, a greeting, an offer."""


@dataclass(kw_only=True, eq=False)
class FaithfulnessMetric(Metric):
    """Whether what the reply claims stands in the passages it was given.

    penalize_ambiguous_claims: count claims on which the passages are silent against the reply.
    Formula: (carried + silent claims) / claims. Source: deepeval's Faithfulness, in one question; the claims
    are the reply's sentences, and those that claim nothing are left out.
    Needs: input, actual_output, retrieval_context. Direction: higher is better. Range: 0 to 1.
    Empty: a reply without claims scores 1.
    Judge calls: 1; with a small judge, 1 a statement.
    """

    key: ClassVar[str] = "faithfulness"
    scope: ClassVar[Scope] = "exchange"
    needs: ClassVar[tuple[str, ...]] = ("input", "actual_output", "retrieval_context")

    penalize_ambiguous_claims: bool = False

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for a verdict on every statement of the reply."""
        transcript = subject.transcript(asking.secret)
        texts = [passage_text(passage) for passage in subject.value("retrieval_context")]
        passages = fence(transcript.mark, "passage", dict(enumerate(texts, start=1)))
        found = await ask_numbered(
            asking,
            transcript=transcript,
            ask=_ASK.format(passages=passages),
            noun="statement",
            items=reply_statements(subject),
            words=Words(
                {"yes": True, "no": False, "borderline": not self.penalize_ambiguous_claims, "none": None}
            ),
        )
        return Finding(
            score=share_passed(found.verdicts),
            reason=turns_reason(
                found.verdicts,
                good="stand in the passages",
                bad="are not carried by the passages"
                if self.penalize_ambiguous_claims
                else "go against them",
                noun="claim",
            ),
            verdicts=found.verdicts,
            details=found.details,
        )
