"""Tables of conversations, as CSV and Parquet: a row a turn, a row an exchange or a row a conversation."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.errors import FormatError
from turnwise.conversations.files import decode_json
from turnwise.conversations.formats.format import (
    Contents,
    Format,
    Options,
    Record,
    Shape,
    attempt,
    rejected,
)
from turnwise.conversations.formats.messages import (
    Fields,
    case_of_record,
    case_of_sharegpt,
    is_sharegpt,
    turns_of,
)
from turnwise.conversations.formats.order import in_order, number_in
from turnwise.conversations.formats.silences import Silence, ends_of_silences, long_silences
from turnwise.conversations.formats.sources import Source
from turnwise.conversations.formats.speakers import (
    FIELDS,
    OF_DATA,
    ROLES,
    Names,
    nobody_named,
    role_of,
    roles_of,
    unknown_speakers,
    who_is_who,
)
from turnwise.conversations.formats.tables.columns import Columns, columns_of
from turnwise.conversations.formats.tables.gaps import Gaps, keys_of_unread
from turnwise.conversations.formats.tables.rows import (
    TableRow,
    csv_columns,
    csv_rows,
    is_parquet,
    parquet_columns,
    parquet_rows,
)
from turnwise.conversations.formats.transcripts import JOINED, TimeColumn, case_of_text, joined_time, label_of
from turnwise.conversations.models import shorten

_DECODED = ("tool_calls", "function_call")
_MOST_SPEAKERS = 1_000
_NOTHING_TO_CUT_BY = "--split-after: nothing to cut by, as "


def _sniff(source: Source) -> float:
    return _sniff_mapped(source, Options())


def _sniff_mapped(source: Source, options: Options) -> float:
    mapping = options.mapping
    if is_parquet(source):
        return 0.9
    if source.kind != "text":
        return 0.0
    if set(OF_DATA) & mapping.keys():
        return 0.0
    names, mark = csv_columns(source.head)
    try:
        found = columns_of(names, mapping)
    except ValueError:
        return 0.5
    if found is None:
        return 0.5 if set(FIELDS) & mapping.keys() else 0.0
    if mapping:
        return 1.0
    if not found.whole:
        return 0.6
    cells = _first_row(source.head, mark)
    cell = cells[names.index(found.whole)].lstrip() if len(cells) == len(names) else ""
    return 0.6 if cell.startswith("[") or label_of(cell.partition("\n")[0]) else 0.0


def _first_row(head: str, mark: str) -> list[str]:
    with suppress(csv.Error):
        reader = csv.reader(io.StringIO(head, newline=""), delimiter=mark)
        next(reader, None)
        return next(reader, [])
    return []


@dataclass(slots=True)
class _Survey:
    """What must be known of a whole table before its first conversation is read.

    last: the number of each conversation's last row. speakers: the names in the column of roles. gaps: where
    rows are not read. times: how the column of times writes them. joins: whether the day stands in another.
    """

    last: dict[str, int] = field(default_factory=dict)
    speakers: dict[str, int] = field(default_factory=dict)
    rows: int = 0
    gaps: Gaps = field(default_factory=Gaps)
    times: TimeColumn = field(default_factory=TimeColumn)
    joins: bool = False


def _read(source: Source, options: Options) -> Iterator[Record]:
    names = parquet_columns(source) if is_parquet(source) else csv_columns(source.head)[0]
    try:
        found = columns_of(names, options.mapping)
    except ValueError as error:
        raise _not_named(source, str(error)) from None
    if found is None:
        raise _not_named(
            source, f"expected columns for role and content, or for user and assistant; got {shorten(names)}"
        )
    if found.whole:
        for row in _rows(source):
            yield _attempted(row, lambda cells: _whole(cells, found, options.speakers))
        return
    survey = _survey(source, found)
    by_id = None if found.is_row_id and len(survey.last) == survey.rows else found.id
    roles, unknown = roles_of(survey.speakers, options.speakers)
    given = {name for role in ROLES if not found.spoken for name in options.speakers.get(role, ())}
    absent = bool(given) and not given & survey.speakers.keys()
    if options.assistant and not absent:
        roles.update(dict.fromkeys(unknown, "user"))
    place = f"{source.name}, column {found.role}"
    if absent:
        problem, next_step = nobody_named(list(survey.speakers))
        raise FormatError(
            f"Nobody knows who is who in {source.name}", detail=f"{place}: {problem}", next_step=next_step
        )
    if unknown and not options.assistant and not {"user", "assistant"} & set(roles.values()):
        raise unknown_speakers(source.name, place, unknown, roles, survey.speakers)
    if by_id is None and found.spoken:
        for row in _rows(source):
            yield _attempted(row, lambda cells: _conversation([cells], found, roles, ""))
        return
    yield from _grouped(source, found, by_id, survey, roles, options.split_after)


def _not_named(source: Source, problem: str) -> FormatError:
    return FormatError(
        f"{source.name} cannot be read",
        detail=f"{source.name}: {problem}",
        next_step="Name its columns, for example: --map id=chat_id,role=sender,content=text",
    )


def _rows(source: Source, only: list[str] | None = None) -> Iterator[TableRow]:
    return parquet_rows(source, only) if is_parquet(source) else csv_rows(source)


def _attempted(row: TableRow, build: Any) -> Record:
    return rejected(row.place, row.problem) if row.problem else attempt(build, row.cells, row.place)


def _survey(source: Source, found: Columns) -> _Survey:
    survey = _Survey()
    only = [name for name in (found.id, found.role, found.time, found.date) if name]
    if not only:
        return survey
    for row in _rows(source, list(dict.fromkeys(only))):
        number = row.place.number or 0
        if row.problem:
            survey.gaps.unread(number, *keys_of_unread(row, lambda cells: _text(cells.get(found.id or ""))))
            continue
        survey.rows += 1
        if found.time:
            time = _time_of(row.cells, found)
            survey.times.hear(time)
            survey.joins |= time != row.cells.get(found.time)
        if found.id and (key := _text(row.cells.get(found.id))):
            survey.last[key] = number
            survey.gaps.read(key)
        elif found.id:
            survey.gaps.nameless(number)
        name = _text(row.cells.get(found.role))
        if name and (name in survey.speakers or len(survey.speakers) < _MOST_SPEAKERS):
            survey.speakers[name] = survey.speakers.get(name, 0) + 1
    return survey


def _grouped(
    source: Source,
    found: Columns,
    by_id: str | None,
    survey: _Survey,
    roles: dict[str, str],
    split_after: float | None,
) -> Iterator[Record]:
    """Yield the conversations, each when its last row has been read; their rows may lie between others."""
    # Without ids the table is one conversation.
    left_out = survey.gaps.left_out(survey.last) if by_id else survey.gaps.left_out_of_one()
    groups: dict[str, list[TableRow]] = {}
    for row in _rows(source):
        key = _text(row.cells.get(by_id)) if by_id else ""
        problem = row.problem
        if by_id and not key:
            problem = problem or f"{by_id}: expected the id of a conversation; got an empty cell"
        if problem:
            yield rejected(row.place, problem + left_out.words(row.place.number or 0))
        elif key not in left_out.conversations:
            groups.setdefault(key, []).append(row)
            if by_id and survey.last.get(key) == row.place.number:
                yield _group(groups.pop(key), found, roles, key, survey)
    for key, group in groups.items():
        if by_id:
            yield _group(group, found, roles, key, survey)
        else:
            yield from _by_silence(group, found, roles, survey, split_after)


def _group(group: list[TableRow], found: Columns, roles: dict[str, str], key: str, survey: _Survey) -> Record:
    """Return the conversation of some rows."""
    if (spoilt := _spoilt(group, found, roles, key)) is not None:
        return spoilt
    remarks = _told_of_times(found, survey)
    return _built(_in_order(group, found, survey.times), found, roles, key, remarks=remarks)


def _told_of_times(found: Columns, survey: _Survey) -> tuple[str, ...]:
    """Say what is to be known of the times: which cannot be read, and that two columns are one."""
    problem = survey.times.problem(f"column {found.time}") if found.time else ""
    joins = f"columns {found.date} and {found.time} {JOINED}" if survey.joins else ""
    return tuple(filter(None, (problem, joins)))


def _time_of(cells: Fields, found: Columns) -> Any:
    """Return the time of a row, with the day that may stand in another column; None without one."""
    time = cells.get(found.time) if found.time else None
    return joined_time(cells.get(found.date), time) if found.date else time


def _by_silence(
    group: list[TableRow],
    found: Columns,
    roles: dict[str, str],
    survey: _Survey,
    split_after: float | None,
) -> Iterator[Record]:
    """Yield the one conversation that a table without ids is, or its parts between long silences.

    split_after: in seconds, how long these are; None where nobody said so, and they are only told.
    """
    if (spoilt := _spoilt(group, found, roles, "")) is not None:
        yield spoilt
        return
    rows = _in_order(group, found, survey.times)
    moments = [survey.times.seconds(_time_of(row.cells, found)) for row in rows]
    remarks = _told_of_times(found, survey)
    if split_after is None:
        silences = long_silences(moments, lambda place: f"row {rows[place].place.number or 0:,}")
        yield _built(rows, found, roles, "", silences=silences, remarks=remarks)
        return
    if all(moment is None for moment in moments):
        empty = f"column {found.time} is empty" if found.time else "no column has times"
        remarks = (f"{_NOTHING_TO_CUT_BY}{remarks[0] if remarks else empty}",)
    cuts = [place for place, _ in ends_of_silences(moments, split_after)]
    for start, end in pairwise([0, *cuts, len(rows)]):
        yield _built(rows[start:end], found, roles, "", remarks=remarks)


def _spoilt(group: list[TableRow], found: Columns, roles: dict[str, str], key: str) -> Record | None:
    """Return why a conversation is left out, where a row of it cannot be read; None where all can."""
    for row in group:
        if problem := _row_problem(row.cells, found, roles):
            return rejected(row.place, f"{problem}{_left_out_words(group, key)}")
    return None


def _built(
    rows: Sequence[TableRow],
    found: Columns,
    roles: dict[str, str],
    key: str,
    *,
    silences: tuple[Silence, ...] = (),
    remarks: tuple[str, ...] = (),
) -> Record:
    def build(cells: list[Fields]) -> Contents:
        return Contents(_conversation(cells, found, roles, key), silences=silences, remarks=remarks)

    return attempt(build, [row.cells for row in rows], rows[0].place)


def _row_problem(cells: Fields, found: Columns, roles: dict[str, str]) -> str:
    """Say what is wrong with who speaks in a row, or that nobody does; empty where somebody is known to."""
    if found.spoken:
        return "" if _said(cells, found) else _nothing_said(found)
    if not (speaker := _text(cells.get(found.role))):
        return f"{found.role}: expected who speaks; got an empty cell"
    if speaker in roles:
        return ""
    problem, next_step = who_is_who([speaker], {})
    return f"{found.role}: {problem} ({next_step[0].lower()}{next_step[1:]})"


def _left_out_words(group: list[TableRow], key: str) -> str:
    """Say what goes with a row that cannot be read: all of its conversation, which would lack a turn."""
    if len(group) == 1:
        return ""
    which = f"conversation {shorten(key)}" if key else "the conversation"
    return f"; so {which}, {len(group):,} rows, is left out"


def _in_order(rows: list[TableRow], found: Columns, times: TimeColumn) -> list[TableRow]:
    """Return rows in the order of their numbers or times, where all have one that can be read."""
    numbers = [number_in(row.cells.get(found.order)) for row in rows] if found.order else []
    moments = [times.place(_time_of(row.cells, found)) for row in rows] if found.time else []
    return in_order(rows, numbers, moments)


def _conversation(
    cells: list[Fields], found: Columns, roles: dict[str, str], key: str
) -> ConversationalTestCase:
    if not found.spoken:
        messages = [_message(row, found, roles, key) for row in cells]
        about = {found.id: key} if found.id and key else None
        return ConversationalTestCase(turns=turns_of(messages, "row"), name=key or None, metadata=about)
    turns: list[Fields] = []
    beside: list[Fields] = []
    for row in cells:
        said = _said(row, found)
        if not said:
            raise ValueError(_nothing_said(found))
        # A prompt that stands in every row of a conversation is said once.
        fresh = [(role, text) for role, text in said if role != "system" or _last(turns, role) != text]
        turns += [{"role": role, "content": text} for role, text in fresh]
        others = {name: item for name, item in row.items() if name not in found.used}
        others |= _joined_in(row, found)
        beside.append(others)
        if len(cells) > 1 and others:
            turns[-1]["metadata"] = others
    metadata = beside[0] if len(cells) == 1 else None
    name = key or (_text(cells[0].get(found.id)) if found.id else "")
    return ConversationalTestCase(turns=turns, name=name or None, metadata=metadata or None)


def _said(cells: Fields, found: Columns) -> list[tuple[str, str]]:
    """Return who says what in a row whose columns tell it."""
    return [(role, _text(cells[column])) for role, column in found.spoken if column in cells]


def _nothing_said(found: Columns) -> str:
    wanted = ", ".join(column for _, column in found.spoken)
    return f"{wanted}: expected a text in one of them; got empty cells"


def _last(turns: list[Fields], role: str) -> str | None:
    return next((turn["content"] for turn in reversed(turns) if turn["role"] == role), None)


def _message(row: Fields, found: Columns, roles: dict[str, str], key: str) -> Fields:
    """Return the chat message in a row, with the row's other cells as fields beside it."""
    speaker = _text(row.get(found.role))
    read = (found.role, found.content, found.id if key else "")
    others = {name: item for name, item in row.items() if name not in read}
    message = {
        f"column_{name}" if name in ("role", "content") else name: item for name, item in others.items()
    }
    message |= _joined_in(row, found)
    for name in _DECODED:
        if isinstance(given := message.get(name), str):
            message[name] = _decoded(given, name)
    content = row.get(found.content)
    message["role"] = roles[speaker]
    message["content"] = content if isinstance(content, list) else _text(content)
    if role_of(speaker) is None and "name" not in message:
        message["name"] = speaker
    return message


