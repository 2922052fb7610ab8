"""Chat messages in the shape of OpenAI's interface, as JSON and JSON Lines.

A record is a list of messages, or an object that holds one: under `messages`, or else under whatever name
holds a list of that shape. A reply beside the messages, as logs of requests have it, is the last message.
What else the object holds becomes the conversation's metadata.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from turnwise.conversations.cases import ConversationalTestCase
from turnwise.conversations.formats.format import Contents, Format, Options, Record, Shape
from turnwise.conversations.formats.json_records import json_records
from turnwise.conversations.formats.messages.chat_messages import is_message, turns_of
from turnwise.conversations.formats.messages.envelopes import check_speakers, check_words, contents_of
from turnwise.conversations.formats.messages.replies import REPLIES
from turnwise.conversations.formats.sources import Source
from turnwise.conversations.models import shorten

_ENVELOPES = frozenset({"conversations", "sessions", "records", "samples", "items", "results", "data"})
_LOOKED_AT = 20


def _sniff(source: Source) -> float:
    return max((_surely(record) for value in source.sample for record in _records_in(value)), default=0.0)


def _records_in(value: Any) -> list[Any]:
    if isinstance(value, list) and not (value and is_message(value[0])):
        return value[:_LOOKED_AT]
    if isinstance(value, dict):
        lists = [value[name] for name in _ENVELOPES & value.keys() if isinstance(value[name], list)]
        spread = [record for items in lists for record in items[:_LOOKED_AT] if _surely(record)]
        return spread or [value]
    return [value]


def _surely(record: Any) -> float:
    if _holds_messages(record):
        return 0.8
    if not isinstance(record, dict):
        return 0.0
    if _holds_messages(record.get("messages")):
        return 0.8
    if is_message(record):
        return 0.2
    return 0.6 if _candidates(record) else 0.2 if isinstance(record.get("messages"), list) else 0.0


def _read(source: Source, options: Options) -> Iterator[Record]:
    def build(record: Any) -> ConversationalTestCase | Contents:
        return _read_record(record, options.messages_key)

    yield from json_records(source, build, is_part=is_message, envelopes=_ENVELOPES - {options.messages_key})


def case_of_record(record: Any, messages_key: str | None = None) -> ConversationalTestCase:
    """Return the conversation that one record says, with the reply that stands beside its messages.

    messages_key: the name under which it holds its messages; None to find it by shape.
    Raises ValueError that names the field, what was expected and what was given.
    """
    found = _read_record(record, messages_key)
    return cast("ConversationalTestCase", found.case) if isinstance(found, Contents) else found


def _read_record(record: Any, messages_key: str | None) -> ConversationalTestCase | Contents:
    """Return the same; with remarks, where there may be any."""
    if isinstance(record, list):
        key, messages, rest = "messages", record, {}
    elif isinstance(record, dict):
        key = messages_key or _key_of(record)
        if key not in record:
            raise ValueError(f"{key}: expected a list of messages; the record holds {_keys_of(record)}")
        messages = record[key]
        rest = {name: item for name, item in record.items() if name != key}
    else:
        raise ValueError(f"expected a list of messages or an object that holds one; got {shorten(record)}")
    if not isinstance(messages, list):
        raise ValueError(f"{key}: expected a list of messages; got {shorten(messages)}")
    if not messages:
        raise ValueError(f"{key}: expected at least one message; got an empty list")
    if isinstance(record, dict) and record.get("object") == "list" and _is_newest_first(messages, record):
        messages = messages[::-1]
    if not rest:
        turns = turns_of(messages, key)
        check_speakers(turns, key)
        check_words(turns)
        return ConversationalTestCase(turns=turns)
    return contents_of(messages, key, rest)


def _is_newest_first(messages: list[Any], page: dict[str, Any]) -> bool:
    """Whether a page of a list runs backwards, as the interface gives them where nobody asks otherwise.

    It is told by the times, by a result that stands before its call, or by a page that begins with a reply
    and ends with what a user said.
    """
    items = [item for item in messages if isinstance(item, dict)]
    times = [time for item in items if isinstance(time := item.get("created_at"), int | float)]
    if len(times) == len(items) > 1 and times[0] != times[-1]:
        return times == sorted(times, reverse=True)
    answered: set[Any] = set()
    for item in items:
        if item.get("type") in ("function_call_output", "custom_tool_call_output"):
            answered.add(item.get("call_id"))
        elif item.get("type") in ("function_call", "custom_tool_call") and item.get("call_id") in answered:
            return True
    roles = [item.get("role") for item in items if item.get("role") in ("user", "assistant")]
    return "first_id" in page and roles[:1] == ["assistant"] and roles[-1:] == ["user"]


def _key_of(record: dict[str, Any]) -> str:
    """Return the name under which a record holds its messages."""
    if isinstance(record.get("messages"), list):
        return "messages"
    found = _candidates(record)
    if len(asked := [name for name in found if name not in REPLIES]) == 1:
        return asked[0]
    if len(found) == 1:
        return found[0]
    if found:
        raise ValueError(
            f"expected one list of messages; got {len(found)}: {', '.join(found)} "
            "(name the one with --messages KEY)"
        )
    if is_message(record):
        raise ValueError("expected a conversation; got one message (write all its messages as one list)")
    if "messages" in record:
        # What stands there is told as no list.
        return "messages"
    raise ValueError(f"expected a list of messages under some name; the record holds {_keys_of(record)}")


def _candidates(record: dict[str, Any]) -> list[str]:
    return [name for name, item in record.items() if _holds_messages(item)]


def _holds_messages(value: Any) -> bool:
    return isinstance(value, list) and any(is_message(item) for item in value[:_LOOKED_AT])


def _keys_of(record: dict[str, Any]) -> str:
    return shorten(list(record)) if record else "nothing"


FORMAT = Format(
    name="openai-chat",
    title="chat messages in OpenAI's shape (JSON, JSONL)",
    sniff=_sniff,
    read=_read,
    shapes=(
        Shape(
            "chat messages of OpenAI, LMSYS, WildChat",
            read="every message, with the outputs of its calls; a reply beside the messages ends them",
        ),
        Shape(
            "fine-tuning files of OpenAI",
            read="`messages`",
            rest="`tools` and the like are metadata of the session, `weight` of its turn",
        ),
        Shape(
            "a list of OpenAI's (conversation items, thread messages)",
            read="`data`, as one conversation",
            rest="`has_more` and the like are metadata of the session",
        ),
        Shape(
            "an answer of OpenAI's Responses",
            read="`instructions` and the items of `output`",
            rest="`usage`, `id` and the like are metadata",
        ),
    ),
    takes_messages_key=True,
    lines_stand_alone=True,
)
