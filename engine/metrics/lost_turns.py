"""Lost turns: from which turn on a conversation is no longer what a criterion asks for.

The judge names the turn in the same reply as the score. Where it names none, contradicts itself or is in two
minds, prefixes of the conversation are judged instead, each the conversation as it stood after a reply. A
criterion that is lost is taken to stay lost, so that halving finds the first such prefix in log2 questions.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from turnwise.engine.judge.probabilities import written_probability
from turnwise.engine.judge.questions import JudgeAnswer
from turnwise.engine.metrics.entries import number_named
from turnwise.engine.metrics.lost_turn_details import LostTurn
from turnwise.engine.metrics.quoting import NumberedSentences, numbers_schema

SURE_FROM = 0.6
"""A judge that finds the number it writes less likely than this is in two minds."""


def where_fields(
    sentences: NumberedSentences, turns: Sequence[int], *, lost: bool
) -> dict[str, dict[str, Any]]:
    """Return the JSON schemas of what a reply says of where a score was lowered.

    turns: the numbers of those that are shown. lost: whether it names the first turn where it is lost.
    """
    named = {"sentence": sentences.any_schema(turns)}
    return {**named, "lost_at": numbers_schema(turns)} if lost else named


def lost_in(answer: JudgeAnswer, named: Sequence[int], turns: Sequence[int]) -> LostTurn:
    """Return where a reply says that the conversation was lost, whether or not it still passes.

    named: the turns that it says lowered the score. turns: the numbers of those that were shown.
    """
    at = number_named(answer.value.get("lost_at"))
    if at not in turns:
        # Without the number itself the first turn that lowered the score is the best guess.
        return LostTurn(min(named, default=None), sure=False)
    likely = written_probability(answer.call.tokens, answer.call.reply, "lost_at")
    agrees = not named or at in named
    return LostTurn(at, sure=agrees and (likely is None or likely >= SURE_FROM))


async def first_failing(ends: Sequence[int], passes: Callable[[int], Awaitable[bool]]) -> int | None:
    """Return the first of these turns as of which the conversation fails; None without any.

    ends: turns at which prefixes end, in order; as of the last it fails, so that it is not asked about.
    passes: judges a prefix. At most log2 of their count, rounded up, are judged.
    """
    low, high = 0, len(ends) - 1
    while low < high:
        middle = (low + high) // 2
        if await passes(ends[middle]):
            low = middle + 1
        else:
            high = middle
    return ends[low] if ends else None
