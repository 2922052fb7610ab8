"""Any data as conversations, by a mapping: a person says where messages, speakers, words and times stand.

A record holds its messages in a list, or is a message itself; messages of one id are one conversation then.
What was not said is found by usual names. A path that leads to nothing in the whole file is an error, before
anything of it comes in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from turnwise.conversations.errors import FormatError, SettingError
from turnwise.conversations.formats.format import (
    Contents,
    Format,
    Options,
    Place,
    Record,
    Shape,
    attempt,
    rejected,
)
from turnwise.conversations.formats.mapped.building import (
    Roles,
    conversation_of,
    conversation_of_text,
    words_of,
)
from turnwise.conversations.formats.mapped.layout import Layout, layout_of, messages_path
from turnwise.conversations.formats.mapped.paths import EACH, found_at, nearest_path, parse_path, paths_in
from turnwise.conversations.formats.mapped.records import (
    RawRecord,
    columns_in,
    is_data,
    is_yaml_list,
    records_in,
    sample_of,
)
from turnwise.conversations.formats.mapped.shape import guessed_mapping, guessed_parts
from turnwise.conversations.formats.messages import is_any_message, is_message
from turnwise.conversations.formats.sources import Source
from turnwise.conversations.formats.speakers import FIELDS, ROLES, Names, roles_of, roles_of_speakers
from turnwise.conversations.formats.tables import (
    USUAL,
    Gaps,
    is_parquet,
    keys_of_unread,
    parquet_columns,
    snake_case,
)
from turnwise.conversations.models import shorten

_MOST_SPEAKERS = 1_000
_MOST_SHOWN = 8


def _sniff(source: Source) -> float:
    return 0.0


def _sniff_told(source: Source, options: Options) -> float:
    """Tell whether what was said is about data: tables of plain columns have a format of their own."""
    # Text in which names alone were told is a transcript, which may well be YAML of one object too.
    are_names = not (set(FIELDS) & options.mapping.keys() or options.messages_key)
    if are_names and source.kind == "text" and not is_yaml_list(source):
        return 0.0
    if not (options.mapping or options.messages_key) or not is_data(source):
        return 0.0
    columns = parquet_columns(source) if is_parquet(source) else columns_in(source)
    if columns:
        return 0.95 if messages_path(options) or _leads_into(columns, options) else 0.0
    if not options.mapping and _is_known_list(source, messages_path(options) or ""):
        return 0.0
    return 0.95


def _leads_into(columns: list[str], options: Options) -> bool:
    """Whether the mapping says more than which column is what: a path into one, or a part tables lack."""
    if {"name", "tool_calls"} & options.mapping.keys():
        return True
    for texts in options.mapping.values():
        for text in texts:
            try:
                steps = parse_path(text)
            except SettingError:
                continue
            if text not in columns and len(steps) > 1 and steps[0] in columns:
                return True
    return False


def _is_known_list(source: Source, key: str) -> bool:
    """Whether messages of OpenAI's chat stand under a plain key, which has a format of its own."""
    path = parse_path(key)
    if source.kind not in ("json", "jsonl") or len(path) != 1 or not isinstance(path[0], str):
        return False
    lists = [item for record in sample_of(source) for item in found_at(record, path)]
    return any(isinstance(item, list) and any(map(is_message, item[:20])) for item in lists)


@dataclass(slots=True)
class _Survey:
    """What must be known of a whole file before its first conversation is read.

    found: how often each part that was told is there. speakers: who says something, and how often.
    last: of each conversation, which record is its last. gaps: where records that are messages are not read.
    """

    found: Counter[str] = field(default_factory=Counter)
    speakers: Counter[str] = field(default_factory=Counter)
    last: dict[str, int] = field(default_factory=dict)
    records: int = 0
    gaps: Gaps = field(default_factory=Gaps)


