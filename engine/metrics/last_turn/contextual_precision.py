"""Contextual precision: do the passages that help stand before those that do not?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from turnwise.conversations.results import Verdict
from turnwise.engine.judge.transcripts import fence
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.last_turn.retrieval import RAGAS, RetrievalMetric, on_one_line, passage_items
from turnwise.engine.metrics.metric import Finding
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import (
    Example,
    Narrow,
    VerdictWords,
    ask_numbered,
    share_finding,
    turns_named,
)

_ASK = """\
For what the user says in {place}, the passages below were retrieved, and this is the answer that was \
hoped for:
{expected}

Does each passage help to arrive at that answer? The verdict is yes when it holds something that the answer \
rests on. It is no when the answer could be given without it, even if it is about the same matter."""
NARROW_ASK = (
    "Does the passage help to arrive at the expected answer? yes if it holds something that the answer rests "
    "on; no if the answer could be given without it."
)
EXAMPLES = (
    Example(
        (("user", "When does the tower open?"), ("assistant", "At ten.")),
        "It says that the tower opens at ten, as the answer does.",
        "yes",
        heading="Expected answer: At ten.",
        about="The tower is open from ten to five.",
    ),
    Example(
        (("user", "When does the tower open?"), ("assistant", "At ten.")),
        "It tells the height of the tower, which the answer does not need.",
        "no",
        heading="Expected answer: At ten.",
        about="The tower is forty metres high and built of brick.",
    ),
    Example(
        (("user", "May I bring my dog?"), ("assistant", "I am not sure.")),
        "It says that dogs are welcome, and so does the answer.",
        "yes",
        heading="Expected answer: Yes, on a lead.",
        about="Dogs on a lead are welcome in the park.",
    ),
)


@dataclass(kw_only=True, eq=False)
class ContextualPrecisionMetric(RetrievalMetric):
    """Whether the passages that help to answer were ranked above those that do not."""

    key: ClassVar[str] = "contextual_precision"
    needs: ClassVar[tuple[str, ...]] = ("input", "retrieval_context", "expected_output")
    account: ClassVar[Account] = Account(
        asks="Does the passage help to arrive at the expected answer?",
        formula=(
            "average precision: the sum over the ranks k of useful passages of (useful passages among the "
            "first k) / k, divided by the number of useful passages"
        ),
        source=f"deepeval's ContextualPrecision; {RAGAS}",
        empty="without passages, or without a useful one, the score is 0",
        calls="1; with a small judge, 1 a passage",
    )

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for a verdict on every passage, in the order they were retrieved in."""
        expected = subject.value("expected_output")
        found = await ask_numbered(
            asking,
            subject=subject,
            ask=_ASK.format(
                place=turns_named(subject.exchange.input_turns if subject.exchange else ()),
                expected=fence(subject.transcript(asking.secret).mark, "expected answer", {1: expected}),
            ),
            noun="passage",
            items=passage_items(subject, subject.value("retrieval_context")),
            words=VerdictWords({"yes": True, "no": False}),
            narrow=Narrow(
                NARROW_ASK,
                1,
                EXAMPLES,
                heading=f"Expected answer: {on_one_line(expected)}",
                label="Passage",
            ),
        )
        return share_finding(
            found.verdicts,
            found.details,
            good="help to answer",
            bad="do not help to answer",
            noun="passage",
            score=average_precision(found.verdicts),
        )


def average_precision(verdicts: Sequence[Verdict]) -> float:
    """Return the average precision of a ranking, 0 to 1; 0 where nothing in it is useful."""
    useful = 0
    total = 0.0
    for rank, verdict in enumerate(verdicts, start=1):
        if verdict.passed:
            useful += 1
            total += useful / rank
    return total / useful if useful else 0.0
