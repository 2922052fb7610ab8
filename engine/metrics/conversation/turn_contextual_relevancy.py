"""Turn contextual relevancy: do the passages that were retrieved have to do with what the user said?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.exchanges import WindowedMetric, answered_exchanges
from turnwise.engine.metrics.materials import passage_items_of
from turnwise.engine.metrics.metric import Finding
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import Example, Narrow, VerdictWords, ask_numbered

_ASK = """\
The passages below were retrieved for the chatbot along the way, each in the turn that stands before it. \
Does each passage have to do with what the user wants to know up to that turn? The verdict is yes when a \
part of it, however small, serves to answer that. It is no when nothing in it does, even if it shares words \
with what was asked."""
_NARROW_ASK = "Does the passage have to do with what the user wants to know?"
_SAID = (("user", "When does the tower open?"), ("assistant", "At ten."))
_EXAMPLES = (
    Example(_SAID, "It tells the opening hours.", "yes", about="The tower is open from ten to five."),
    Example(_SAID, "It is about the garden's flowers.", "no", about="Roses grow in the garden of the tower."),
    Example(
        _SAID,
        "Beside prices it tells when the tower opens on Mondays.",
        "yes",
        about="Tickets cost four coins. On Mondays the doors open at noon.",
    ),
)


@dataclass(kw_only=True, eq=False)
class TurnContextualRelevancyMetric(WindowedMetric):
    """Whether the passages retrieved along the conversation have to do with what the user wants to know.

    window_size: over how many exchanges a share is taken, at least 1.
    """

    key: ClassVar[str] = "turn_contextual_relevancy"
    needs: ClassVar[tuple[str, ...]] = ("turns", "retrieval_context")
    account: ClassVar[Account] = Account(
        asks="Does the passage have to do with what the user wants to know?",
        formula=(
            "the mean over windows of exchanges, sliding by one, of relevant passages / passages; 1 for a "
            "window without passages"
        ),
        source="deepeval's TurnContextualRelevancy, each passage judged once and as a whole",
        empty="where no exchange has a passage the score is 1",
        calls="1 for a conversation (150 passages a call at most); with a small judge, 1 a passage",
    )

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for a verdict on every passage."""
        exchanges = answered_exchanges(subject)
        found = await ask_numbered(
            asking,
            subject=subject,
            ask=_ASK,
            noun="passage",
            items=passage_items_of(exchanges),
            words=VerdictWords({"yes": True, "no": False}),
            narrow=Narrow(_NARROW_ASK, 3, _EXAMPLES, label="Passage"),
            placed=True,
        )
        return self.finding(
            exchanges,
            found,
            good="have to do with what the user wants",
            bad="have nothing to do with what the user wants",
            noun="passage",
        )
