"""Units: the exchanges of a conversation that can be scored, and means over windows of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from turnwise.conversations.errors import SettingError
from turnwise.conversations.results import Verdict
from turnwise.conversations.turns import Exchange, Turn
from turnwise.engine.metrics.entries import Item
from turnwise.engine.metrics.subject import Subject

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Unit:
    """An exchange in which the chatbot answered.

    turns: its turns by their numbers, in order. end: the number of its last reply in words, of its last
    reply where none has words.
    """

    exchange: Exchange
    turns: tuple[tuple[int, Turn], ...]
    end: int

    @property
    def item(self) -> Item:
        """The unit as a thing to give a verdict on, named by the turn that ends it."""
        return Item(self.end, self.end)

    @property
    def users(self) -> tuple[int, ...]:
        """The numbers of the user's turns in it."""
        return self.exchange.input_turns

    def holds(self, turn: int | None) -> bool:
        """Whether a turn, named by its number, belongs to it."""
        return any(number == turn for number, _ in self.turns)


def units_of(subject: Subject) -> list[Unit]:
    """Return the units of a conversation: a user that nobody answered, and a greeting, make none."""
    turns = dict(subject.numbered)
    units = []
    for exchange in subject.exchanges:
        if not exchange.input_turns:
            continue
        numbers = sorted((*exchange.input_turns, *exchange.reply_turns))
        in_words = [number for number in exchange.reply_turns if turns[number].content.strip()]
        end = max(in_words or exchange.reply_turns)
        units.append(Unit(exchange, tuple((number, turns[number]) for number in numbers), end))
    return units


def by_unit(units: Sequence[Unit], verdicts: Sequence[Verdict]) -> list[list[Verdict]]:
    """Return the verdicts of each unit, by the turns they are about."""
    return [[verdict for verdict in verdicts if unit.holds(verdict.turn)] for unit in units]


def mean_over_windows(
    units: Sequence[Sequence[T]], size: int, score: Callable[[Sequence[T]], float], *, empty: float = 1.0
) -> float:
    """Return the mean score over windows of units that slide by one; `empty` where there is no unit.

    units: what was found in each. The window of a unit holds it and the `size` - 1 units before it.
    """
    scores = [
        score([thing for unit in units[max(0, end - size) : end] for thing in unit])
        for end in range(1, len(units) + 1)
    ]
    return sum(scores) / len(scores) if scores else empty


def check_window(name: str, size: int) -> None:
    """Raise SettingError where a window would hold nothing."""
    if size < 1:
        raise SettingError(f"{name}: window_size is at least 1", detail=f"Given: {size}")
