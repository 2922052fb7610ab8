"""turnwise's own JSON Lines, as `turnwise export --to jsonl` writes it.

A line is a case, fields and turns as they are, and beside them an object under the name of this program:
where the session came from, its scores with their runs, its labels and failure modes. All of it comes back
but the calls of judges, which are not in the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from turnwise.conversations.cases import ConversationalTestCase, LLMTestCase
from turnwise.conversations.errors import CaseError
from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.formats.format import Format, Options
from turnwise.conversations.formats.json_records import json_records
from turnwise.conversations.formats.own_findings import Beside
from turnwise.conversations.formats.records import Case, Contents, Record
from turnwise.conversations.formats.sources import Source
from turnwise.conversations.models import shorten

BESIDE = "turnwise"
"""The name under which a line holds what it says beside the case."""
FORM = 1
"""The form of the lines that are written now, and the newest that can be read."""
_KINDS: dict[str, type[Case]] = {"conversation": ConversationalTestCase, "exchange": LLMTestCase}


def _sniff(source: Source) -> float:
    records = (
        record for value in source.sample for record in (value if isinstance(value, list) else [value])
    )
    return 1.0 if any(_is_own(record) for record in records) else 0.0


def _is_own(record: Any) -> bool:
    beside = record.get(BESIDE) if isinstance(record, dict) else None
    return isinstance(beside, dict) and "form" in beside


def _read(source: Source, options: Options) -> Iterator[Record]:
    yield from json_records(source, contents_of, is_part=lambda value: False, envelopes=frozenset())


def contents_of(record: Any) -> Contents:
    """Return what one line holds. Raises ValueError and CaseError that name the field."""
    if not _is_own(record):
        raise ValueError(f"expected an object with {BESIDE}.form, as `turnwise export` writes it")
    beside = record[BESIDE]
    form = beside["form"]
    if not isinstance(form, int) or form < 1:
        raise ValueError(f"{BESIDE}.form: expected a whole number from 1; got {shorten(form)}")
    if form > FORM:
        raise ValueError(
            f"{BESIDE}.form: written by a newer turnwise, in form {form}; this one reads up to form {FORM}"
        )
    kind = beside.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        raise ValueError(f"{BESIDE}.kind: expected conversation or exchange; got {shorten(kind)}")
    fields = {name: item for name, item in record.items() if name != BESIDE}
    case = _KINDS[kind].model_validate(fields)
    try:
        said = Beside.model_validate(beside)
        scores = said.past_scores()
        modes = tuple(mode.found() for mode in said.modes)
    except (CaseError, ValueError) as error:
        told = error.detail if isinstance(error, CaseError) else str(error)
        raise ValueError("\n".join(f"{BESIDE}.{line}" for line in told.split("\n"))) from None
    return Contents(
        case,
        labels=tuple(label.given() for label in said.labels),
        scores=scores,
        origin=said.origin(content_of(case)),
        modes=modes,
    )


def content_of(case: Case) -> str:
    """Return the fingerprint of a case as it is written, by which one that was edited is told."""
    return fingerprint(case.data())


FORMAT = Format(
    name="turnwise",
    title="sessions that turnwise exported (JSONL)",
    sniff=_sniff,
    read=_read,
)
