"""Turn contextual recall: do the passages that were retrieved hold what the hoped-for outcome says?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, ClassVar

from turnwise.conversations.results import Verdict
from turnwise.engine.metrics.account import Account
from turnwise.engine.metrics.asking import Asking
from turnwise.engine.metrics.entries import EntryForm, JudgedItem, Material, ask_entries
from turnwise.engine.metrics.exchanges import AnsweredExchange, WindowedMetric, answered_exchanges
from turnwise.engine.metrics.last_turn.contextual_recall import EXAMPLES, NARROW_ASK
from turnwise.engine.metrics.last_turn.retrieval import plain_passages
from turnwise.engine.metrics.materials import passages_of
from turnwise.engine.metrics.metric import Finding
from turnwise.engine.metrics.statements import split_sentences
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import Narrow, WordAnswer, ask_narrow, share_finding

_ASK = """\
How the conversation was hoped to end is cut into statements below, and the passages that were retrieved for \
the chatbot along the way stand before them. Which passages does each statement rest on? List the numbers of \
all passages that say it or that it follows from, and an empty list where there is none."""
_TOLD = "passages is a list of the passages' numbers."
_SCHEMA = {"passages": {"type": "array", "items": {"type": "integer"}}}

Carried = tuple[Set[int], str]
"""The numbers of the passages that a statement rests on, and why."""


@dataclass(kw_only=True, eq=False)
class TurnContextualRecallMetric(WindowedMetric):
    """Whether the passages retrieved along the conversation hold what the hoped-for outcome says.

    window_size: over how many exchanges passages are taken together, at least 1.
    """

    key: ClassVar[str] = "turn_contextual_recall"
    needs: ClassVar[tuple[str, ...]] = ("turns", "retrieval_context", "expected_outcome")
    account: ClassVar[Account] = Account(
        asks="Does the statement rest on a passage?",
        formula=(
            "the mean over windows of exchanges, sliding by one, of the outcome's statements that a passage "
            "of the window carries / its statements; 1 for a window without passages"
        ),
        source=(
            "deepeval's TurnContextualRecall; the statements are the outcome's sentences, and the judge "
            "names the passages that carry each, so that one answer serves every window"
        ),
        empty="where no exchange has a passage the score is 1",
        calls="1 for a conversation; with a small judge, 1 a statement for each exchange with passages",
    )

    async def assess(self, subject: Subject, asking: Asking) -> Finding:
        """Ask for the passages that carry each statement of the expected outcome."""
        exchanges = answered_exchanges(subject)
        passages = passages_of(exchanges)
        texts = split_sentences(subject.case.expected_outcome or "") if passages.texts else []
        # A statement belongs to the whole conversation, so that it is asked about with every passage.
        items = [JudgedItem(count, None, text) for count, text in enumerate(texts, start=1)]

        async def one(item: JudgedItem) -> Carried:
            return await _one_by_one(asking, subject, item, exchanges, passages)

        found = await ask_entries(
            asking,
            subject=subject,
            ask=_ASK,
            noun="statement",
            items=items,
            form=EntryForm(lambda item: _SCHEMA, _TOLD, lambda item, entry: _read(entry, passages)),
            one=one,
            material=passages,
            merge=lambda one, other: (one[0] | other[0], " ".join(filter(None, (one[1], other[1])))),
        )
        verdicts = [
            _verdict(item, found.answers[item.number], passages)
            for item in items
            if item.number in found.answers
        ]
        return share_finding(
            verdicts,
            found.details,
            good="stand in the passages",
            bad="stand in no passage",
            noun="statement",
            score=self._score(exchanges, passages, list(found.answers.values())),
        )

    def _score(
        self, exchanges: Sequence[AnsweredExchange], passages: Material, carried: Sequence[Carried]
    ) -> float:
        shares = []
        for end in range(1, len(exchanges) + 1):
            window = exchanges[max(0, end - self.window_size) : end]
            at_hand = {
                number
                for number, (turn, _) in passages.texts.items()
                if any(exchange.holds(turn) for exchange in window)
            }
            held = sum(bool(numbers & at_hand) for numbers, _ in carried)
            shares.append(held / len(carried) if at_hand and carried else 1.0)
        return sum(shares) / len(shares) if shares else 1.0


def _read(entry: Mapping[str, Any], passages: Material) -> Carried | None:
    """Return the passages that an entry names; numbers of none are left out, and a lone number is a list."""
    given = entry.get("passages")
    texts = [str(number).strip() for number in (given if isinstance(given, list) else [given])]
    if not all(text.isdecimal() for text in texts):
        return None
    return passages.texts.keys() & set(map(int, texts)), str(entry.get("reason") or "").strip()


async def _one_by_one(
    asking: Asking,
    subject: Subject,
    item: JudgedItem,
    exchanges: Sequence[AnsweredExchange],
    passages: Material,
) -> Carried:
    """Ask a small judge of each exchange's passages whether the statement can be traced to them."""
    groups = [
        {number: text for number, (turn, text) in passages.texts.items() if exchange.holds(turn)}
        for exchange in exchanges
    ]
    groups = [group for group in groups if group]

    async def traced(group: Mapping[int, str]) -> WordAnswer:
        narrow = Narrow(NARROW_ASK, 1, EXAMPLES, heading=plain_passages(list(group.values())))
        return await ask_narrow(asking, subject, narrow, item, ["yes", "no"])

    answers = await asking.each(groups, traced)
    held = [group for group, answer in zip(groups, answers, strict=True) if answer.word == "yes"]
    reasons = [answer.reason for answer in answers if answer.word == "yes"] or [answers[0].reason]
    return {number for group in held for number in group}, reasons[0]


def _verdict(item: JudgedItem, carried: Carried, passages: Material) -> Verdict:
    """Tie a statement to the turn of the first passage that carries it."""
    numbers, reason = carried
    turn = min((passages.texts[number][0] for number in numbers), default=None)
    return Verdict(
        turn=turn, passed=bool(numbers), word="yes" if numbers else "no", reason=reason, about=item.about
    )
