"""Whole replies, put together from the bytes that a server sent: one answer, or a stream of events.

What comes out has the shape of the interface's unstreamed answer, so that one reader serves both.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.relay.relayed_call import Fields, Interface

_NATURAL = "response.completed"
_ENDS = (_NATURAL, "response.incomplete", "response.failed")


@dataclass(frozen=True, slots=True)
class AssembledReply:
    """reply: None where nothing of it came. failure: why it is not whole, empty where it is."""

    reply: Fields | None
    failure: str = ""


def assembled(interface: Interface, status: int, body: bytes, *, is_stream: bool) -> AssembledReply:
    """Put a reply together. body: unpacked; as much of it as came."""
    if status >= 400:
        return AssembledReply(None, f"The server answered {status}: {_told(body)}")
    if not is_stream:
        whole = _object(body)
        if whole is None:
            return AssembledReply(None, "The answer is no JSON object, or was broken off")
        return AssembledReply(whole, _error_in(whole))
    events = list(_events(body))
    wrong = next((found for event in events if (found := _error_in(event))), "")
    match interface:
        case "chat":
            reply, ended = _chat(events)
        case "responses":
            reply, ended = _responses(events)
        case "messages":
            reply, ended = _messages(events)
    if wrong:
        return AssembledReply(reply, wrong)
    return AssembledReply(reply, "" if ended else "The reply was broken off")


def _told(body: bytes) -> str:
    answer = _object(body) or {}
    error = answer.get("error")
    told = error.get("message") if isinstance(error, dict) else error
    return str(told or body[:200].decode("utf-8", "replace") or "nothing")


def _error_in(value: Fields) -> str:
    error = value.get("error")
    if not error:
        return ""
    told = error.get("message") if isinstance(error, dict) else error
    return f"The server said: {told or 'an error'}"


def _object(text: bytes) -> Fields | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _events(body: bytes) -> Iterator[Fields]:
    """Yield the objects of server-sent events that are whole."""
    for block in body.replace(b"\r\n", b"\n").split(b"\n\n"):
        lines = [line[5:].removeprefix(b" ") for line in block.split(b"\n") if line.startswith(b"data:")]
        if lines and (value := _object(b"\n".join(lines))) is not None:
            yield value


def _chat(events: list[Fields]) -> tuple[Fields | None, bool]:
    """Put chunks of chat completions together; the first choice alone is what programs go on with."""
    message: Fields = {"role": "assistant", "content": None}
    whole: Fields = {}
    calls: dict[Any, Fields] = {}
    finish = None
    for event in events:
        whole |= {name: item for name, item in event.items() if name not in ("choices", "object") and item}
        for choice in event.get("choices") or ():
            if not isinstance(choice, dict) or choice.get("index", 0) != 0:
                continue
            finish = choice.get("finish_reason") or finish
            delta = choice.get("delta")
            _add_delta(message, calls, delta if isinstance(delta, dict) else {})
    if calls:
        message["tool_calls"] = [calls[place] for place in sorted(calls, key=str)]
    if not whole and len(message) == 2 and message["content"] is None:
        return None, False
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return {**whole, "object": "chat.completion", "choices": [choice]}, finish is not None


def _add_delta(message: Fields, calls: dict[Any, Fields], delta: Fields) -> None:
    for name, item in delta.items():
        if name == "tool_calls" and isinstance(item, list):
            for part in item:
                if isinstance(part, dict):
                    _add_call(calls.setdefault(part.get("index", len(calls)), {}), part)
        elif name == "role":
            message["role"] = item or message["role"]
        elif isinstance(item, str):
            message[name] = (message.get(name) or "") + item
        elif item is not None:
            message[name] = item


def _add_call(call: Fields, part: Fields) -> None:
    call["id"] = part.get("id") or call.get("id") or ""
    call["type"] = part.get("type") or call.get("type") or "function"
    function = call.setdefault("function", {"name": "", "arguments": ""})
    given = part.get("function")
    if isinstance(given, dict):
        function["name"] += given.get("name") or ""
        function["arguments"] += given.get("arguments") or ""


def _responses(events: list[Fields]) -> tuple[Fields | None, bool]:
    """Return the response that the last event holds whole, or what came of it."""
    for event in reversed(events):
        if event.get("type") in _ENDS and isinstance(event.get("response"), dict):
            return event["response"], event["type"] == _NATURAL
    whole = next((e["response"] for e in events if isinstance(e.get("response"), dict)), None)
    done = [e["item"] for e in events if e.get("type") == "response.output_item.done" and e.get("item")]
    said = "".join(
        e["delta"]
        for e in events
        if e.get("type") == "response.output_text.delta"
        and isinstance(e.get("delta"), str)
        and not any(item.get("id") == e.get("item_id") for item in done)
    )
    if said:
        part = {"type": "output_text", "text": said, "annotations": []}
        done.append({"type": "message", "role": "assistant", "content": [part]})
    return ({**(whole or {"object": "response"}), "output": done} if whole or done else None), False


def _messages(events: list[Fields]) -> tuple[Fields | None, bool]:
    """Put the events of Anthropic's Messages together."""
    whole: Fields | None = None
    blocks: dict[int, Fields] = {}
    arguments: dict[int, str] = {}
    ended = False
    for event in events:
        place = event.get("index", 0)
        match event.get("type"):
            case "message_start":
                whole = dict(event.get("message") or {})
            case "content_block_start":
                blocks[place] = dict(event.get("content_block") or {})
            case "content_block_delta":
                _add_block_delta(blocks.setdefault(place, {}), arguments, place, event.get("delta") or {})
            case "message_delta" if whole is not None:
                whole |= event.get("delta") or {}
                whole["usage"] = {**(whole.get("usage") or {}), **(event.get("usage") or {})}
            case "message_stop":
                ended = True
    for place, text in arguments.items():
        given = _object(text.encode()) if text else {}
        blocks[place]["input"] = text if given is None else given
    if whole is None and not blocks:
        return None, False
    content = [blocks[place] for place in sorted(blocks)]
    return {"type": "message", "role": "assistant", **(whole or {}), "content": content}, ended


def _add_block_delta(block: Fields, arguments: dict[int, str], place: int, delta: Fields) -> None:
    match delta.get("type"):
        case "text_delta":
            block.setdefault("type", "text")
            block["text"] = (block.get("text") or "") + str(delta.get("text") or "")
        case "input_json_delta":
            arguments[place] = arguments.get(place, "") + str(delta.get("partial_json") or "")
        case "thinking_delta":
            block["thinking"] = (block.get("thinking") or "") + str(delta.get("thinking") or "")
        case "signature_delta":
            block["signature"] = (block.get("signature") or "") + str(delta.get("signature") or "")
        case "citations_delta":
            block.setdefault("citations", []).append(delta.get("citation"))
