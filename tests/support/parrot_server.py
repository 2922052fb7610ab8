"""A server of models that answers with the words of the question, in the three interfaces that programs use.

The same request always gets the same bytes. What stands in the question decides: "call" calls a tool, "fail"
is an error, "break" ends the connection within the reply.
"""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Fields = dict[str, Any]


class ParrotServer(ThreadingHTTPServer):
    """Listens at `address`; `asked` holds the bodies and headers that came.

    thinks: seconds until it answers, a half more or less by what is asked.
    """

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, thinks: float = 0.0) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.thinks = thinks
        self.asked: list[tuple[str, dict[str, str], bytes]] = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


@contextmanager
def parrot_server() -> Iterator[ParrotServer]:
    """Run such a server for a block."""
    with ParrotServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join(30)


def reply_words(question: str) -> str:
    """What it answers."""
    return f"You said: {question}"


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: ParrotServer

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002
        pass

    def do_GET(self) -> None:
        self._send(200, {"object": "list", "data": [{"id": "parrot", "object": "model"}]})

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers["content-length"]))
        self.server.asked.append((self.path, dict(self.headers.items()), sent))
        time.sleep(self.server.thinks * (0.5 + hashlib.sha256(sent).digest()[0] / 255))
        body = json.loads(sent)
        if self.path.endswith("/messages"):
            question = _last(body["messages"])
            whole, events = _anthropic(question, sent)
        elif self.path.endswith("/responses"):
            given = body["input"]
            question = given if isinstance(given, str) else _last(given)
            whole, events = _responses(question, sent)
        else:
            question = _last(body["messages"])
            whole, events = _chat(question, sent)
        if "fail" in question:
            self._send(503, {"error": {"message": "overloaded", "type": "server_error"}})
        elif body.get("stream"):
            self._stream(events, broken="break" in question)
        else:
            self._send(200, whole)

    def _send(self, status: int, value: Fields) -> None:
        told = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(told)))
        self.send_header("X-Request-Id", "req-1")
        self.end_headers()
        self.wfile.write(told)

    def _stream(self, events: list[tuple[str, Fields | str]], *, broken: bool) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for place, (name, value) in enumerate(events):
            if broken and place == 2:
                self.close_connection = True
                return
            data = value if isinstance(value, str) else json.dumps(value)
            part = (f"event: {name}\n" if name else "").encode() + f"data: {data}\n\n".encode()
            self.wfile.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
            self.wfile.flush()
        self.wfile.write(b"0\r\n\r\n")


def _last(messages: list[Any]) -> str:
    """Return the text of the last message, or of the tool's result in it."""
    message = messages[-1]
    if message.get("type") == "function_call_output":
        return f"it is {message['output']}"
    content = message.get("content")
    if isinstance(content, list):
        content = " ".join(str(part.get("text") or part.get("content") or "") for part in content)
    return f"it is {content}" if message.get("role") == "tool" else str(content)


def _id(kind: str, sent: bytes) -> str:
    return f"{kind}-{hashlib.sha256(sent).hexdigest()[:12]}"


def _pieces(text: str) -> list[str]:
    return [text[start : start + 7] for start in range(0, len(text), 7)]


