"""Chat messages to turns: every message is kept, and tool calls get the outputs that came back for them."""

from __future__ import annotations

import json
from typing import Any

from turnwise.conversations.files import decode_json
from turnwise.conversations.formats.fields import check_spelling
from turnwise.conversations.formats.messages.blocks import says_more
from turnwise.conversations.formats.messages.dialects import chat_forms, is_item, joins
from turnwise.conversations.formats.messages.turn_details import duration_of, with_details
from turnwise.conversations.models import shorten

_CALL_KEYS = {"id", "type", "function", "custom"}
_FLAT_KEYS = {"id", "type", "name", "arguments", "input", "output"}
_INNER_KEYS = {"name", "arguments", "input"}
Fields = dict[str, Any]
_ROLES = {
    **{role: role for role in ("user", "assistant", "system", "developer", "tool")},
    "function": "tool",
    "human": "user",
    **dict.fromkeys(("bot", "model", "ai", "gpt", "chatbot"), "assistant"),
}
_SAYING = ("content", "tool_calls", "function_call", "refusal", "audio")
_PLAIN = {"role", "content"}
_PLAIN_ROLES = frozenset(("user", "assistant", "system"))
_TEXT_PARTS = ("text", "input_text", "output_text")
_TEXT_KEYS = frozenset(("type", "text"))
_LISTS = ("parts", "reasoning", "files")
"""What of a turn's metadata is joined where several items are one turn."""
_WHO = (
    "sender",
    "speaker",
    "author",
    "from",
    "who",
    "sender_type",
    "direction",
    "is_user",
    "is_bot",
    "fromMe",
)
_OTHER_WORDS = ("text", "value", "message", "body", "output", "output_text", "response")
_NEEDED = frozenset(("role", "content", "tool_calls", "function_call", "tool_call_id"))
MESSAGE = frozenset(
    ("role", "content", "name", "tool_call_id", "tool_calls", "function_call", "audio", "refusal")
)
_READ = frozenset(("role", "content", "name", "tool_call_id", "tool_calls", "function_call", "audio"))


def calls_of(message: Fields, place: str) -> tuple[list[Fields], list[Any]]:
    """Return the tool calls of a message as fields of ToolCall, and as written where they hold more than
    those.

    Raises ValueError that names the call, the field, what was expected and what was given.
    """
    given = message.get("tool_calls")
    if given is not None and not isinstance(given, list):
        raise ValueError(f"{place}.tool_calls: expected a list of calls; got {shorten(given)}")
    raw = given or []
    calls = [_call(call, f"{place}.tool_calls[{number}]") for number, call in enumerate(raw)]
    if (legacy := message.get("function_call")) is not None:
        if not isinstance(legacy, dict):
            raise ValueError(f"{place}.function_call: expected an object with a name; got {shorten(legacy)}")
        calls.append(_call(legacy, f"{place}.function_call"))
        raw = [*raw, legacy]
    return calls, (raw if any(_says_more(call) for call in raw) else [])


def _call(call: Any, place: str) -> Fields:
    if not isinstance(call, dict):
        raise ValueError(f"{place}: expected an object with a function; got {shorten(call)}")
    inner = _inner(call)
    name = inner.get("name") if isinstance(inner, dict) else None
    if not isinstance(name, str):
        raise ValueError(f"{place}.function.name: expected a string; got {shorten(name)}")
    fields: Fields = {"name": name, **_arguments(inner.get("arguments", inner.get("input")))}
    if isinstance(call.get("id"), str):
        fields["id"] = call["id"]
    if inner is call and call.get("output") is not None:
        fields["output"] = call["output"]
    return fields


def _inner(call: Fields) -> Any:
    inner = call.get("function", call.get("custom"))
    return call if inner is None else inner


def _arguments(given: Any) -> Fields:
    if isinstance(given, dict):
        return {"input_parameters": given}
    if not isinstance(given, str):
        return {} if given is None else {"raw_arguments": json.dumps(given, ensure_ascii=False)}
    try:
        value = decode_json(given)
    except ValueError:
        value = None
    return {"input_parameters": value} if isinstance(value, dict) else {"raw_arguments": given}


def _says_more(call: Fields) -> bool:
    """Whether a call holds something that ToolCall has no field for."""
    inner = _inner(call)
    if not isinstance(call.get("id"), str | None):
        return True
    if inner is call:
        return bool(call.keys() - _FLAT_KEYS)
    return bool(call.keys() - _CALL_KEYS or inner.keys() - _INNER_KEYS)


