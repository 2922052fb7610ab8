"""Lost turns: from which turn on a conversation is no longer what a criterion asks for.

The judge names the turn in the same reply as the score. Where it names none, contradicts itself or is in two
minds, prefixes of the conversation are judged instead, each the conversation as it stood after a reply. A
criterion that is lost is taken to stay lost, so that halving finds the first such prefix in log2 questions.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from turnwise.engine.judge.probabilities import written_probability
from turnwise.engine.judge.questions import JudgeAnswer
from turnwise.engine.metrics.entries import number_named
from turnwise.engine.metrics.quoting import NumberedSentences, numbers_schema

LOST = "lost"
"""Under this name the details of a score say where the conversation was lost."""
AS_OF = "as_of"
"""Under this name they hold what the conversation scored as of earlier turns: pairs of turn and score."""
SURE_FROM = 0.6
"""A judge that finds the number it writes less likely than this is in two minds."""


@dataclass(frozen=True, slots=True)
class LostTurn:
    """From which turn on a conversation that fails is no longer what is asked for.

    turn: its number; None where nobody could tell. sure: whether the judge named it, and was in no two minds.
    by: "reply" where the reply with the score says so, "prefixes" where prefixes were judged.
    """

    turn: int | None
    sure: bool
    by: str = "reply"

    def data(self) -> dict[str, Any]:
        """Return it as the details of a score keep it."""
        return asdict(self)


def lost_turn_of(details: Mapping[str, Any]) -> LostTurn | None:
    """Return what the details of a score say of where the conversation was lost; None where nothing."""
    told = details.get(LOST)
    if not isinstance(told, Mapping):
        return None
    return LostTurn(number_named(told.get("turn")), bool(told.get("sure")), str(told.get("by") or "reply"))


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


def curve_of(details: Mapping[str, Any]) -> list[tuple[int, float]]:
    """Return what the conversation scored as of earlier turns, in order; empty where nobody asked."""
    told = details.get(AS_OF)
    pairs = [pair for pair in told if isinstance(pair, list) and len(pair) == 2] if told else []
    found = [(turn, value) for turn, value in pairs if type(turn) is int and isinstance(value, int | float)]
    return sorted((turn, float(value)) for turn, value in found)


def score_as_of(curve: Sequence[tuple[int, float]], turn: int) -> float | None:
    """Return the last score of a curve at or before a turn; None before the first."""
    known = [value for at, value in curve if at <= turn]
    return known[-1] if known else None
