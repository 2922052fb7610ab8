"""A scripted stand-in for Anthropic's Messages API on loopback, held to the SDK's own types.

    async def test_something(anthropic_server):
        anthropic_server.script(answers("hello"), stops("overloaded_error", 529))

Every request is checked against the types of the SDK's parameters, every reply against those of its messages
and events: what is neither, no real server would take or give.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, get_type_hints

from anthropic.types import Message, RawMessageStreamEvent
from anthropic.types.message_create_params import (
    MessageCreateParamsNonStreaming,
    MessageCreateParamsStreaming,
)
from judge_server import JudgeServer, Request, Scripted, Step, instance_of
from pydantic import TypeAdapter

USAGE = {
    "input_tokens": 20,
    "cache_read_input_tokens": 70,
    "cache_creation_input_tokens": 10,
    "output_tokens": 5,
}
_WHOLE = TypeAdapter(MessageCreateParamsNonStreaming)
_STREAMED = TypeAdapter(MessageCreateParamsStreaming)
_EVENT: TypeAdapter[Any] = TypeAdapter(RawMessageStreamEvent)


def checked_request(body: Mapping[str, Any]) -> None:
    """Raise where a body is none that the SDK's types describe."""
    adapter, kind = (
        (_STREAMED, MessageCreateParamsStreaming)
        if body.get("stream")
        else (_WHOLE, MessageCreateParamsNonStreaming)
    )
    unknown = body.keys() - get_type_hints(kind).keys()
    assert not unknown, f"the API takes no {', '.join(sorted(unknown))}"
    _consumed(adapter.validate_python(body))


def _consumed(value: Any) -> None:
    """Walk through a value: pydantic checks what stands in an iterable only when it is reached."""
    if isinstance(value, Mapping):
        for inner in value.values():
            _consumed(inner)
    elif isinstance(value, Iterable) and not isinstance(value, str):
        for inner in value:
            _consumed(inner)


def answers(
    *blocks: Any, stop: str = "end_turn", usage: Mapping[str, int] | None = None, **fields: Any
) -> Step:
    """Answer with a message: a text as it is, a block as it is, anything else as JSON in a text."""
    body = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-scripted-1",
        "content": [_block(block) for block in blocks],
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": dict(usage or USAGE),
        **fields,
    }
    Message.model_validate(body)
    return Step(body=body)


def _block(block: Any) -> dict[str, Any]:
    if isinstance(block, dict) and "type" in block:
        return block
    return {"type": "text", "text": block if isinstance(block, str) else json.dumps(block)}


def thinks(text: str) -> dict[str, Any]:
    """Return a block of thinking."""
    return {"type": "thinking", "thinking": text, "signature": "s"}


def talks(*pieces: str | dict[str, Any], whole: bool = True, error: str = "") -> Step:
    """Answer with a stream of texts and of blocks of thinking; without `whole` it breaks off.

    error: the type of an error that ends it.
    """
    start = answers(stop="end_turn").body
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**start, "content": [], "stop_reason": None}}
    ]
    for index, piece in enumerate(pieces):
        thinking = isinstance(piece, dict)
        empty = {**thinks(""), "signature": ""} if thinking else {"type": "text", "text": ""}
        delta = (
            {"type": "thinking_delta", "thinking": piece["thinking"]}
            if isinstance(piece, dict)
            else {"type": "text_delta", "text": piece}
        )
        events += [
            {"type": "content_block_start", "index": index, "content_block": empty},
            {"type": "content_block_delta", "index": index, "delta": delta},
            {"type": "content_block_stop", "index": index},
        ]
    if whole and not error:
        ending = {"stop_reason": "end_turn", "stop_sequence": None}
        events += [
            {"type": "message_delta", "delta": ending, "usage": {"output_tokens": 5}},
            {"type": "message_stop"},
        ]
    for event in events:
        _EVENT.validate_python(event)
    if error:
        events.append({"type": "error", "error": {"type": error, "message": "too much at once"}})
    lines = [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events]
    return Step(body="".join(lines).encode(), do="answer" if whole or error else "cut")


def stops(kind: str, status: int, message: str = "no", **headers: str) -> Step:
    """Answer with an error in Anthropic's shape; headers as keywords, `retry_after="2"`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Step(
        status=status, body={"type": "error", "error": {"type": kind, "message": message}}, headers=named
    )


def answers_schema(request: Request) -> Step:
    """Answer what the request's schema asks for, enforced or in words; a few words where it sends none."""
    form = (request.body.get("output_config") or {}).get("format")
    schema = form["schema"] if form else _schema_in_words(request.text)
    return answers(instance_of(schema) if schema else "Hello there.")


def _schema_in_words(text: str) -> Any:
    _, found, schema = text.partition("JSON schema:\n")
    return json.JSONDecoder().raw_decode(schema)[0] if found else None


class AnthropicServer(JudgeServer):
    """The server; see JudgeServer. Its requests were checked when they came."""

    asked_at = "/v1/messages"

    def __init__(self) -> None:
        super().__init__()
        self.default: Scripted = answers_schema
        self.wrong: list[str] = []

    def _step(self, request: Request) -> Step:
        try:
            checked_request(request.body)
        except Exception as error:
            self.wrong.append(str(error))
        return super()._step(request)

    async def close(self) -> None:
        await super().close()
        assert self.wrong == []