class OpenCalls:
    """The calls that wait for their output, as messages are read in order."""

    def __init__(self) -> None:
        self._by_id: dict[str, list[Fields]] = {}
        self._latest: list[Fields] = []

    def add(self, calls: list[Fields]) -> None:
        """Take the calls of one more assistant message. An id that is used again means the newest call under
        it.
        """
        self._latest = list(calls)
        for name in {call["id"] for call in calls if "id" in call}:
            self._by_id[name] = [call for call in calls if call.get("id") == name]

    def answer(self, turn: Fields) -> None:
        """Give a tool message's text to the call it answers: by id, or else by the tool's name or by order.

        Without ids only the newest calls are looked at. An answer that fits no call stays a turn and no more.
        """
        wanted = turn.get("tool_call_id")
        name = turn.get("name")
        waiting = self._by_id.get(wanted) if wanted is not None else None
        if not waiting:
            waiting = [
                call
                for call in self._latest
                if "output" not in call
                and (wanted is None or "id" not in call)
                and (name is None or call["name"] == name)
            ]
        if waiting:
            call = waiting.pop(0)
            call["output"] = turn["content"]


def is_message(value: Any) -> bool:
    """Whether a value has the shape of a chat message: a role, and something said or called."""
    return (
        isinstance(value, dict)
        and isinstance(value.get("role"), str)
        and any(key in value for key in _SAYING)
    )


def turns_of(
    messages: list[Any],
    place: str,
    replied: tuple[list[Any], str] = ([], ""),
    *,
    told: tuple[list[Any], str] = ([], ""),
) -> list[Fields]:
    """Return the turns, as fields of Turn, of a list of messages: of OpenAI's chat one each, and of other
    interfaces as their dialects say it.

    place: the name of the list. replied: messages that follow them, and their name. told: messages that come
    before them, and their name. Raises ValueError that names the message, the field, what was expected and
    what was given.
    """
    turns: list[Fields] = []
    open_calls = OpenCalls()
    if told[0]:
        _read(told[0], told[1], turns, open_calls, is_list=False)
    _read(messages, place, turns, open_calls)
    if replied[0]:
        _read(replied[0], replied[1], turns, open_calls, is_list=False)
    return turns


def _read(
    messages: list[Any], place: str, turns: list[Fields], open_calls: OpenCalls, *, is_list: bool = True
) -> None:
    """Add the turns of some messages. is_list: whether the place is of a list, and not of each of them."""
    for number, message in enumerate(messages):
        if _is_plain(message):
            turns.append(message)
            continue
        forms = chat_forms(message)
        for form in [message] if forms is None else forms:
            turn = _turn(form, f"{place}[{number}]" if is_list else place)
            if turns and is_item(message) and joins(turn, turns[-1]):
                turn = turns[-1] = _joined(turns[-1], turn)
            else:
                turns.append(turn)
            if "tools_called" in turn:
                open_calls.add(turn["tools_called"])
            if turn["role"] == "tool":
                open_calls.answer(turn)


def _joined(before: Fields, more: Fields) -> Fields:
    """Return an assistant's turn with what a further item of the same reply says."""
    joined = {**before, "content": before["content"] or more["content"]}
    if calls := [*before.get("tools_called", []), *more.get("tools_called", [])]:
        joined["tools_called"] = calls
    metadata = dict(before.get("metadata", {}))
    for key, item in more.get("metadata", {}).items():
        if key in _LISTS and key in metadata:
            metadata[key] = [*metadata[key], *item]
        else:
            keep(metadata, key, item)
    return {**joined, "metadata": metadata} if metadata else joined


def _is_plain(message: Any) -> bool:
    """Whether a message is a turn as it stands, as nearly all are: a role and a text, and nothing else."""
    return (
        isinstance(message, dict)
        and message.keys() == _PLAIN
        and isinstance(message["content"], str)
        and isinstance(message["role"], str)
        and message["role"] in _PLAIN_ROLES
    )


def is_pair(message: Any) -> bool:
    """Whether a message is written as a list of who speaks and what is said."""
    return (
        isinstance(message, list)
        and len(message) == 2
        and all(isinstance(item, str) for item in message)
        and message[0].strip().lower() in _ROLES
    )


def _turn(message: Any, place: str) -> Fields:
    if is_pair(message):
        message = dict(zip(("role", "content"), message, strict=True))
    if not isinstance(message, dict):
        raise ValueError(f"{place}: expected an object with role and content; got {shorten(message)}")
    check_spelling(message, MESSAGE, _NEEDED, f"{place}.")
    role = _role(message, place)
    content, parts = _content(message, place)
    turn: Fields = {"role": role, "content": content}
    metadata = {key: item for key, item in message.items() if key not in _READ and item is not None}
    if metadata.get("type") == "message":
        del metadata["type"]
    if parts:
        keep(metadata, "parts", parts)
    if role != message["role"]:
        keep(metadata, "role", message["role"])
    if (name := message.get("name")) is not None:
        _place_text(turn, metadata, "name", name)
    if (answers := message.get("tool_call_id")) is not None:
        _place_text(turn, metadata, "tool_call_id", answers)
    if message.get("audio") is not None:
        turn["audio"] = message["audio"]
    calls, raw = calls_of(message, place)
    if calls:
        turn["tools_called"] = calls
    if raw:
        keep(metadata, "tool_calls", raw)
    if metadata:
        _check_words(turn, metadata, place)
        turn["metadata"] = with_details(metadata)
        if (took := duration_of(metadata)) is not None:
            turn["latency_ms"] = took
    return turn