def _chat(question: str, sent: bytes) -> tuple[Fields, list[tuple[str, Fields | str]]]:
    head = {"id": _id("chatcmpl", sent), "created": 1, "model": "parrot"}
    calls = "call" in question
    call = {"id": _id("call", sent), "type": "function"}
    function = {"name": "look_up", "arguments": json.dumps({"what": question})}
    message: Fields = {"role": "assistant", "content": None if calls else reply_words(question)}
    if calls:
        message["tool_calls"] = [{**call, "function": function}]
    finish = "tool_calls" if calls else "stop"
    usage = {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    whole = {**head, "object": "chat.completion", "choices": [choice], "usage": usage}
    deltas: list[Fields] = [{"role": "assistant", "content": None if calls else ""}]
    if calls:
        deltas.append(
            {"tool_calls": [{"index": 0, **call, "function": {"name": "look_up", "arguments": ""}}]}
        )
        deltas += [
            {"tool_calls": [{"index": 0, "function": {"arguments": part}}]}
            for part in _pieces(str(function["arguments"]))
        ]
    else:
        deltas += [{"content": part} for part in _pieces(reply_words(question))]

    def chunk(delta: Fields, why: str | None) -> Fields:
        part = {"index": 0, "delta": delta, "finish_reason": why}
        return {**head, "object": "chat.completion.chunk", "choices": [part]}

    events: list[tuple[str, Fields | str]] = [("", chunk(delta, None)) for delta in deltas]
    events.append(("", chunk({}, finish)))
    events.append(("", {**head, "object": "chat.completion.chunk", "choices": [], "usage": usage}))
    return whole, [*events, ("", "[DONE]")]


def _responses(question: str, sent: bytes) -> tuple[Fields, list[tuple[str, Fields | str]]]:
    if "call" in question:
        item: Fields = {
            "type": "function_call",
            "id": _id("fc", sent),
            "call_id": _id("call", sent),
            "name": "look_up",
            "arguments": json.dumps({"what": question}),
            "status": "completed",
        }
    else:
        text = {"type": "output_text", "text": reply_words(question), "annotations": []}
        item = {
            "type": "message",
            "id": _id("msg", sent),
            "role": "assistant",
            "status": "completed",
            "content": [text],
        }
    whole: Fields = {
        "id": _id("resp", sent),
        "object": "response",
        "created_at": 1,
        "model": "parrot",
        "status": "completed",
        "output": [item],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {"input_tokens": 3, "output_tokens": 4, "total_tokens": 7},
    }
    begun = {**whole, "status": "in_progress", "output": []}
    plain: list[Fields] = [{"type": "response.created", "response": begun}]
    plain.append({"type": "response.output_item.added", "output_index": 0, "item": {**item, "content": []}})
    if item["type"] == "message":
        part = {"type": "output_text", "text": "", "annotations": []}
        place = {"item_id": item["id"], "output_index": 0, "content_index": 0}
        plain.append({"type": "response.content_part.added", **place, "part": part})
        plain += [
            {"type": "response.output_text.delta", **place, "delta": part}
            for part in _pieces(reply_words(question))
        ]
    plain.append({"type": "response.output_item.done", "output_index": 0, "item": item})
    plain.append({"type": "response.completed", "response": whole})
    return whole, [(event["type"], {**event, "sequence_number": n}) for n, event in enumerate(plain)]


def _anthropic(question: str, sent: bytes) -> tuple[Fields, list[tuple[str, Fields | str]]]:
    calls = "call" in question
    block: Fields = (
        {"type": "tool_use", "id": _id("toolu", sent), "name": "look_up", "input": {"what": question}}
        if calls
        else {"type": "text", "text": reply_words(question)}
    )
    stop = "tool_use" if calls else "end_turn"
    whole: Fields = {
        "id": _id("msg", sent),
        "type": "message",
        "role": "assistant",
        "model": "parrot",
        "content": [block],
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 3, "output_tokens": 4},
    }
    begun = {**whole, "content": [], "stop_reason": None, "usage": {"input_tokens": 3, "output_tokens": 0}}
    deltas = (
        [{"type": "input_json_delta", "partial_json": part} for part in _pieces(json.dumps(block["input"]))]
        if calls
        else [{"type": "text_delta", "text": part} for part in _pieces(block["text"])]
    )
    empty = {**block, "input": {}} if calls else {**block, "text": ""}
    plain: list[Fields] = [
        {"type": "message_start", "message": begun},
        {"type": "content_block_start", "index": 0, "content_block": empty},
        *({"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas),
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta",
            "delta": {"stop_reason": stop, "stop_sequence": None},
            "usage": {"output_tokens": 4},
        },
        {"type": "message_stop"},
    ]
    return whole, [(event["type"], event) for event in plain]