def _read(source: Source, options: Options) -> Iterator[Record]:
    if not is_data(source):
        raise source.broken("expected JSON, YAML, CSV or Parquet, into which paths can lead")
    if not options.mapping and messages_path(options) is None:
        # Nothing was said but the name of this format.
        options = replace(options, mapping=_guessed(source))
    layout = layout_of(options)
    samples = sample_of(source, layout.records, whole=layout.whole)
    layout = _filled(layout, samples)
    survey = _survey(source, layout)
    _check_paths(source, layout, survey, samples)
    roles = _roles(source, layout, survey, options)
    if layout.messages is not None:
        for record in records_in(source, layout.records, whole=layout.whole):
            yield _of_list(record, layout, roles)
        return
    yield from _grouped(source, layout, survey, roles)


def _guessed(source: Source) -> Names:
    """Return what the shape of a file tells. Raises FormatError where it tells nothing."""
    samples = sample_of(source)
    guessed = guessed_mapping(samples)
    if not guessed:
        raise FormatError(
            f"Nobody knows where the messages stand in {source.name}",
            detail=f"{source.name}: the first record has {_some(paths_in(samples)) or 'nothing'}",
            next_step="Say it: --messages PATH --map role=PATH,content=PATH",
        )
    return {part: (path,) for part, path in guessed.items()}


def _filled(layout: Layout, samples: list[Any]) -> Layout:
    """Return the layout with what was not told, found by usual names in the first records."""
    if layout.messages is None and samples and all(isinstance(record, list) for record in samples):
        layout = replace(layout, messages=())
    if layout.messages is None and (path := _only_list(layout, samples)) is not None:
        layout = replace(layout, messages=parse_path(path))
    messages = [
        message
        for record in samples
        for message in ([record] if layout.messages is None else layout.messages_in(record) or [])
    ]
    parts = dict(layout.of_message)
    known = bool(messages) and all(map(is_any_message, messages[:20]))
    if not layout.spoken and not (known and not {"role", "content"} & parts.keys()):
        guessed = guessed_parts(_without_told(messages, layout))
        for part in ("role", "content"):
            if part not in parts and part in guessed:
                parts[part] = parse_path(guessed[part])
    about = dict(layout.of_record)
    if layout.messages is None:
        names = {snake_case(str(key)): key for record in samples for key in _keys(record)}
        for part, into in (("id", about), ("order", parts), ("time", parts), ("date", parts)):
            if part not in into:
                found = next((names[word] for word in USUAL[part].split() if word in names), None)
                into |= {part: (found,)} if found and (found,) not in parts.values() else {}
    return replace(layout, of_message=parts, of_record=about)


def _keys(record: Any) -> list[str]:
    return list(record) if isinstance(record, dict) else []


def _without_told(messages: list[Any], layout: Layout) -> list[Any]:
    """Return messages without the parts that were told, so that no other part is found in them."""
    told = {path[0] for path in layout.of_message.values() if path}
    return [
        {key: item for key, item in message.items() if key not in told}
        for message in messages
        if isinstance(message, dict)
    ]


def _only_list(layout: Layout, samples: list[Any]) -> str | None:
    """Return the one list in the records whose items have what was told of messages; None where none does."""
    inner = [*layout.of_message.values(), *(path for _, path in layout.spoken)]
    if any(found_at(record, path) for record in samples for path in inner):
        return None
    lists = dict.fromkeys(path for record in samples for path in paths_in(record, lists=True))
    fitting = [
        text
        for text in lists
        if inner
        and EACH not in parse_path(text)
        and all(
            any(found_at(record, (*parse_path(text), EACH, *path)) for record in samples) for path in inner
        )
    ]
    return fitting[0] if len(fitting) == 1 else None


