"""Turn contextual precision: do the passages that help stand before those that do not, turn by turn?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.judge.transcripts import fence
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.exchanges import WindowedMetric, answered_exchanges
from turnwise.engine.metrics.last_turn.contextual_precision import EXAMPLES, NARROW_ASK, average_precision
from turnwise.engine.metrics.last_turn.retrieval import on_one_line
from turnwise.engine.metrics.materials import passage_items_of
from turnwise.engine.metrics.metric import Finding
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import Narrow, VerdictWords, ask_numbered

_ASK = """\
This is how the conversation was hoped to end:
{expected}

The passages below were retrieved for the chatbot along the way, each in the turn that stands before it. \
Does each passage help to get there, seen from what the user says up to that turn? The verdict is yes when \
it holds something that the hoped-for outcome or the answer at that point rests on. It is no when both could \
be had without it, even if it is about the same matter."""


@dataclass(kw_only=True, eq=False)
class TurnContextualPrecisionMetric(WindowedMetric):
    """Whether, along the conversation, the passages that help were ranked above those that do not.

    window_size: over how many exchanges a ranking is taken, at least 1.
    """

    key: ClassVar[str] = "turn_contextual_precision"
    needs: ClassVar[tuple[str, ...]] = ("turns", "retrieval_context", "expected_outcome")
    account: ClassVar[Account] = Account(
        asks="Does the passage help to get where the conversation was hoped to end?",
        formula=(
            "the mean over windows of exchanges, sliding by one, of the average precision of their passages: "
            "the sum over the ranks k of useful passages of (useful ones among the first k) / k, divided by "
            "the number of useful ones; 0 where none is useful, 1 for a window without passages"
        ),
        source="deepeval's TurnContextualPrecision, each passage judged once",
        empty="where no exchange has a passage the score is 1",
        calls="1 for a conversation (150 passages a call at most); with a small judge, 1 a passage",
    )

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for a verdict on every passage, in the order they were retrieved in."""
        exchanges = answered_exchanges(subject)
        expected = subject.case.expected_outcome or ""
        found = await ask_numbered(
            asking,
            subject=subject,
            ask=_ASK.format(
                expected=fence(subject.transcript(asking.secret).mark, "expected outcome", {1: expected})
            ),
            noun="passage",
            items=passage_items_of(exchanges),
            words=VerdictWords({"yes": True, "no": False}),
            narrow=Narrow(
                NARROW_ASK,
                1,
                EXAMPLES,
                heading=f"Expected answer: {on_one_line(expected)}",
                label="Passage",
            ),
            placed=True,
        )
        return self.finding(
            exchanges,
            found,
            good="help to get there",
            bad="do not help to get there",
            noun="passage",
            score=lambda verdicts: average_precision(verdicts) if verdicts else 1.0,
        )
