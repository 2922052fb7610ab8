"""From messages and the ways to their parts to a conversation."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, cast

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.files import decode_json
from turnwise.conversations.formats.format import Contents
from turnwise.conversations.formats.mapped.layout import Layout
from turnwise.conversations.formats.mapped.paths import DataPath, found_at, without_path, written_path
from turnwise.conversations.formats.messages import MESSAGE, Fields, account, contents_of, keep
from turnwise.conversations.formats.order import in_order, number_in
from turnwise.conversations.formats.speakers import Names, role_of, who_is_who
from turnwise.conversations.formats.times import iso_time
from turnwise.conversations.formats.transcripts import JOINED, TimeColumn, case_of_text, joined_time
from turnwise.conversations.models import shorten

_BESIDE = "beside"
"""Where records are kept that stand among the messages and are none."""
_CALL_NAMES = ("name", "tool_name", "toolName", "tool", "function")
_CALL_INPUTS = ("arguments", "args", "input", "parameters", "params", "inputs")


@dataclass(frozen=True, slots=True)
class Roles:
    """Who speaks as what: by the words of the file. told: the words that a person gave for roles."""

    by_word: dict[str, str]
    told: Names


def words_of(found: list[Any]) -> str:
    """Return what was found as one text: texts on lines of their own, numbers and truth values as JSON."""
    texts = [
        item if isinstance(item, str) else json.dumps(item) if isinstance(item, bool | int | float) else ""
        for item in found
    ]
    return "\n".join(text for text in texts if text)


def conversation_of(
    messages: list[Any], record: Any, layout: Layout, roles: Roles, *, key: str = ""
) -> Contents:
    """Return the conversation of messages, with what stands beside them as metadata.

    record: what holds them; None where each is a record of its own. key: the id that they share.
    Raises ValueError that names the message and field, what was expected and given.
    """
    shown = written_path(layout.messages) if layout.messages else "message"
    rest = _rest(record, layout)
    beside: list[Any] = []
    chat: list[Any] = []
    times = _times_of(messages, layout)
    for number, message in enumerate(_sorted(messages, layout, times)):
        place = f"{shown}[{number}]"
        if layout.spoken:
            chat += _spoken(message, layout, place, chat)
        elif "role" not in layout.of_message and "content" not in layout.of_message:
            chat.append(message)
        elif (made := _message(message, layout, roles, place)) is None:
            beside.append(message)
        else:
            chat.append(made)
    if not chat:
        raise ValueError(f"{shown}: expected messages that say something; got {shorten(messages)}")
    contents = contents_of(chat, shown, rest, path=_string_steps(layout.messages or ()))
    case = cast("ConversationalTestCase", contents.case)
    if not any(turn.content.strip() or turn.tools_called for turn in case.turns):
        raise ValueError(f"{shown}: expected words in some message; all are empty")
    if beside:
        case = case.model_copy(update={"metadata": {**(case.metadata or {}), _BESIDE: beside}})
    day, clock = (written_path(layout.of_message.get(part, ())) for part in ("date", "time"))
    problem = times.problem(f"time {clock}")
    joins = f"{day} and {clock} {JOINED}" if any(_joins(message, layout) for message in messages) else ""
    remarks = (*contents.remarks, *filter(None, (problem, joins)))
    return replace(contents, case=_named(case, _about(record, messages, layout, key)), remarks=remarks)


def conversation_of_text(text: str, record: Any, layout: Layout) -> Contents:
    """Return the conversation of messages that are one text, as a transcript. Raises ValueError."""
    case = case_of_text(text, layout.values)
    rest = _rest(record, layout)
    remarks = account(rest, [turn.data() for turn in case.turns])
    case = case.model_copy(update={"metadata": {**rest, **(case.metadata or {})} or None})
    return Contents(_named(case, _about(record, [], layout, "")), remarks=remarks)


def _named(case: ConversationalTestCase, about: Fields) -> ConversationalTestCase:
    """Give a conversation its name, and the id that it has in its source."""
    metadata = dict(case.metadata or {})
    if "source_id" in about:
        metadata["source_id"] = about["source_id"]
    name = about.get("name") or case.name or about.get("source_id")
    return case.model_copy(update={"name": name, "metadata": metadata or None})


def _string_steps(path: DataPath) -> tuple[str | int, ...]:
    return tuple(step for step in path if isinstance(step, str | int))


def _rest(record: Any, layout: Layout) -> Fields:
    """Return what a record holds beside its messages, and beside its id and name."""
    for path in (layout.messages or (), *layout.of_record.values()):
        record = without_path(record, path) if path else record
    return record if isinstance(record, dict) else {}


def _about(record: Any, messages: list[Any], layout: Layout, key: str) -> Fields:
    holder = messages[0] if record is None else record
    found = {part: words_of(found_at(holder, path)) for part, path in layout.of_record.items()}
    if key:
        found["id"] = key
    named = {"source_id": found.get("id"), "name": found.get("name")}
    return {part: " ".join(text.split()) for part, text in named.items() if text and text.strip()}


def _times_of(messages: list[Any], layout: Layout) -> TimeColumn:
    """Return how messages write their times."""
    times = TimeColumn()
    for message in messages:
        times.hear(_time_in(message, layout))
    return times


def _first(message: Any, layout: Layout, part: str) -> Any:
    """Return what a message has at the path of a part; None where no path was given."""
    path = layout.of_message.get(part)
    return next(iter(found_at(message, path)), None) if path else None


def _time_in(message: Any, layout: Layout) -> Any:
    """Return the time of a message, with the day that may stand at another path; None without one."""
    return joined_time(_first(message, layout, "date"), _first(message, layout, "time"))


def _joins(message: Any, layout: Layout) -> bool:
    return "date" in layout.of_message and _time_in(message, layout) != _first(message, layout, "time")


def _sorted(messages: list[Any], layout: Layout, times: TimeColumn) -> list[Any]:
    ways = layout.of_message
    numbers = [number_in(_first(one, layout, "order")) for one in messages] if "order" in ways else []
    moments = [times.place(_time_in(one, layout)) for one in messages] if "time" in ways else []
    return in_order(messages, numbers, moments)


def _message(message: Any, layout: Layout, roles: Roles, place: str) -> Fields | None:
    """Return a message in chat words; None for what is none: it has no words, and no speaker who is known."""
    ways = layout.of_message
    found = {part: found_at(message, path) for part, path in ways.items()}
    speaker = words_of(found.get("role", []))
    content = _content(found.get("content", []), place)
    calls = [_call(call, place) for given in found.get("tool_calls", []) for call in _listed(given)]
    role = roles.by_word.get(speaker) or role_of(speaker)
    if not content and not calls and role is None:
        return None
    if not speaker:
        shown = written_path(ways.get("role", ()))
        raise ValueError(f"{place}.{shown}: expected who speaks; got {shorten(message)}")
    if role is None:
        problem, next_step = who_is_who([speaker], {})
        raise ValueError(f"{place}: {problem} ({next_step[0].lower()}{next_step[1:]})")
    made: Fields = {"role": role, "content": content}
    if calls:
        made["tool_calls"] = calls
    rest = message
    for part, path in ways.items():
        if part not in ("order", "time", "date") and path:
            rest = without_path(rest, path)
    for path in layout.of_record.values() if layout.messages is None else ():
        rest = without_path(rest, path)
    if found.get("time"):
        rest = without_path(rest, ways["time"])
        time = _time_in(message, layout)
        made["time"] = iso_time(time) or time
    for key, item in (rest if isinstance(rest, dict) else {}).items():
        if item is None:
            continue
        keep(made, key, item) if key not in MESSAGE or key in made else made.update({key: item})
    if role_of(speaker) is None and "name" not in made:
        made["name"] = speaker
    return made


def _content(found: list[Any], place: str) -> Any:
    if len(found) == 1 and isinstance(found[0], list | dict):
        return found[0]
    if any(isinstance(item, dict | list) for item in found):
        raise ValueError(f"{place}: expected texts as content; got {shorten(found)}")
    return words_of(found)


def _listed(given: Any) -> list[Any]:
    if isinstance(given, str) and given.lstrip()[:1] in ("[", "{"):
        given = decode_json(given)
    return given if isinstance(given, list) else [] if given is None else [given]


def _call(given: Any, place: str) -> Fields:
    """Return a call of a tool in the words of chat messages, whatever it calls its name and input."""
    if isinstance(given, str):
        return {"name": given}
    if not isinstance(given, dict):
        raise ValueError(f"{place}: expected calls of tools; got {shorten(given)}")
    if isinstance(given.get("function"), dict):
        return given
    name = next((given[key] for key in _CALL_NAMES if isinstance(given.get(key), str)), None)
    if name is None:
        raise ValueError(f"{place}: expected the name of a tool; got {shorten(given)}")
    inputs = next((given[key] for key in _CALL_INPUTS if given.get(key) is not None), None)
    read = {*_CALL_NAMES, *_CALL_INPUTS}
    others = {key: item for key, item in given.items() if key not in read}
    return {**others, "name": name, "arguments": inputs}


def _spoken(message: Any, layout: Layout, place: str, before: list[Any]) -> list[Fields]:
    """Return what each role says in a record that holds a question and its answer."""
    said = [(role, words_of(found_at(message, path))) for role, path in layout.spoken]
    # A prompt that stands in every record of a conversation is said once.
    told = {one["content"] for one in before if isinstance(one, dict) and one["role"] == "system"}
    turns = [
        {"role": role, "content": text}
        for role, text in said
        if text and not (role == "system" and text in told)
    ]
    if not turns:
        paths = ", ".join(written_path(path) for _, path in layout.spoken)
        raise ValueError(f"{place}: expected a text at {paths}; got none")
    rest = message
    for _, path in layout.spoken:
        rest = without_path(rest, path)
    for path in layout.of_record.values():
        rest = without_path(rest, path) if layout.messages is None and path else rest
    last: Fields = turns[-1]
    if "time" in layout.of_message and found_at(message, layout.of_message["time"]):
        rest = without_path(rest, layout.of_message["time"])
        time = _time_in(message, layout)
        last["time"] = iso_time(time) or time
    for key, item in (rest if isinstance(rest, dict) else {}).items():
        keep(last, key if key not in MESSAGE else f"original_{key}", item)
    return turns
