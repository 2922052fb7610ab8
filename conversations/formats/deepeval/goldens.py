"""deepeval's data sets: files of goldens or test cases, read whole, and written as deepeval writes them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.errors import CaseError, FormatError
from turnwise.conversations.formats.deepeval.files import case_of, values_of
from turnwise.conversations.formats.fields import field_names, known_fields
from turnwise.conversations.formats.sources import Source
from turnwise.conversations.formats.tables import csv_rows
from turnwise.conversations.goldens import AnyGolden, ConversationalGolden, Golden
from turnwise.conversations.models import shorten

CONVERSATIONAL_GOLDEN = field_names(ConversationalGolden) | {"persona"}
"""Every name that a field of a conversational golden may have in a file."""
_ENVELOPES = ("goldens", "test_cases", "conversational_goldens", "conversational_test_cases")
JOINED = {"context": "|", "retrieval_context": "|", "tags": "|", "tools_called": ";", "expected_tools": ";"}
"""The columns whose cells hold several texts, with the mark between them."""
_EXCHANGE = (
    "input",
    "actual_output",
    "expected_output",
    "retrieval_context",
    "context",
    "name",
    "comments",
    "source_file",
    "tools_called",
    "expected_tools",
    "token_cost",
    "completion_time",
    "tags",
    "additional_metadata",
    "custom_column_key_values",
)
_CONVERSATION = (
    "scenario",
    "turns",
    "expected_outcome",
    "user_description",
    "chatbot_role",
    "context",
    "name",
    "comments",
    "tags",
    "additional_metadata",
    "custom_column_key_values",
)


def read_goldens(
    path: Path, names: Mapping[str, str] | None = None, marks: Mapping[str, str] | None = None
) -> list[AnyGolden]:
    """Return the goldens of a file of JSON, JSON Lines or CSV, told by the end of its name.

    names: our names of fields by the file's, where they differ. marks: what stands between the texts of a
    cell, by our names, where that is not as in JOINED. Raises FormatError, which names file and record, where
    one cannot be read (a data set is whole or none), NotFoundError where there is no such file.
    """
    goldens = []
    for place, record, is_row in _records(path):
        if not isinstance(record, dict):
            raise _unread(path, place, f"expected an object; got {shorten(record)}")
        named = {(names or {}).get(name, name): item for name, item in record.items()}
        try:
            goldens.append(_golden(_of_row(named, marks or {}) if is_row else named))
        except CaseError as error:
            raise _unread(path, place, error.detail) from None
        except ValueError as error:
            raise _unread(path, place, str(error)) from None
    return goldens


def _records(path: Path) -> Iterator[tuple[str, Any, bool]]:
    """Yield each record with its place, and whether it is a row of a table, whose values are texts."""
    source = Source(path)
    try:
        if source.suffix == ".csv":
            for row in csv_rows(source):
                if row.problem:
                    raise _unread(path, str(row.place), row.problem)
                yield str(row.place), row.cells, True
            return
        text = path.read_text(encoding="utf-8-sig")
        if source.suffix == ".jsonl":
            for number, line in enumerate(text.splitlines(), start=1):
                if line.strip():
                    yield f"line {number}", _json(path, f"line {number}", line), False
            return
        yield from _listed(path, _json(path, "the whole file", text))
    except UnicodeDecodeError as error:
        raise _unread(path, "the whole file", f"expected text in UTF-8; {error}") from None
    finally:
        source.close()


def _of_row(cells: dict[str, Any], marks: Mapping[str, str]) -> dict[str, Any]:
    """Return the record of a row. Raises ValueError where a cell is not what it must be."""
    parted = {
        name: [part.strip() for part in cells[name].split(mark) if part.strip()]
        for name, mark in marks.items()
        if name in cells
    }
    return {**values_of({name: cell for name, cell in cells.items() if name not in parted}), **parted}


def _listed(path: Path, value: Any) -> Iterator[tuple[str, Any, bool]]:
    lists = [value[name] for name in _ENVELOPES if name in value] if isinstance(value, dict) else [value]
    for inner in lists or [[value]]:
        if not isinstance(inner, list):
            raise _unread(path, "the whole file", f"expected a list of objects; got {shorten(value)}")
        yield from ((f"record {number}", record, False) for number, record in enumerate(inner, start=1))


def _json(path: Path, place: str, text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise _unread(path, place, f"expected JSON; {error}") from None


def _unread(path: Path, place: str, problem: str) -> FormatError:
    return FormatError(
        f"{path.name} is no data set that can be read",
        detail=f"{path.name}, {place}: {problem}",
        next_step="Correct it in the file and try again.",
    )


def _golden(record: dict[str, Any]) -> AnyGolden:
    """Return the golden of a record. Raises ValueError that names the field."""
    if not record.get("turns") and str(record.get("scenario") or "").strip():
        filled = {name: item for name, item in record.items() if item not in (None, "", [])}
        return ConversationalGolden.model_validate(known_fields(ConversationalGolden, filled))
    source_file = record.get("source_file", record.get("sourceFile"))
    case = case_of({name: item for name, item in record.items() if name not in ("source_file", "sourceFile")})
    if isinstance(case, ConversationalTestCase):
        return ConversationalGolden.of(case)
    golden = Golden.of(case)
    golden.source_file = source_file
    return golden


def write_goldens(goldens: Sequence[AnyGolden], path: Path) -> None:
    """Write goldens to a file of JSON, JSON Lines or CSV, told by the end of its name."""
    text = golden_text(goldens, path.suffix.lower())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")


def golden_text(goldens: Sequence[AnyGolden], suffix: str) -> str:
    """Return goldens as JSON (.json), JSON Lines (.jsonl) or else CSV."""
    records = [_record(golden) for golden in goldens]
    match suffix:
        case ".json":
            return json.dumps(records, ensure_ascii=False, indent=4) + "\n"
        case ".jsonl":
            return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
        case _:
            return _table(records)


def _record(golden: AnyGolden) -> dict[str, Any]:
    """Return what deepeval writes of a golden: all its fields, those without a value as null."""
    data = golden.data()
    data["additional_metadata"] = data.pop("metadata", None)
    names = _CONVERSATION if isinstance(golden, ConversationalGolden) else _EXCHANGE
    # What deepeval has no field for goes along, since its reader passes over it and ours does not.
    return {**{name: data.get(name) for name in names}, **data}


def _table(records: Sequence[Mapping[str, Any]]) -> str:
    columns = list(dict.fromkeys(name for record in records for name in record))
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(columns)
    writer.writerows([_cell(name, record.get(name)) for name in columns] for record in records)
    return file.getvalue()


def _cell(name: str, value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    mark = JOINED.get(name)
    plain = mark is not None and isinstance(value, list) and all(isinstance(item, str) for item in value)
    if plain and not any(str(mark) in item or item.startswith("[") for item in value):
        return str(mark).join(value)
    return json.dumps(value, ensure_ascii=False)
