"""Exchanges that the chatbot answered, what is found in each of them, and means over windows of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

from turnwise.conversations.errors import SettingError
from turnwise.conversations.results import Verdict
from turnwise.conversations.turns import Turn
from turnwise.engine.metrics.entries import JudgedItem
from turnwise.engine.metrics.metric import Finding, Metric, Scope
from turnwise.engine.metrics.subject import Subject
from turnwise.engine.metrics.verdicts import FoundVerdicts, share_finding, share_passed

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AnsweredExchange:
    """An exchange in which the chatbot answered.

    users: the numbers of the user's turns in it. turns: all its turns by their numbers, in order. end: the
    number of its last reply in words, of its last reply where none has words.
    """

    users: tuple[int, ...]
    turns: tuple[tuple[int, Turn], ...]
    end: int

    @property
    def item(self) -> JudgedItem:
        """The exchange as a thing to give a verdict on, named by the turn that ends it."""
        return JudgedItem(self.end, self.end)

    def holds(self, turn: int | None) -> bool:
        """Whether a turn, named by its number, belongs to it."""
        return any(number == turn for number, _ in self.turns)


def answered_exchanges(subject: Subject) -> list[AnsweredExchange]:
    """Return the exchanges that can be scored: a user that nobody answered, and a greeting, make none."""
    turns = dict(subject.numbered)
    answered = []
    for exchange in subject.exchanges:
        if not exchange.input_turns:
            continue
        numbers = sorted((*exchange.input_turns, *exchange.reply_turns))
        in_words = [number for number in exchange.reply_turns if turns[number].content.strip()]
        end = max(in_words or exchange.reply_turns)
        numbered = tuple((number, turns[number]) for number in numbers)
        answered.append(AnsweredExchange(exchange.input_turns, numbered, end))
    return answered


def by_exchange(exchanges: Sequence[AnsweredExchange], verdicts: Sequence[Verdict]) -> list[list[Verdict]]:
    """Return the verdicts of each exchange, by the turns they are about."""
    return [[verdict for verdict in verdicts if exchange.holds(verdict.turn)] for exchange in exchanges]


def mean_over_windows(
    exchanges: Sequence[Sequence[T]],
    size: int,
    score: Callable[[Sequence[T]], float],
    *,
    empty: float = 1.0,
) -> float:
    """Return the mean score over windows of exchanges that slide by one; `empty` where there is no exchange.

    exchanges: what was found in each. The window of an exchange holds it and the `size` - 1 before it.
    """
    scores = [
        score([thing for exchange in exchanges[max(0, end - size) : end] for thing in exchange])
        for end in range(1, len(exchanges) + 1)
    ]
    return sum(scores) / len(scores) if scores else empty


def check_window(name: str, size: int) -> None:
    """Raise SettingError where a window would hold nothing."""
    if size < 1:
        raise SettingError(f"{name}: window_size is at least 1", detail=f"Given: {size}")


@dataclass(kw_only=True, eq=False)
class WindowedMetric(Metric, abstract=True):
    """A metric over windows of exchanges that slide by one. window_size: how many one holds, at least 1."""

    scope: ClassVar[Scope] = "conversation"

    window_size: int = 10

    def __post_init__(self) -> None:
        super().__post_init__()
        check_window(self.key, self.window_size)

    def finding(
        self,
        exchanges: Sequence[AnsweredExchange],
        found: FoundVerdicts,
        *,
        good: str,
        bad: str,
        noun: str,
        score: Callable[[Sequence[Verdict]], float] = share_passed,
    ) -> Finding:
        """Return the finding of verdicts that are tied to the turns of exchanges.

        good, bad, noun: as `share_finding`. score: makes the score of one window of its verdicts.
        """
        details = {**found.details, "share": share_passed(found.verdicts)}
        mean = mean_over_windows(by_exchange(exchanges, found.verdicts), self.window_size, score)
        return share_finding(found.verdicts, details, good=good, bad=bad, noun=noun, score=mean)
