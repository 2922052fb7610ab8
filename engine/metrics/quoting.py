"""Quoting: the numbered sentences of a conversation, of which a judge names the one that decides a verdict.

A judge that writes a quote may write what nobody said. It is shown the sentences with numbers instead, and
its reply may hold no number but theirs; the words themselves are taken from the turn. A small judge counts
badly: it is let to write how a sentence of the turn begins, and may write nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from turnwise.conversations.results import Quote
from turnwise.conversations.turns import Turn, number_turns
from turnwise.engine.judge.transcripts import defuse
from turnwise.engine.metrics.entries import number_named
from turnwise.engine.metrics.statements import quote_of, sentences_in

NONE = 0
"""The number that stands for no sentence."""
MOST_IN_A_TURN = 200
"""Sentences of one turn that have numbers; those after them belong to the last."""
MOST_LISTED = 400
"""More numbers than these are not listed one by one in a schema: judges refuse schemas that are too long."""
LONGEST_BEGINNING = 48
"""Characters of a sentence by which a small judge names it."""


@dataclass(frozen=True)
class NumberedSentences:
    """The sentences of a conversation's spoken turns, numbered from 1 through all of it.

    by_number: each as the words that a verdict may rest on.
    """

    by_number: Mapping[int, Quote]

    @classmethod
    def of(cls, turns: Sequence[Turn]) -> NumberedSentences:
        """Number the sentences of all spoken turns; what is said later changes no number."""
        quotes = [
            quote_of(number, turn.content, sentence)
            for turn, number in zip(turns, number_turns(turns), strict=True)
            if number is not None
            for sentence in sentences_in(turn.content, most=MOST_IN_A_TURN)
        ]
        return cls(dict(enumerate(quotes, start=1)))

    @cached_property
    def of_turns(self) -> Mapping[int, Sequence[int]]:
        """The numbers of each turn's sentences, in order."""
        found: dict[int, list[int]] = {}
        for number, quote in self.by_number.items():
            found.setdefault(quote.turn, []).append(number)
        return found

    @cached_property
    def starts(self) -> Mapping[int, Mapping[int, int]]:
        """Of each turn, where a sentence begins and its number: what a transcript shows."""
        return {
            turn: {self.by_number[number].start: number for number in numbers}
            for turn, numbers in self.of_turns.items()
        }

    def schema(self, turn: int | None) -> dict[str, Any]:
        """Return the JSON schema of a number that is 0 or that of a sentence of this turn."""
        numbers = self.of_turns.get(turn or 0, ())
        return numbers_schema(numbers, singly=len(self.by_number) <= MOST_LISTED)

    def any_schema(self, turns: Sequence[int]) -> dict[str, Any]:
        """Return the JSON schema of a number that is 0 or that of a sentence of one of these turns."""
        numbers = [number for turn in turns for number in self.of_turns.get(turn, ())]
        return numbers_schema(numbers)

    def any_named(self, given: Any, turns: Sequence[int]) -> Quote | None:
        """Return the sentence that a judge names, if it belongs to one of these turns."""
        number = number_named(given)
        quote = None if number is None else self.by_number.get(number)
        return quote if quote and quote.turn in turns else None

    def named(self, given: Any, turn: int | None) -> Quote | None:
        """Return the sentence of a turn that a judge names; a turn's only one needs no name."""
        numbers = self.of_turns.get(turn or 0, ())
        if len(numbers) == 1:
            return self.by_number[numbers[0]]
        number = number_named(given)
        return self.by_number.get(number) if number is not None and number in numbers else None


def numbers_schema(numbers: Sequence[int], *, singly: bool = True) -> dict[str, Any]:
    """Return the JSON schema of a number that is 0 or one of these, which go up.

    singly: whether there is room to list each; without it, and for very many, any up to the last is let in.
    """
    if not numbers or (singly and len(numbers) <= MOST_LISTED):
        return {"type": "integer", "enum": [NONE, *numbers]}
    return {"type": "integer", "minimum": NONE, "maximum": numbers[-1]}


def beginnings(content: str, turn: int) -> dict[str, Quote]:
    """Return the sentences of what a turn says by how each begins; the first of those that begin alike."""
    found: dict[str, Quote] = {}
    for sentence in sentences_in(content, most=MOST_IN_A_TURN):
        begins = " ".join(defuse(sentence.text).split())[:LONGEST_BEGINNING].rstrip()
        found.setdefault(begins, quote_of(turn, content, sentence))
    return found
