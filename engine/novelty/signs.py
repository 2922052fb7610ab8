"""Signs: what a conversation shows, as small facts that many conversations may share. No model is asked.

A sign is a word that the chatbot says; a tool that is used; a stretch of what happens
(who speaks, who asks, a tool, an error, a hand-over, the beginning and the end); and a figure that is among
the least or the greatest of its kind: turns, lengths, repetition, errors, times.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from turnwise.conversations.turns import Turn
from turnwise.engine.metrics.deterministic.shapes import gives_error, shape_of
from turnwise.engine.metrics.deterministic.state_changes import hands_over
from turnwise.engine.metrics.subject import Subject

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+")
_ASKS = ("?", "？", "؟")
_LONGEST_ORDER = 3


@dataclass(frozen=True, slots=True)
class Sighting:
    """What one conversation shows.

    words: what the chatbot says, a number for each word. course: what happens and in which order, a
    number for each stretch. shape: figures by their names, as `shape_of` gives them.
    """

    words: frozenset[int]
    course: frozenset[int]
    shape: Mapping[str, float]


NOTHING = Sighting(frozenset(), frozenset(), {})


def sighting_of(subject: Subject) -> Sighting:
    """Return what a conversation shows."""
    turns = [turn for _, turn in subject.numbered]
    return Sighting(
        frozenset(map(_number, _said(turns))),
        frozenset(map(_number, _course(turns))),
        shape_of(subject),
    )


def _said(turns: Sequence[Turn]) -> Iterator[str]:
    """Yield the words of the chatbot: those of users differ anyway, with all that they want."""
    for turn in turns:
        if turn.role == "assistant":
            yield from _plain(turn.content)


def _plain(text: str) -> list[str]:
    """Return the words of a text without capitals; numbers are all the same."""
    return ["0" if word[0].isdigit() else word for word in _WORD.findall(text.casefold())]


def _course(turns: Sequence[Turn]) -> Iterator[str]:
    events = ["^", *_events(turns), "$"]
    for length in range(1, _LONGEST_ORDER + 1):
        for start in range(len(events) - length + 1):
            yield " ".join(events[start : start + length])
    tools = [call.name for turn in turns for call in turn.tools_called or []]
    yield from (f"tool {name}" for name in tools)
    yield from (f"tools {one} {other}" for one, other in pairwise(tools))


def _events(turns: Iterable[Turn]) -> Iterator[str]:
    """Yield what happens, one sign each: tools of a reply are used before it is said."""
    for turn in turns:
        for call in turn.tools_called or []:
            yield "hands over" if hands_over(call.name) else "error" if gives_error(call.output) else "tool"
        if turn.content.strip():
            asks = turn.content.rstrip(" *_)\"'").endswith(_ASKS)
            yield f"{turn.role[0]}{'?' * asks}"
        elif not turn.tools_called:
            yield f"{turn.role[0]} says nothing"


def _number(sign: str) -> int:
    # The same in every process and on every machine, which the language's own hash is not.
    return zlib.crc32(sign.encode("utf-8", "surrogatepass"))