def _survey(source: Source, layout: Layout) -> _Survey:
    survey = _Survey()
    for number, record in enumerate(records_in(source, layout.records, whole=layout.whole), start=1):
        if record.wrong:
            keys = keys_of_unread(record.row, lambda cells: _id(cells, layout) or "") if record.row else ()
            survey.gaps.unread(number, *keys)
            continue
        survey.records += 1
        for part, path in layout.of_record.items():
            survey.found[part] += bool(found_at(record.value, path))
        if layout.messages is None:
            messages = [record.value]
            if (key := _id(record.value, layout)) is not None:
                survey.last[key] = number
                survey.gaps.read(key)
            else:
                survey.gaps.nameless(number)
        else:
            messages = layout.messages_in(record.value) or []
            is_there = layout.messages_in(record.value) is not None or bool(layout.text_in(record.value))
            survey.found["messages"] += is_there
        for message in messages:
            _count(message, layout, survey)
    return survey


def _count(message: Any, layout: Layout, survey: _Survey) -> None:
    for part, path in (*layout.of_message.items(), *layout.spoken):
        if not survey.found[part]:
            survey.found[part] += bool(found_at(message, path))
    if (role := layout.of_message.get("role")) is None or not _says_something(message, layout):
        return
    speaker = words_of(found_at(message, role))
    if speaker and (speaker in survey.speakers or len(survey.speakers) < _MOST_SPEAKERS):
        survey.speakers[speaker] += 1


def _says_something(message: Any, layout: Layout) -> bool:
    paths = [layout.of_message[part] for part in ("content", "tool_calls") if part in layout.of_message]
    return any(item not in (None, "", [], {}) for path in paths for item in found_at(message, path))


def _id(record: Any, layout: Layout) -> str | None:
    path = layout.of_record.get("id")
    return (words_of(found_at(record, path)) or None) if path else None


def _check_paths(source: Source, layout: Layout, survey: _Survey, samples: list[Any]) -> None:
    """Raise FormatError where a path that was told leads to nothing in the whole file."""
    for part, text in layout.told.items():
        if part == "messages" and layout.messages is None:
            continue
        if not survey.found[part] and survey.records:
            raise _leads_nowhere(source, layout, samples, part, text)
    if layout.messages is not None or layout.spoken:
        return
    for part in ("role", "content"):
        if part not in layout.of_message and survey.records and layout.of_message:
            raise FormatError(
                f"Nobody knows the {part} of messages in {source.name}",
                detail=f"{source.name}: a record has {_some(paths_in(samples))}",
                next_step=f"Say where it stands, for example: --map {part}={_some(paths_in(samples[:1]), 1)}",
            )


def _leads_nowhere(source: Source, layout: Layout, samples: list[Any], part: str, text: str) -> FormatError:
    if part == "messages":
        known = [path for record in samples for path in paths_in(record, lists=True)]
        if layout.records:
            known = [path for record in sample_of(source) for path in paths_in(record, lists=True)]
    elif part in layout.of_record or layout.messages is None:
        known = [path for record in samples for path in paths_in(record)]
    else:
        lists = [layout.messages_in(record) or [] for record in samples]
        known = [path for messages in lists for message in messages[:20] for path in paths_in(message)]
    known = list(dict.fromkeys(known))
    near = nearest_path(text, known)
    said = f"--messages {text}" if part == "messages" else f"--map {part}={text}"
    holder = "the file has" if part == "messages" else "there is"
    return FormatError(
        f"{said} leads to nothing in {source.name}",
        detail=f"{source.name}: {holder} {_some(known) or 'nothing that it could lead to'}",
        next_step=(
            f"Did you mean {said[: -len(text)]}{near}?"
            if near
            else "Give one of these paths: keys parted by dots, with [] for every item of a list."
        ),
    )


def _some(paths: list[str], most: int = _MOST_SHOWN) -> str:
    shown = ", ".join(path if path.isprintable() else ascii(path) for path in paths[:most])
    return shown + (f" and {len(paths) - most} more" if len(paths) > most > 1 else "")


