"""Turn faithfulness: do the passages that were retrieved carry what the replies say, turn by turn?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.entries import JudgedItem
from turnwise.engine.metrics.exchanges import AnsweredExchange, WindowedMetric, answered_exchanges
from turnwise.engine.metrics.last_turn.faithfulness import EXAMPLES, NARROW_ASK
from turnwise.engine.metrics.last_turn.retrieval import plain_passages
from turnwise.engine.metrics.materials import passages_of
from turnwise.engine.metrics.metric import Finding
from turnwise.engine.metrics.statements import statements_of
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import Narrow, VerdictWords, ask_numbered

_ASK = """\
The chatbot was given the passages below, each in the turn that stands before it. Its replies are cut into \
statements, each with the turn in which it stands. Do the passages that the chatbot had by then, back to \
{window}, carry each statement? The verdict is yes when they say it or it follows from them. It is no when \
they contradict it. It is borderline when it claims a fact on which they are silent. It is none when the \
statement claims no fact: a question, a greeting, an offer."""


@dataclass(kw_only=True, eq=False)
class TurnFaithfulnessMetric(WindowedMetric):
    """Whether what the replies claim stands in the passages that the chatbot was given by then.

    window_size: how many exchanges back a passage counts, and over how many a share is taken, at least 1.
    penalize_ambiguous_claims: count claims on which the passages are silent against the reply.
    """

    key: ClassVar[str] = "turn_faithfulness"
    needs: ClassVar[tuple[str, ...]] = ("turns", "retrieval_context")
    account: ClassVar[Account] = Account(
        asks="Do the passages carry the statement?",
        formula=(
            "the mean over windows of exchanges, sliding by one, of (carried + silent claims) / claims; a "
            "window without claims counts 1"
        ),
        source="deepeval's TurnFaithfulness, each claim judged once; the claims are the replies' sentences",
        empty="without a claim the score is 1",
        calls="1 for a conversation (150 statements a call at most); with a small judge, 1 a statement",
    )

    penalize_ambiguous_claims: bool = False

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for a verdict on every statement of the replies that had passages."""
        exchanges = answered_exchanges(subject)
        items = self._statements(exchanges)
        found = await ask_numbered(
            asking,
            subject=subject,
            ask=_ASK.format(window=self._reach()),
            noun="statement",
            items=items,
            words=VerdictWords(
                {"yes": True, "no": False, "borderline": not self.penalize_ambiguous_claims, "none": None}
            ),
            narrow=lambda item: Narrow(NARROW_ASK, 1, EXAMPLES, heading=self._heading(item, exchanges)),
            material=passages_of(exchanges),
            placed=True,
        )
        penalized = self.penalize_ambiguous_claims
        return self.finding(
            exchanges,
            found,
            good="stand in the passages",
            bad="are not carried by the passages" if penalized else "go against the passages",
            noun="claim",
        )

    def _reach(self) -> str:
        before = self.window_size - 1
        if not before:
            return "the statement's own exchange"
        return f"{before} exchange{'s' if before > 1 else ''} before the statement's own"

    def _statements(self, exchanges: Sequence[AnsweredExchange]) -> list[JudgedItem]:
        """Return the statements of the replies for which passages were at hand, numbered from 1."""
        return statements_of(
            [
                (number, turn)
                for place, exchange in enumerate(exchanges)
                if passages_of(self._window(exchanges, place)).texts
                for number, turn in exchange.turns
                if turn.role == "assistant"
            ]
        )

    def _window(self, exchanges: Sequence[AnsweredExchange], place: int) -> Sequence[AnsweredExchange]:
        return exchanges[max(0, place - self.window_size + 1) : place + 1]

    def _heading(self, item: JudgedItem, exchanges: Sequence[AnsweredExchange]) -> str:
        place = next(place for place, exchange in enumerate(exchanges) if exchange.holds(item.turn))
        return plain_passages(
            [text for _, text in passages_of(self._window(exchanges, place)).texts.values()]
        )
