"""Faithfulness: do the passages that were retrieved carry what the reply says?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.last_turn.retrieval import RAGAS, fenced_passages, plain_passages
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.statements import reply_statements
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import Example, Narrow, VerdictWords, ask_numbered, share_finding

_ASK = """\
Before its last reply, the chatbot was given these passages:
{passages}

Its reply is cut into statements below. Do the passages carry each statement? The verdict is yes when \
they say it or it follows from them. It is no when they contradict it. It is borderline when it claims a \
fact on which they are silent. It is none when the statement claims no fact: a question, a greeting, an \
offer."""


NARROW_ASK = (
    "The statement is a part of the chatbot's last turn. Do the passages carry it? yes if they say it; no if "
    "they say otherwise; borderline if they are silent on it; none if it claims no fact."
)
_PASSAGES = "Passage: The tower is open from ten to five. Children under six enter free."
EXAMPLES = (
    Example(
        (("user", "When is the tower open?"), ("assistant", "It opens at ten.")),
        "The passage says that it opens at ten.",
        "yes",
        _PASSAGES,
        "It opens at ten.",
    ),
    Example(
        (("user", "What do children pay?"), ("assistant", "Children under six pay three coins.")),
        "The passage says that children under six enter free.",
        "no",
        _PASSAGES,
        "Children under six pay three coins.",
    ),
    Example(
        (("user", "How high is it?"), ("assistant", "The tower is forty metres high.")),
        "The passage does not say how high the tower is.",
        "borderline",
        _PASSAGES,
        "The tower is forty metres high.",
    ),
    Example(
        (("user", "Thanks."), ("assistant", "You're welcome! Anything else?")),
        "It is a question and claims nothing.",
        "none",
        _PASSAGES,
        "Anything else?",
    ),
)


@dataclass(kw_only=True, eq=False)
class FaithfulnessMetric(Metric):
    """Whether what the reply claims stands in the passages it was given.

    penalize_ambiguous_claims: count claims on which the passages are silent against the reply.
    """

    key: ClassVar[str] = "faithfulness"
    scope: ClassVar[Scope] = "exchange"
    needs: ClassVar[tuple[str, ...]] = ("input", "actual_output", "retrieval_context")
    account: ClassVar[Account] = Account(
        asks="Do the passages carry the statement?",
        formula="(carried + silent claims) / claims",
        source=(
            "deepeval's Faithfulness, in one question; the claims are the reply's sentences, and those that "
            f"claim nothing are left out; {RAGAS}"
        ),
        empty="a reply without claims scores 1",
        calls="1; with a small judge, 1 a statement",
    )

    penalize_ambiguous_claims: bool = False

    def lacks(self, subject: Subject) -> str:
        """Skip also a reply to which no passage was found: there is nothing to be faithful to."""
        nothing_found = subject.exchange is not None and subject.value("retrieval_context") == []
        return super().lacks(subject) or ("the case has no retrieval_context" if nothing_found else "")

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for a verdict on every statement of the reply."""
        mark, passages = subject.transcript(asking.secret).mark, subject.value("retrieval_context")
        found = await ask_numbered(
            asking,
            subject=subject,
            ask=_ASK.format(passages=fenced_passages(mark, passages)),
            noun="statement",
            items=reply_statements(subject),
            words=VerdictWords(
                {"yes": True, "no": False, "borderline": not self.penalize_ambiguous_claims, "none": None}
            ),
            narrow=Narrow(NARROW_ASK, 1, EXAMPLES, heading=plain_passages(passages)),
        )
        return share_finding(
            found.verdicts,
            found.details,
            good="stand in the passages",
            bad="are not carried by the passages" if self.penalize_ambiguous_claims else "go against them",
            noun="claim",
        )