def _roles(source: Source, layout: Layout, survey: _Survey, options: Options) -> Roles:
    """Return the role of everybody who speaks. Raises FormatError where nobody knows who the chatbot is."""
    if "role" not in layout.of_message:
        return Roles({}, {})
    chatbots = options.assistant or (() if "user" in layout.values else layout.values.get("assistant", ()))
    if chatbots and any(name in survey.speakers for name in chatbots):
        roles = roles_of_speakers(
            survey.speakers, file=source.name, assistant=chatbots, given=options.mapping
        )
        return Roles(roles, layout.values)
    given = {name for role in ROLES for name in layout.values.get(role, ())}
    roles, unknown = roles_of(survey.speakers, layout.values)
    absent = [name for name in given if not roles_of([name], {"user": list(survey.speakers)})[0]]
    if absent and survey.speakers:
        near = nearest_path(absent[0], list(survey.speakers))
        raise FormatError(
            f"Nobody speaks as {absent[0]} in {source.name}",
            detail=f"{source.name}: who speaks there: {_some(list(survey.speakers))}",
            next_step=f"Did you mean {near}?" if near else "Give the words as the file has them.",
        )
    if unknown and "assistant" not in roles.values():
        roles_of_speakers(survey.speakers, file=source.name, given=layout.values)
    return Roles(roles, layout.values)


def _of_list(record: RawRecord, layout: Layout, roles: Roles) -> Record:
    if record.wrong:
        return record.wrong
    return attempt(lambda value: _listed(value, layout, roles), record.value, record.place)


def _listed(record: Any, layout: Layout, roles: Roles) -> Contents:
    messages = layout.messages_in(record)
    if messages is None and (text := layout.text_in(record)):
        return conversation_of_text(text, record, layout)
    if messages is None:
        shown = layout.told.get("messages", "messages")
        held = record.get(shown) if isinstance(record, dict) else None
        given = f"the record holds {shorten(_keys(record))}" if held is None else f"got {shorten(held)}"
        raise ValueError(f"{shown}: expected a list of messages; {given}")
    return conversation_of(messages, record, layout, roles)


def _grouped(source: Source, layout: Layout, survey: _Survey, roles: Roles) -> Iterator[Record]:
    """Yield the conversations of records that are messages, each when its last message has been read."""
    groups: dict[str, list[Any]] = {}
    places: dict[str, Place] = {}
    if not survey.last and layout.spoken:
        for record in records_in(source, layout.records, whole=layout.whole):
            yield record.wrong or _group([record.value], "", record.place, layout, roles)
        return
    # Without ids the file is one conversation.
    gaps = survey.gaps
    left_out = gaps.left_out(survey.last) if survey.last else gaps.left_out_of_one()
    for number, record in enumerate(records_in(source, layout.records, whole=layout.whole), start=1):
        key = _id(record.value, layout) if survey.last else ""
        if record.wrong:
            record.wrong.error.detail += left_out.words(number)
            yield record.wrong
        elif key is None:
            problem = "id: expected the id of a conversation; got none"
            yield rejected(record.place, problem + left_out.words(number))
        elif key not in left_out.conversations:
            groups.setdefault(key, []).append(record.value)
            places.setdefault(key, record.place)
            if survey.last.get(key) == number:
                yield _group(groups.pop(key), key, places.pop(key), layout, roles)
    for key, group in groups.items():
        yield _group(group, key, places[key], layout, roles)


def _group(group: list[Any], key: str, place: Place, layout: Layout, roles: Roles) -> Record:
    return attempt(lambda messages: conversation_of(messages, None, layout, roles, key=key), group, place)


FORMAT = Format(
    name="mapped",
    title="any data by paths, with --messages and --map (JSON, JSONL, YAML, CSV, Parquet)",
    sniff=_sniff,
    read=_read,
    takes_messages_key=True,
    sniff_mapped=_sniff_told,
    takes_assistant=True,
    shapes=(
        Shape(
            "records that hold their messages in a list",
            "the list that a path leads to, with speaker, words, times, title and calls of tools",
            "metadata of the turn and of the conversation",
        ),
        Shape("records that are messages", "those of one id, in the order of their numbers or times"),
    ),
)
