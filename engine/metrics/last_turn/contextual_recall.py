"""Contextual recall: do the passages hold what the expected answer says?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.entries import JudgedItem
from turnwise.engine.metrics.last_turn.retrieval import (
    RAGAS,
    RetrievalMetric,
    fenced_passages,
    plain_passages,
)
from turnwise.engine.metrics.metric import Finding
from turnwise.engine.metrics.statements import split_sentences
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import Example, Narrow, VerdictWords, ask_numbered, share_finding

_ASK = """\
Before its last reply, the chatbot was given these passages:
{passages}

The answer that was hoped for is cut into statements below. Can each statement be traced to the passages? \
The verdict is yes when a passage says it or it follows from one, and no in every other case. Name the \
passage in the reason."""
NARROW_ASK = "Can the statement be traced to the passages? yes if a passage says it; no in every other case."
EXAMPLES = (
    Example(
        (("user", "When is the tower open?"), ("assistant", "From ten.")),
        "The passage says from ten to five.",
        "yes",
        heading="Passage: The tower is open from ten to five. Children under six enter free.",
        about="The tower opens at ten.",
    ),
    Example(
        (("user", "How high is the tower?"), ("assistant", "I do not know.")),
        "The passage does not say how high the tower is.",
        "no",
        heading="Passage: The tower is open from ten to five. Children under six enter free.",
        about="It is forty metres high.",
    ),
    Example(
        (("user", "What do children pay?"), ("assistant", "Nothing.")),
        "The passage says that small children enter free.",
        "yes",
        heading="Passage: The tower is open from ten to five. Children under six enter free.",
        about="Children under six pay nothing.",
    ),
)


@dataclass(kw_only=True, eq=False)
class ContextualRecallMetric(RetrievalMetric):
    """Whether the passages that were retrieved hold all that the expected answer says."""

    key: ClassVar[str] = "contextual_recall"
    needs: ClassVar[tuple[str, ...]] = ("input", "retrieval_context", "expected_output")
    account: ClassVar[Account] = Account(
        asks="Can the statement be traced to the passages?",
        formula="statements of the expected output that can be traced to a passage / its statements",
        source=f"deepeval's ContextualRecall; statements are sentences, cut without a judge; {RAGAS}",
        empty="without passages, or where the expected output says nothing, the score is 0",
        calls="1, none without passages; with a small judge, 1 a statement",
    )

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for a verdict on every statement of the expected output."""
        passages = subject.value("retrieval_context")
        texts = split_sentences(subject.value("expected_output"))
        if not passages or not texts:
            missing = "No passage was retrieved" if not passages else "The expected output states nothing"
            return Finding(score=0.0, reason=f"{missing}.")
        found = await ask_numbered(
            asking,
            subject=subject,
            ask=_ASK.format(passages=fenced_passages(subject.transcript(asking.secret).mark, passages)),
            noun="statement",
            items=[JudgedItem(count, subject.reply_turn, text) for count, text in enumerate(texts, start=1)],
            words=VerdictWords({"yes": True, "no": False}),
            narrow=Narrow(NARROW_ASK, 1, EXAMPLES, heading=plain_passages(passages)),
        )
        return share_finding(
            found.verdicts,
            found.details,
            good="stand in the passages",
            bad="are missing in the passages",
            noun="expected statement",
        )
