"""Files of label sets: CSV for spreadsheets, YAML for those who read changes; both say the same.

Columns and keys: session, name, metric, turn, label, value, split, author, note, blind, at_fault, adjudicates
and at. Only session, label and author have to be there. A label that was taken back has no word.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, get_args

from turnwise.conversations.errors import FormatError, InputError, SettingError
from turnwise.conversations.files import load_yaml, whole_file
from turnwise.conversations.findings import Label
from turnwise.conversations.marks import AtFault, LabelWord
from turnwise.conversations.store import SPLITS
from turnwise.engine.people.label_sets import LabelSet, SetRow
from turnwise.engine.people.unreadable_fields import unreadable_field

FIELDS = (
    "session",
    "name",
    "metric",
    "turn",
    "label",
    "value",
    "split",
    "author",
    "note",
    "blind",
    "at_fault",
    "adjudicates",
    "at",
)
NEEDED = ("session", "label", "author")
NEWEST = 1
"""The newest version of such YAML files that is known here."""
SUFFIXES = (".csv", ".yaml", ".yml")
_LARGEST = 200_000_000
_TOO_MANY = "cells without a column"
_BEGINS_FORMULA = frozenset("=+-@\t\r＝＋－＠")
_STEP = "`turnwise label --to labels.csv` writes one to look at."


def write_label_set(rows: Iterable[SetRow], path: Path, *, force: bool = False) -> int:
    """Write a label set as CSV or YAML, as the file's name ends, and return how many labels are in it.

    The file appears when it is whole. Raises SettingError for another ending, and InputError where it cannot
    be written or is there already.
    """
    kind = _kind(path)
    told = [_told(row) for row in rows]
    text = _csv_text(told) if kind == "csv" else _yaml_text(told)
    with whole_file(path, force=force) as out:
        out.write(text.encode("utf-8", "backslashreplace"))
    return len(told)


def read_label_set(path: Path) -> LabelSet:
    """Read a label set. Raises InputError where the file cannot be read, FormatError where it is none."""
    kind = _kind(path)
    try:
        if path.stat().st_size > _LARGEST:
            raise InputError(
                f"{path} is larger than a label set may be", detail=f"{_LARGEST:,} bytes at most"
            )
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise InputError(
            f"{path} cannot be read", detail=error.strerror or str(error), next_step="Check the name."
        ) from None
    except UnicodeDecodeError as error:
        raise FormatError(f"{path} is not UTF-8", detail=str(error), next_step="Save it as UTF-8.") from None
    if not text.strip():
        raise FormatError(f"{path} is empty", detail=f"Needed are {', '.join(NEEDED)}.", next_step=_STEP)
    rows: list[SetRow] = []
    refused: list[InputError] = []
    for place, entry in _csv_entries(path, text) if kind == "csv" else _yaml_entries(path, text):
        try:
            rows.append(_row(place, entry))
        except InputError as error:
            refused.append(error)
    return LabelSet(path.name, rows, refused)


def _kind(path: Path) -> Literal["csv", "yaml"]:
    match path.suffix.lower():
        case ".csv":
            return "csv"
        case ".yaml" | ".yml":
            return "yaml"
    raise SettingError(
        f"{path.name} is neither CSV nor YAML by its name",
        next_step="Let it end in .csv or .yaml.",
    )


def _told(row: SetRow) -> dict[str, Any]:
    """Return a row by field; fields that say nothing are left out."""
    label = row.label
    told = {
        "session": row.session,
        "name": row.name,
        "metric": label.metric,
        "turn": label.turn,
        "label": label.word,
        "value": label.value,
        "split": row.split,
        "author": label.author,
        "note": label.note,
        "blind": label.blind or None,
        "at_fault": label.at_fault,
        "adjudicates": label.adjudicates or None,
        "at": None if label.at is None else datetime.fromtimestamp(round(label.at, 6), UTC).isoformat(),
    }
    return {name: value for name, value in told.items() if value not in (None, "") or name == "label"}


def _csv_text(told: Iterable[Mapping[str, Any]]) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(FIELDS)
    for one in told:
        writer.writerow([_cell(one.get(name)) for name in FIELDS])
    return out.getvalue()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if value is True:
        return "yes"
    text = str(value)
    # What a spreadsheet would take for a formula is quoted, and the quote is taken off when it is read.
    return f"'{text}" if text[:1] in _BEGINS_FORMULA or _is_quoted(text) else text


def _is_quoted(text: str) -> bool:
    return text[:1] == "'" and (text[1:2] in _BEGINS_FORMULA or text[1:2] == "'") and len(text) > 1


def _csv_entries(path: Path, text: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    csv.field_size_limit(max(csv.field_size_limit(), _LARGEST))
    head = text.splitlines()[0] if text.strip() else ""
    mark = max(",;\t", key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    try:
        names = [name.strip().lower() for name in next(reader, [])]
        _check_names(path, names)
        for cells in reader:
            if any(cells):
                yield f"{path.name}, line {reader.line_num}", _entry(names, cells)
    except csv.Error as error:
        raise FormatError(f"{path}, line {reader.line_num} is no row of CSV", detail=str(error)) from None


def _entry(names: list[str], cells: list[str]) -> dict[str, Any]:
    plain = (cell[1:] if _is_quoted(cell) else cell for cell in cells)
    found: dict[str, Any] = {name: cell for name, cell in zip(names, plain, strict=False) if cell != ""}
    if len(cells) > len(names):
        found[_TOO_MANY] = cells[len(names) :]
    return found


def _check_names(path: Path, names: list[str]) -> None:
    missing = [name for name in NEEDED if name not in names]
    unknown = [name for name in names if name not in FIELDS]
    twice = [name for name in FIELDS if names.count(name) > 1]
    for wrong, words in (
        (missing, "has no column"),
        (twice, "has twice"),
        (unknown, "has an unknown column"),
    ):
        if wrong:
            raise FormatError(
                f"{path} {words} {', '.join(wrong)}",
                detail=f"Columns are {', '.join(FIELDS)}; needed are {', '.join(NEEDED)}.",
                next_step=_STEP,
            )


def _yaml_text(told: Iterable[Mapping[str, Any]]) -> str:
    import yaml

    class Dumper(yaml.SafeDumper):
        """Writes texts of several lines as they are read."""

    def text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)

    Dumper.add_representer(str, text)
    held = {"turnwise": "label set", "version": NEWEST, "labels": list(told)}
    return yaml.dump(held, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=100)


def _yaml_entries(path: Path, text: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    try:
        held = load_yaml(text)
    except ValueError as error:
        raise FormatError(f"{path} cannot be read as YAML", detail=str(error), next_step=_STEP) from None
    entries = held.get("labels") if isinstance(held, dict) else held
    if not isinstance(entries, list):
        raise FormatError(f"{path} holds no list of labels", next_step=_STEP)
    if isinstance(held, dict) and held.get("version", NEWEST) != NEWEST:
        raise FormatError(
            f"{path} is a label set of version {held['version']}",
            detail=f"Version {NEWEST} is known here.",
            next_step="Install a newer turnwise.",
        )
    for place, entry in enumerate(entries, 1):
        yield f"{path.name}, label {place}", entry if isinstance(entry, dict) else {"": entry}


def _row(place: str, entry: Mapping[str, Any]) -> SetRow:
    """Return the row that an entry says. Raises FormatError, which names the place and the field."""
    if _TOO_MANY in entry:
        raise FormatError(
            f"{place} has more cells than there are columns",
            detail=f"Left over: {', '.join(entry[_TOO_MANY])[:60]}",
            next_step="Put texts with commas in quotes.",
        )
    if unknown := [str(name) for name in entry if name not in FIELDS]:
        raise _wrong(place, unknown[0] or "entry", f"one of {', '.join(FIELDS)}", entry[unknown[0]])
    word = _choice(place, entry, "label", get_args(LabelWord))
    turn = _number(place, entry, "turn", whole=True)
    at_fault = _choice(place, entry, "at_fault", get_args(AtFault))
    if at_fault is not None and word != "fail":
        raise _wrong(place, "at_fault", "nothing where the label is not fail", at_fault)
    value = _number(place, entry, "value")
    if value is not None and not 0 <= value <= 1:
        raise _wrong(place, "value", "a number from 0 to 1", value)
    if turn is not None and turn < 1:
        raise _wrong(place, "turn", "a whole number from 1", turn)
    label = Label(
        word=word,
        author=_needed(place, entry, "author"),
        metric=_text(place, entry, "metric").strip(),
        value=value,
        turn=None if turn is None else int(turn),
        note=_text(place, entry, "note"),
        blind=_yes(place, entry, "blind"),
        at=_time(place, entry),
        at_fault=at_fault,
        adjudicates=_yes(place, entry, "adjudicates"),
    )
    return SetRow(
        place,
        _needed(place, entry, "session"),
        label,
        _choice(place, entry, "split", SPLITS),
        _text(place, entry, "name"),
    )


def _needed(place: str, entry: Mapping[str, Any], field: str) -> str:
    if text := _text(place, entry, field).strip():
        return text
    raise _wrong(place, field, "a text", entry.get(field))


def _text(place: str, entry: Mapping[str, Any], field: str) -> str:
    value = entry.get(field)
    if isinstance(value, dict | list):
        raise _wrong(place, field, "a text", value)
    return "" if value is None else str(value)


def _choice(place: str, entry: Mapping[str, Any], field: str, words: tuple[Any, ...]) -> Any:
    text = _text(place, entry, field).strip().lower()
    if text and text not in words:
        raise _wrong(place, field, f"{', '.join(words)} or nothing", entry[field])
    return text or None


def _yes(place: str, entry: Mapping[str, Any], field: str) -> bool:
    text = _text(place, entry, field).strip().lower()
    if text in ("", "no", "false", "0"):
        return False
    if text in ("yes", "true", "1"):
        return True
    raise _wrong(place, field, "yes or no", entry[field])


def _number(place: str, entry: Mapping[str, Any], field: str, *, whole: bool = False) -> float | None:
    text = _text(place, entry, field).strip()
    if not text:
        return None
    try:
        found = float(text)
    except ValueError:
        found = float("nan")
    if found != found or abs(found) > 2**53 or (whole and found != int(found)):
        raise _wrong(place, field, "a whole number" if whole else "a number", entry[field])
    return found


def _time(place: str, entry: Mapping[str, Any]) -> float | None:
    """Return when a label was given, in seconds since 1970; a time without a zone is one of UTC."""
    value = entry.get("at")
    text = _text(place, entry, "at").strip()
    if not text:
        return None
    try:
        at = value if isinstance(value, datetime) else datetime.fromisoformat(text)
        found = (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, OSError):
        found = -1.0
    if found <= 0:
        raise _wrong(place, "at", "a time such as 2026-11-23T19:30:00Z", value)
    return found


def _wrong(place: str, field: str, expected: str, value: Any) -> FormatError:
    step = "Mend it and take the file in again; what is known already stays as it is."
    return unreadable_field(place, field, expected, value, next_step=step)
