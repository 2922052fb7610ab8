"""What a call says, message by message, in words that are the same whichever program sends them back.

A program sends its whole conversation with every call. What it sends back of a reply has other spacing,
fields left out and ids of its own; so messages are compared by who says what, and which tools are called.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from turnwise.conversations.fingerprints import fingerprint
from turnwise.conversations.formats.messages import chat_forms
from turnwise.conversations.relay.relayed_call import Fields, RelayedCall

_TOLD = ("system", "developer")


@dataclass(frozen=True, slots=True)
class SaidMessages:
    """What a call says, as prints.

    asked: of the request's messages, system prompts left out: the first of one message, the last of all of
    them. after: with the reply. told: of the system prompts.
    """

    asked: tuple[str, ...]
    after: str
    told: str


def request_messages(call: RelayedCall) -> list[Any]:
    """Return the messages of a request as they were sent, its system prompt left out."""
    given = call.request.get("input" if call.interface == "responses" else "messages")
    if isinstance(given, str):
        return [{"role": "user", "content": given}]
    return list(given) if isinstance(given, list) else []


def system_of(call: RelayedCall) -> Any:
    """Return the system prompt that stands beside the messages; None where none does."""
    return call.request.get("system" if call.interface == "messages" else "instructions")


def reply_messages(call: RelayedCall) -> list[Any]:
    """Return what a call's reply says, as the messages that a program sends back."""
    reply = call.reply
    if reply is None:
        return []
    match call.interface:
        case "chat":
            choices = reply.get("choices")
            first = choices[0] if isinstance(choices, list) and choices else {}
            message = first.get("message") if isinstance(first, dict) else None
            return [message] if isinstance(message, dict) else []
        case "responses":
            output = reply.get("output")
            return list(output) if isinstance(output, list) else []
        case "messages":
            content = reply.get("content")
            return [{"role": "assistant", "content": content}] if content else []


def said_messages(call: RelayedCall, before: list[Any]) -> SaidMessages:
    """Read what a call says. before: messages that the request only points at."""
    given = [*before, *request_messages(call)]
    told = (
        [system]
        if (system := call.request.get("system" if call.interface == "messages" else "instructions"))
        else []
    )
    prints: list[str] = []
    so_far = ""
    for message in given:
        for form in _forms(message):
            if form["role"] in _TOLD:
                told.append(form["text"])
            else:
                so_far = fingerprint([so_far, form])
                prints.append(so_far)
    after = so_far
    # A reply that failed is asked for again, or gone on from as far as it came.
    for message in () if call.failure else reply_messages(call):
        for form in _forms(message):
            after = fingerprint([after, form])
    return SaidMessages(tuple(prints), after, fingerprint(told))


def _forms(message: Any) -> list[Fields]:
    """Return a message as what it says: who, words and calls. One that says nothing is left out."""
    if not isinstance(message, dict):
        return [{"role": "user", "text": str(message), "calls": []}]
    read = chat_forms(message)
    forms = [message] if read is None else read
    said = [
        {"role": str(form.get("role", "")), "text": _text(form.get("content")), "calls": _calls(form)}
        for form in forms
        if isinstance(form, dict)
    ]
    return [form for form in said if form["text"] or form["calls"] or form["role"] in ("user", "tool")]


def _text(content: Any) -> Any:
    if content is None:
        return ""
    if isinstance(content, str):
        return content.strip()
    if not isinstance(content, list):
        return json.dumps(content, sort_keys=True)
    parts = [
        part.get("text", part) if isinstance(part, dict) and "text" in str(part.get("type", "text")) else part
        for part in content
    ]
    if all(isinstance(part, str) for part in parts):
        return "".join(parts).strip()
    return json.dumps(parts, sort_keys=True)


def _calls(form: Fields) -> list[Any]:
    found = form.get("tool_calls")
    calls = []
    for call in found if isinstance(found, list) else ():
        function = call.get("function", call) if isinstance(call, dict) else {}
        inner = function if isinstance(function, dict) else call
        calls.append([inner.get("name"), _arguments(inner.get("arguments"))])
    return calls


def _arguments(given: Any) -> Any:
    if not isinstance(given, str):
        return given
    try:
        return json.loads(given) if given else {}
    except ValueError:
        return given