def _check_words(turn: Fields, metadata: Fields, place: str) -> None:
    """Raise ValueError where a message has words under another name than content, and says nothing else."""
    if turn["content"] or "tools_called" in turn or "audio" in turn or "parts" in metadata:
        return
    for name in _OTHER_WORDS:
        if isinstance(words := metadata.get(name), str) and words.strip():
            raise ValueError(f"{place}.{name}: holds the words of an empty message; expected them as content")


def _role(message: Fields, place: str) -> str:
    given = message.get("role")
    role = _ROLES.get(given.strip().lower()) if isinstance(given, str) else None
    if role is None:
        raise ValueError(
            f"{place}.role: expected user, assistant, system, developer or tool; got {shorten(given)}"
            f"{_way_to_speakers(message)}"
        )
    return role


def _way_to_speakers(message: Fields) -> str:
    """Return how to say who speaks, where one of the fields of a message of unknown role tells it."""
    who = next((name for name in ("role", *_WHO) if isinstance(message.get(name), str | bool)), None)
    words = next((name for name in ("content", *_OTHER_WORDS) if isinstance(message.get(name), str)), None)
    if who is None or words is None:
        return ""
    return f"; if {who} says who speaks, say so: --map role={who},content={words}"


def _content(message: Fields, place: str) -> tuple[str, list[Any]]:
    """Return what a message says, and the parts of it that are more than text."""
    given = message.get("content")
    if isinstance(given, dict):
        given = given["parts"] if isinstance(given.get("parts"), list) else [given]
    if isinstance(given, list):
        texts = [_part_text(part, f"{place}.content[{number}]") for number, part in enumerate(given)]
        content = "\n".join(text for text in texts if text is not None)
        parts = [part for part in given if not _is_only_text(part)]
    elif given is None or isinstance(given, str):
        if not any(key in message for key in _SAYING):
            raise ValueError(f"{place}.content: required, and not given{_way_out(message)}")
        content, parts = given or "", []
    else:
        raise ValueError(f"{place}.content: expected a string or a list of parts; got {shorten(given)}")
    return content or _said_otherwise(message), parts


def _way_out(message: Fields) -> str:
    """Return how to say where the words of a message stand, if one of its fields is likely to hold them."""
    for name in _OTHER_WORDS:
        if isinstance(words := message.get(name), str) and words.strip():
            return f"; if its words are in {name}, say so: --map content={name}"
    return ""


def _part_text(part: Any, place: str) -> str | None:
    """Return the text of one part; None where it is something else, an image for example."""
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        raise ValueError(f"{place}: expected a string or an object with a type; got {shorten(part)}")
    if part.get("type") in _TEXT_PARTS or ("type" not in part and "text" in part):
        text = part.get("text")
        # The form of stored threads puts the text one level deeper.
        text = text.get("value") if isinstance(text, dict) else text
        if not isinstance(text, str):
            raise ValueError(f"{place}.text: expected a string; got {shorten(text)}")
        return text
    refusal = part.get("refusal")
    return refusal if isinstance(refusal, str) else None


def _is_only_text(part: Any) -> bool:
    if isinstance(part, str):
        return True
    return isinstance(part.get("text"), str) and not says_more(part, _TEXT_KEYS)


def _said_otherwise(message: Fields) -> str:
    """Return the words of a message without content: a refusal, or what was spoken."""
    if isinstance(refusal := message.get("refusal"), str):
        return refusal
    audio = message.get("audio")
    spoken = audio.get("transcript") if isinstance(audio, dict) else None
    return spoken if isinstance(spoken, str) else ""


def _place_text(turn: Fields, metadata: Fields, key: str, value: Any) -> None:
    """Put a text into a turn's field; what is no text is kept beside it."""
    if isinstance(value, str):
        turn[key] = value
    else:
        keep(metadata, key, value)


def keep(metadata: Fields, key: str, value: Any) -> None:
    """Add a value to the metadata; where the name is taken already, under `original_` and the name."""
    while key in metadata:
        key = f"original_{key}"
    metadata[key] = value
