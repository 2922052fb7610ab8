"""Format: what the registry knows of one file format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from turnwise.conversations.formats.records import Record
from turnwise.conversations.formats.sources import Source
from turnwise.conversations.formats.speakers import Names


@dataclass(frozen=True, slots=True)
class Options:
    """What a reader of the file was told about it.

    messages_key: the name under which each record holds its messages; None to find it by shape.
    mapping: for a role or a field, the names that the file has for it: speakers or columns.
    """

    messages_key: str | None = None
    mapping: Names = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Format:
    """One format: how to tell it, and how to read it.

    name: as given on the command line. title: what it is, with the kinds of file. sniff: how surely a source
    is in this format, from 0 (it is not) to 1, by its content; where two agree the first in the registry is
    taken. read: yields the records, streaming; raises FormatError where the whole source is broken.
    takes_messages_key: whether `Options.messages_key` means something to it. sniff_mapped: like sniff, for a
    source of which `Options.mapping` was told; None where a mapping means nothing to the format.
    """

    name: str
    title: str
    sniff: Callable[[Source], float]
    read: Callable[[Source, Options], Iterator[Record]]
    takes_messages_key: bool = False
    sniff_mapped: Callable[[Source, Names], float] | None = None