def _joined_in(row: Fields, found: Columns) -> Fields:
    """Return the time of a row by its one name, where it is joined of two columns."""
    time = _time_of(row, found)
    return {"time": time} if found.time and time != row.get(found.time) else {}


def _decoded(text: str, name: str) -> Any:
    try:
        return decode_json(text)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _whole(cells: Fields, found: Columns, mapping: Names) -> ConversationalTestCase:
    given = cells.get(found.whole)
    rest = {name: item for name, item in cells.items() if name != found.whole}
    if isinstance(given, str):
        if not given.lstrip().startswith("["):
            case = case_of_text(given, mapping)
            return case.model_copy(update={"metadata": {**rest, **(case.metadata or {})} or None})
        given = _decoded(given, found.whole)
    if not isinstance(given, list):
        raise ValueError(f"{found.whole}: expected a conversation; got {shorten(given)}")
    if is_sharegpt({"conversations": given}):
        return case_of_sharegpt({**rest, "conversations": given})
    return case_of_record({**rest, found.whole: given}, found.whole)


def _text(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return value if isinstance(value, str) else "" if value is None else str(value)


FORMAT = Format(
    name="table",
    title="tables with a row a turn or a row a conversation (CSV, Excel, Parquet)",
    sniff=_sniff,
    read=_read,
    shapes=(
        Shape(
            "a row a turn, an exchange or a conversation",
            read="the columns for who speaks, the words, ids, times and order, also as `--map` names them; "
            "`--split-after` parts a table without ids by its times",
            rest="other columns are metadata of the turn, or of the session where all its rows agree",
        ),
    ),
    sniff_mapped=_sniff_mapped,
    takes_assistant=True,
    takes_silence=True,
)
