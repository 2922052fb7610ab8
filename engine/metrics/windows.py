"""Windows: what of a conversation one question shows, where all of it is too much for the judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnwise.conversations.turns import Turn
from turnwise.engine.tokens import TOKENS_A_TURN, TOKENS_OF_A_VERDICT, TOKENS_OF_RULES, estimated_tokens

if TYPE_CHECKING:
    from turnwise.engine.metrics.entries import Item

MOST_ITEMS = 150
"""More verdicts than this make a reply that many judges cut off."""
_LOOKS_BACK = 4
"""One part in four of a window is for the turns before the first that is judged in it."""


@dataclass(frozen=True, slots=True)
class Window:
    """The items of one question, and the numbers of the first and last turn that it shows."""

    items: tuple[Item, ...]
    first: int
    last: int


def cut_windows(
    items: Sequence[Item],
    turns: Mapping[int, int],
    *,
    asked: int,
    most: int | None,
    context: int | None,
) -> list[Window]:
    """Cut items into as few windows as the judge can take: one, unless it is known that it cannot.

    turns: the tokens that every turn takes, with what belongs to it, by its number. asked: the tokens of the
    question itself. most: how many items a question may have. context: the tokens that a question and its
    answer may have together. Every item stands in exactly one window, whose last turn is its own or a later.
    """
    if not items:
        return []
    end = max(turns, default=0)
    most = min(most or MOST_ITEMS, MOST_ITEMS)
    room = None if context is None else max(context - TOKENS_OF_RULES - asked, TOKENS_OF_A_VERDICT)
    if room is None or _tokens(turns, 1, end) + TOKENS_OF_A_VERDICT * min(len(items), most) <= room:
        parts = [tuple(items[start : start + most]) for start in range(0, len(items), most)]
        # What comes after the last item of a part would only be paid for again.
        return [Window(part, 1, end if len(parts) == 1 else max(_places(part, end))) for part in parts]
    windows = []
    ordered = sorted(items, key=lambda item: end if item.turn is None else item.turn)
    while ordered:
        window = _next(ordered, turns, most, room, end)
        windows.append(window)
        ordered = ordered[len(window.items) :]
    return windows


def cut_spans(
    items: Sequence[Item], turns: Mapping[int, int], *, asked: int, context: int | None
) -> list[Window]:
    """Cut a conversation into as few parts as the judge can take, each with all the items.

    For items that belong to the whole conversation. turns, asked, context: as `cut_windows`.
    """
    if not items:
        return []
    end = max(turns, default=0)
    replied = TOKENS_OF_A_VERDICT * len(items)
    spans = [Window(tuple(items), 1, end)]
    room = None if context is None else max(context - TOKENS_OF_RULES - asked - replied, 1)
    while room is not None and (last := spans[-1]).first < end and _tokens(turns, last.first, end) > room:
        until = last.first
        while _tokens(turns, last.first, until + 1) <= room:
            until += 1
        spans[-1:] = [Window(last.items, last.first, until), Window(last.items, until + 1, end)]
    return spans


def ending_from(numbered: Sequence[tuple[int, Turn]], context: int | None) -> int:
    """Return the number of the turn from which on an ending fits into the judge's context; 1 for all."""
    room = None if context is None else context - 2 * TOKENS_OF_RULES
    for number, turn in reversed(numbered):
        room = None if room is None else room - TOKENS_A_TURN - estimated_tokens(turn.content)
        if room is not None and room < 0:
            return min(number + 1, numbered[-1][0])
    return 1


def _next(ordered: Sequence[Item], turns: Mapping[int, int], most: int, room: int, end: int) -> Window:
    places = _places(ordered, end)
    first = places[0]
    while first > 1 and _tokens(turns, first - 1, places[0] - 1) <= room // _LOOKS_BACK:
        first -= 1
    count = 1
    while (
        count < min(most, len(ordered))
        and _tokens(turns, first, places[count]) + TOKENS_OF_A_VERDICT * (count + 1) <= room
    ):
        count += 1
    return Window(tuple(ordered[:count]), first, places[count - 1])


def _places(items: Sequence[Item], end: int) -> list[int]:
    """Return the turns that items belong to; the last where one belongs to the whole."""
    return [end if item.turn is None else item.turn for item in items]


def _tokens(turns: Mapping[int, int], first: int, last: int) -> int:
    return sum(tokens for number, tokens in turns.items() if first <= number <= last)
