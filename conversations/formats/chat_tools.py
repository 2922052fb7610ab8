"""Tool calls of chat messages, and the tie between a call and the output that comes back for it."""

from __future__ import annotations

import json
from typing import Any

from turnwise.conversations.formats.json_text import decode
from turnwise.conversations.models import shorten

Fields = dict[str, Any]

_CALL_KEYS = {"id", "type", "function", "custom"}
_FLAT_KEYS = {"id", "type", "name", "arguments", "input"}
_INNER_KEYS = {"name", "arguments", "input"}


def calls_of(message: Fields, place: str) -> tuple[list[Fields], list[Any]]:
    """Return the tool calls of a message as fields of ToolCall, and the raw ones where those say more.

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
        value = decode(given)
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
        """Take the calls of one more assistant message; an id that comes again means its newest calls."""
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
