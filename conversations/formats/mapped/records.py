"""The records of any file of data, as plain values: JSON, JSON Lines, YAML, CSV and Parquet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from turnwise.conversations.errors import FormatError
from turnwise.conversations.files import load_yaml
from turnwise.conversations.formats.format import Place, Rejected, rejected
from turnwise.conversations.formats.json_records import PlacedValue, json_values
from turnwise.conversations.formats.mapped.paths import DataPath, Every, found_at, written_path
from turnwise.conversations.formats.sources import SMALL_FILE, Source
from turnwise.conversations.formats.tables import TableRow, csv_columns, csv_rows, is_parquet, parquet_rows

_YAML_START = re.compile(r"(?:---|- |[\w\"' -]{1,60}:(?:\s|$))")
_YAML_SUFFIXES = (".yaml", ".yml")
SAMPLED = 20


class RawRecord(NamedTuple):
    """A record as the file has it, or why it cannot be read. row: the row of a table that it is."""

    place: Place
    value: Any
    wrong: Rejected | None = None
    row: TableRow | None = None


def is_data(source: Source) -> bool:
    """Whether a source holds records that paths can lead into."""
    return source.kind in ("json", "jsonl") or is_parquet(source) or is_table(source) or is_yaml(source)


def is_table(source: Source) -> bool:
    """Whether a source is text whose first line names several columns."""
    return source.kind == "text" and not is_yaml(source) and len(csv_columns(source.head)[0]) > 1


def is_yaml(source: Source) -> bool:
    """Whether a text is YAML of objects, told by how it begins; the file's name counts where it says so."""
    if source.kind != "text":
        return False
    first = next((line for line in source.head.splitlines() if line.strip() and line[0] != "#"), "")
    if not _YAML_START.match(first):
        return False
    if source.suffix in _YAML_SUFFIXES:
        return True
    try:
        parts = _yaml_documents(source) if source.size < SMALL_FILE else ()
        return any(isinstance(load_yaml(part), dict | list) for part in parts[:1])
    except (ValueError, FormatError):
        return False


def is_yaml_list(source: Source) -> bool:
    """Whether a text is YAML that begins with the item of a list, or says by its name that it is YAML."""
    return is_yaml(source) and (source.suffix in _YAML_SUFFIXES or source.head.lstrip().startswith("- "))


def columns_in(source: Source) -> list[str]:
    """Return the names of the columns of a table of text; none of anything else."""
    return csv_columns(source.head)[0] if is_table(source) else []


def records_in(source: Source, within: DataPath, *, whole: bool = False) -> Iterator[RawRecord]:
    """Yield every record. within: the way to the lists that hold them; whole: the document is one record.

    Without a way, the items of a list that is the whole document are the records, and so are the lines of
    JSON Lines and the rows of a table. Raises FormatError where the source as a whole is broken.
    """
    for found in _documents(source, within, whole=whole):
        if found.wrong or not within or found.place.within:
            yield found
            continue
        name = written_path(within).removesuffix("[]")
        for number, item in enumerate(found_at(found.value, within), start=1):
            place = found.place._replace(within=name, number=number)
            yield RawRecord(place, item)


def _documents(source: Source, within: DataPath, *, whole: bool) -> Iterator[RawRecord]:
    if is_parquet(source) or is_table(source):
        rows = parquet_rows(source) if is_parquet(source) else csv_rows(source)
        for row in rows:
            wrong = rejected(row.place, row.problem) if row.problem else None
            yield RawRecord(row.place, row.cells, wrong, row)
    elif source.kind in ("json", "jsonl"):
        # A list at the top of a large file is read item by item; a list further down comes with its document.
        first = within[0] if len(within) == 2 and isinstance(within[1], Every) else None
        envelopes = frozenset({first} if isinstance(first, str) else ())
        for found in json_values(source, is_part=lambda _: whole, envelopes=envelopes):
            if isinstance(found, PlacedValue):
                yield RawRecord(found.place, found.value)
            else:
                yield RawRecord(found.place, None, found)
    else:
        yield from _of_yaml(source, whole=whole)


def _of_yaml(source: Source, *, whole: bool) -> Iterator[RawRecord]:
    if source.size >= SMALL_FILE:
        raise source.broken(f"expected YAML of less than {SMALL_FILE:,} bytes; write it as JSON Lines")
    number = 0
    for part in _yaml_documents(source):
        try:
            value = load_yaml(part)
        except ValueError as error:
            raise source.broken(str(error)) from None
        for item in value if isinstance(value, list) and not whole else [value]:
            number += 1
            yield RawRecord(Place(source.name, None, number), item)


def _yaml_documents(source: Source) -> list[str]:
    parts = re.split(r"^---[^\S\n]*$", "".join(source.lines()), flags=re.MULTILINE)
    return [part for part in parts if part.strip()]


def sample_of(source: Source, within: DataPath = (), *, whole: bool = False) -> list[Any]:
    """Return the first records, for telling their shape. Raises FormatError as `records_in` does."""
    found: list[Any] = []
    if source.kind == "json" and not source.is_small:
        beginning = source.sample[0]
        spread = isinstance(beginning, list) and not whole
        values = beginning[:SAMPLED] if spread else [beginning]
        return [item for value in values for item in found_at(value, within)][:SAMPLED]
    for record in records_in(source, within, whole=whole):
        if not record.wrong:
            found.append(record.value)
        if len(found) == SAMPLED:
            break
    return found


def first_records(path: Path) -> list[Any]:
    """Return the first records of a file; none where it is no data. Raises InputError where it is broken."""
    source = Source(path)
    try:
        return sample_of(source) if is_data(source) else []
    finally:
        source.close()
