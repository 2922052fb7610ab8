"""Contextual relevancy: how much of what was retrieved has to do with what the user put in?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.last_turn.retrieval import RAGAS, RetrievalMetric, passage_statements
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
For what the user says in {place}, passages were retrieved; their statements stand below. Does each \
statement have to do with what the user wants there? The verdict is yes when it answers, or helps to \
understand the answer. It is no when a reader who wants that could pass it over."""
NARROW_ASK = (
    "The statement was looked up for the user's last turn. Does it have to do with what the user wants "
    "there? no if a reader who wants that could pass it over."
)
EXAMPLES = (
    Example(
        (("user", "When does the tower open?"), ("assistant", "At ten.")),
        "It gives the opening hours that the user asks for.",
        "yes",
        about="The tower is open from ten to five.",
    ),
    Example(
        (("user", "When does the tower open?"), ("assistant", "At ten.")),
        "It tells who built the tower, and the user asks for hours.",
        "no",
        about="It was built by two brothers from the next village.",
    ),
    Example(
        (("user", "May I bring my dog?"), ("assistant", "I am not sure.")),
        "It tells what holds for dogs.",
        "yes",
        about="Animals must be kept on a lead.",
    ),
)


@dataclass(kw_only=True, eq=False)
class ContextualRelevancyMetric(RetrievalMetric):
    """Whether the passages that were retrieved have to do with what the user wants."""

    key: ClassVar[str] = "contextual_relevancy"
    needs: ClassVar[tuple[str, ...]] = ("input", "retrieval_context")
    account: ClassVar[Account] = Account(
        asks="Does the statement have to do with what the user wants?",
        formula="statements of the passages that are relevant / statements of the passages",
        source=f"deepeval's ContextualRelevancy; statements are sentences, cut without a judge; {RAGAS}",
        empty="without passages the score is 0",
        calls="1 for every 150 statements of the passages; with a small judge, 1 a statement",
    )

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for a verdict on every statement of the passages."""
        items = passage_statements(subject, subject.value("retrieval_context"))
        if not items:
            return Finding(score=0.0, reason="No passage was retrieved.")
        found = await ask_numbered(
            asking,
            subject=subject,
            ask=_ASK.format(place=turns_named(subject.exchange.input_turns if subject.exchange else ())),
            noun="statement",
            items=items,
            words=VerdictWords({"yes": True, "no": False}),
            narrow=Narrow(NARROW_ASK, 1, EXAMPLES),
        )
        return share_finding(
            found.verdicts,
            found.details,
            good="have to do with the question",
            bad="have nothing to do with the question",
            noun="retrieved statement",
        )
