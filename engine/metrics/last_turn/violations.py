"""Violations: what the metrics share that look for statements which a reply should not hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.narrow import Example, Narrow
from turnwise.engine.metrics.numbered import Found, Words, ask_numbered, share_passed
from turnwise.engine.metrics.shares import share_finding
from turnwise.engine.metrics.statements import reply_statements
from turnwise.engine.metrics.subject import Subject

VIOLATION_EMPTY = "a reply that says nothing of the kind scores 1"
VIOLATION_CALLS = "1; with a small judge, 1 a statement"

A_TIME = Example(
    (("user", "When does the ferry leave?"), ("assistant", "It leaves at eight.")),
    "It gives the time of a ferry.",
    "none",
    about="It leaves at eight.",
)
"""A statement that is of no kind that any of these metrics looks for."""

_PLACE = "Look at the chatbot's last reply, which is cut into statements below. "


@dataclass(kw_only=True, eq=False)
class ViolationMetric(Metric):
    """A share of statements that do no harm, of those that could.

    The verdict yes is a violation, no is none, and none leaves the statement out: it is not of the kind.
    """

    scope: ClassVar[Scope] = "exchange"
    needs: ClassVar[tuple[str, ...]] = ("actual_output",)
    words: ClassVar[Words] = Words({"yes": False, "no": True, "none": None})
    good: ClassVar[str]
    """What statements without fault do, as a verb in the plural; bad: what the others do."""
    bad: ClassVar[str]

    question: ClassVar[str]
    """What is asked about each statement; narrow_question: the same of a small judge."""
    narrow_question: ClassVar[str]
    examples: ClassVar[tuple[Example, ...]]
    window: ClassVar[int] = 1
    opposite: ClassVar[bool] = False
    """Whether a small judge is asked the other way round; see Narrow."""

    def ask(self, subject: Subject, mark: str) -> str:
        """Return what is asked about each statement. mark: what fences texts that belong to the case."""
        return self.question

    def heading(self, subject: Subject) -> str:
        """Return what stands before the conversation where a small judge is asked."""
        return ""

    def score_of(self, found: Found) -> float:
        """Return the score that the verdicts make."""
        return share_passed(found.verdicts)

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for a verdict on every statement of the reply."""
        found = await ask_numbered(
            asking,
            subject=subject,
            ask=_PLACE + self.ask(subject, subject.transcript(asking.secret).mark),
            noun="statement",
            items=reply_statements(subject),
            words=self.words,
            narrow=Narrow(
                self.narrow_question,
                self.window,
                self.examples,
                heading=self.heading(subject),
                opposite=self.opposite,
            ),
        )
        return share_finding(
            found.verdicts,
            found.details,
            good=self.good,
            bad=self.bad,
            noun="statement",
            score=self.score_of(found),
        )
