"""A chat of people, whatever messenger it is from, to a conversation in which everybody has a role."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from turnwise.conversations.formats.format import (
    Format,
    Options,
    Place,
    Record,
    Shape,
)
from turnwise.conversations.formats.sources import Source
from turnwise.conversations.formats.speakers import FIELDS
from turnwise.conversations.formats.spoken import Fields

NOBODY = "unknown"
"""The speaker of a message that names none."""


class Utterance(NamedTuple):
    """What somebody says at one time.

    time: as the source writes it. rest: what else it holds of it. latency_ms: as `Turn` has it. line: where
    it begins, from 1, in files that are read by line.
    """

    speaker: str
    text: str
    time: Any = None
    rest: Mapping[str, Any] = {}
    latency_ms: float | None = None
    line: int | None = None


@dataclass(slots=True)
class Chat:
    """One conversation of a file, as it stands there.

    said: everything that somebody says, in order. events: what happened and nobody said, such as who joined.
    bots: the speakers of whom the file says that they are programs. aliases: other names by which speakers
    may be told, such as their ids, in small letters, with the speaker. rest: what else the file holds of it.
    is_thread: whether the messenger itself parts it from others, so that no silence does.
    problem: why it cannot be read; empty where it can.
    """

    place: Place
    said: list[Utterance] = field(default_factory=list)
    events: list[Any] = field(default_factory=list)
    bots: set[str] = field(default_factory=set)
    aliases: dict[str, str] = field(default_factory=dict)
    name: str | None = None
    source_id: str | None = None
    rest: Fields = field(default_factory=dict)
    is_thread: bool = False
    problem: str = ""

    def call(self, speaker: str, *names: Any) -> None:
        """Note other names of a speaker."""
        for name in names:
            if isinstance(name, str) and name and name != speaker:
                self.aliases.setdefault(name.lower(), speaker)

    def happened(self, event: Fields) -> None:
        """Note an event, with how many turns stand before it."""
        self.events.append({**event, "after_turn": len(self.said)})

    @property
    def turns_of(self) -> Counter[str]:
        """In how many turns each speaks."""
        return Counter(one.speaker for one in self.said)


def chat_format(
    name: str,
    title: str,
    sniff: Callable[[Source], float],
    read: Callable[[Source, Options], Iterator[Record]],
    shape: Shape,
    claims: Callable[[Sequence[str]], bool] | None = None,
) -> Format:
    """Return a format in which people write to one another, and which takes names of its speakers."""

    def sniff_mapped(source: Source, options: Options) -> float:
        # Names of columns mean a table, whatever the file looks like.
        return 0.0 if set(FIELDS) & options.mapping.keys() else sniff(source)

    return Format(
        name=name,
        title=title,
        sniff=sniff,
        read=read,
        sniff_mapped=sniff_mapped,
        takes_assistant=True,
        takes_silence=True,
        claims=claims,
        shapes=(shape,),
    )
