"""The records of JSON and JSON Lines, streamed, each with its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, NamedTuple

from turnwise.conversations.files import decode_json, split_json, stream_json
from turnwise.conversations.formats import sources
from turnwise.conversations.formats.format import (
    Case,
    Contents,
    Loaded,
    Place,
    Record,
    Rejected,
    attempt,
    rejected,
)
from turnwise.conversations.formats.sources import Source

Build = Callable[[Any], Case | Contents]


def json_records(
    source: Source,
    build: Build,
    *,
    is_part: Callable[[Any], bool],
    envelopes: frozenset[str],
    told: Callable[[Any], Any] | None = None,
) -> Iterator[Record]:
    """Yield what `build` makes of every record of a JSON or JSON Lines source.

    is_part, envelopes, told, and what is raised: as for `json_values`.
    """
    for value in json_values(source, is_part=is_part, envelopes=envelopes, told=told):
        if isinstance(value, PlacedValue):
            record = attempt(build, value.value, value.place)
            if isinstance(record, Loaded):
                record.raw = value.value
            yield record
        else:
            yield value


class PlacedValue(NamedTuple):
    """A value of a JSON or JSON Lines source, and where it stands."""

    value: Any
    place: Place


def json_values(
    source: Source,
    *,
    is_part: Callable[[Any], bool],
    envelopes: frozenset[str],
    told: Callable[[Any], Any] | None = None,
) -> Iterator[PlacedValue | Rejected]:
    """Yield the records of a JSON or JSON Lines source as they stand, for who makes more or less than one
    conversation of each; a line that is no JSON is rejected.

    is_part: whether a value is a part of a record, so that a list of such values is one record.
    envelopes: the names under which an object may hold a list of records. told: a record in the words in
    which it is read, as text instead of HTML, for whoever accounts for its texts.
    Raises FormatError where the document as a whole is broken; a broken line is only a rejection.
    """
    if source.kind == "jsonl":
        values: Iterator[PlacedValue | Rejected] = _from_lines(source)
    elif source.kind == "json":
        values = _from_document(source, is_part, envelopes)
    else:
        raise source.broken(f"expected JSON or JSON Lines; got {source.kind}")
    for value in values:
        if isinstance(value, PlacedValue):
            heard = told(value.value) if told and source.listener is not None else value.value
            source.hear(heard, value.place.line or value.place.number)
        yield value


def _from_lines(source: Source) -> Iterator[PlacedValue | Rejected]:
    with source.open() as file:
        for number, line in enumerate(_lines(file), start=source.first_line):
            if line is None:
                yield rejected(Place(source.name, number), f"longer than {sources.LONGEST_LINE:,} bytes")
            elif line.strip():
                found = _from_line(line, Place(source.name, number))
                if isinstance(found, Rejected):
                    source.hear(line.decode("utf-8", "replace"), number)
                yield found


def _from_line(line: bytes, place: Place) -> PlacedValue | Rejected:
    try:
        value = decode_json(line)
    except ValueError as error:
        return rejected(place, str(error))
    return PlacedValue(value, place)


def _lines(file: BinaryIO) -> Iterator[bytes | None]:
    """Yield every line; None for one that is longer than LONGEST_LINE bytes."""
    longest = sources.LONGEST_LINE
    for line in iter(lambda: file.readline(longest), b""):
        if len(line) < longest or line.endswith(b"\n"):
            yield line
            continue
        while (rest := file.readline(longest)) and not rest.endswith(b"\n"):
            pass
        yield None


def _from_document(
    source: Source, is_part: Callable[[Any], bool], envelopes: frozenset[str]
) -> Iterator[PlacedValue]:
    index = 0
    try:
        if source.is_small:
            for within, value in split_json(source.document, is_part, envelopes):
                index += 1
                yield PlacedValue(value, Place(source.name, None, index, within))
            return
        with source.open() as file:
            for within, value in stream_json(file, is_part, envelopes):
                index += 1
                yield PlacedValue(value, Place(source.name, None, index, within))
    except ValueError as error:
        after = f"after case {index}, " if index else ""
        raise source.broken(f"{after}{error}") from None
