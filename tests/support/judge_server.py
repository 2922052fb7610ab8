"""A scripted OpenAI-compatible server on loopback, in the test's own event loop, for faults on demand.

    async def test_something(judge_server):
        judge_server.script(busy(retry_after="0"), says({"reason": "r", "score": 8}))
        ...  # judge_server.url, judge_server.requests

Steps are taken in order, one a request; when they are used up every request gets `judge_server.default`,
which answers the schema it was sent. Other paths than that of chat completions answer what `others` holds
under their last word, and 404 where that is nothing:

    judge_server.others["embeddings"] = embeds({"a cat": [1.0, 0.0]})
"""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import math
import struct
import threading
import zlib
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar


@dataclass(frozen=True)
class Step:
    """What the server does with one request.

    body: the answer, as JSON value or as bytes. do: answer, cut (close in the middle of the answer),
    drop (close without a word), hang or endless (the body again and again). wait: an event that is awaited
    before the answer. rest: what follows the body once the event `hold` is set.
    """

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    do: str = "answer"
    wait: asyncio.Event | None = None
    rest: bytes = b""
    hold: asyncio.Event | None = None


@dataclass(frozen=True)
class Request:
    """What was asked: the body, and the headers with names in lower case."""

    path: str
    body: Any
    headers: Mapping[str, str]

    @property
    def text(self) -> str:
        return "\n".join(_text(message["content"]) for message in self.body["messages"])


def _text(content: Any) -> str:
    """Return a message's text; of one in parts the texts among them."""
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content)


Scripted = Step | Callable[[Request], Step]


def says(
    reply: Any,
    *,
    finish: Any = "stop",
    tokens: list[tuple[str, dict[str, float]]] | None = None,
    usage: Any = None,
    model: Any = "scripted-1",
    wait: asyncio.Event | None = None,
    **message: Any,
) -> Step:
    """Answer with a reply: text as it is, anything else as JSON.

    tokens: the generated tokens, each with the probabilities of its alternatives.
    """
    text = reply if isinstance(reply, str) else json.dumps(reply)
    choice: dict[str, Any] = {
        "index": 0,
        "finish_reason": finish,
        "message": {"role": "assistant", "content": text, "refusal": None, **message},
    }
    if tokens is not None:
        choice["logprobs"] = {"content": [_token(*token) for token in tokens]}
    body = {
        "id": "1",
        "object": "chat.completion",
        "model": model,
        "choices": [choice],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10} if usage is None else usage,
    }
    return Step(body=body, wait=wait)


def _token(text: str, alternatives: dict[str, float]) -> dict[str, Any]:
    def one(word: str, probability: float) -> dict[str, Any]:
        return {"token": word, "logprob": math.log(probability), "bytes": list(word.encode())}

    top = [one(word, probability) for word, probability in alternatives.items()]
    return {**one(text, alternatives.get(text, 1.0)), "top_logprobs": top}


def streams(*pieces: str, whole: bool = True, hold: asyncio.Event | None = None, after: int = 1) -> Step:
    """Answer with a stream of pieces; without `whole` it breaks off before its end.

    hold: an event that is awaited after the first `after` pieces.
    """
    chunks: list[dict[str, Any]] = [{"delta": {"content": piece}, "finish_reason": None} for piece in pieces]
    if whole:
        chunks.append({"delta": {}, "finish_reason": "stop"})
    events = [
        {
            "id": "1",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": "m",
            "choices": [{"index": 0, **chunk}],
        }
        for chunk in chunks
    ]
    lines = [f"data: {json.dumps(event)}\n\n" for event in events] + (["data: [DONE]\n\n"] if whole else [])
    head, rest = (lines[:after], lines[after:]) if hold else (lines, [])
    do = "answer" if whole else "cut"
    return Step(body="".join(head).encode(), rest="".join(rest).encode(), hold=hold, do=do)


def embeds(vectors: Mapping[str, list[float]], *, digits: bool = False) -> Scripted:
    """Answer with the vector of the text that is sent: in base64, or in digits as older servers do."""

    def step(request: Request) -> Step:
        vector = vectors[request.body["input"]]
        held: Any = vector if digits else base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
        entry = {"object": "embedding", "index": 0, "embedding": held}
        usage = {"prompt_tokens": 3, "total_tokens": 3}
        return Step(body={"object": "list", "data": [entry], "model": "e", "usage": usage})

    return step


def flags(**categories: bool) -> Step:
    """Answer as a moderation service does; `self_harm` stands for self-harm."""
    named = {name.replace("_", "-"): is_flagged for name, is_flagged in categories.items()}
    return Step(body={"id": "m", "results": [{"flagged": any(named.values()), "categories": named}]})


def refuses(status: int, message: str, **error: Any) -> Step:
    """Answer with an error in OpenAI's shape."""
    return Step(status=status, body={"error": {"message": message, **error}})


def busy(**headers: str) -> Step:
    """Answer 429; headers as keywords, `retry_after="2"`."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Step(status=429, body={"error": {"message": "Rate limit reached"}}, headers=named)


def drops() -> Step:
    """Close the connection without an answer."""
    return Step(do="drop")


def sends_elsewhere(address: str, status: int = 307) -> Step:
    """Answer with a redirect."""
    return Step(status=status, body={}, headers={"Location": address})


def packs(step: Step) -> Step:
    """Answer the same, packed by gzip."""
    body = step.body if isinstance(step.body, bytes) else json.dumps(step.body).encode()
    return Step(status=step.status, body=gzip.compress(body), headers={"Content-Encoding": "gzip"})


def bomb(megabytes: int) -> Step:
    """Answer with a body that is a thousand times as large when it is unpacked."""
    packer = zlib.compressobj(1, wbits=31)
    packed = [packer.compress(b" " * (1 << 20)) for _ in range(megabytes)]
    return Step(body=b"".join([*packed, packer.flush()]), headers={"Content-Encoding": "gzip"})


def endless(status: int = 200, body: bytes = b" " * 65536) -> Step:
    """Answer with a body that never ends."""
    return Step(status=status, body=body, do="endless")


def hangs() -> Step:
    """Never answer."""
    return Step(do="hang")


def answers_schema(request: Request) -> Step:
    """Answer what the request's schema asks for, or a score where it sends none."""
    form = request.body.get("response_format") or {}
    schema = form.get("json_schema", {}).get("schema")
    return says(instance_of(schema) if schema else {"reason": "ok", "score": 8})


def instance_of(schema: Mapping[str, Any]) -> Any:
    """Return a value that satisfies a schema."""
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            return {key: instance_of(inner) for key, inner in schema.get("properties", {}).items()}
        case "array":
            return [instance_of(schema.get("items", {"type": "string"}))]
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return True
    return "ok"


Served = TypeVar("Served", bound="JudgeServer")
SECONDS_TO_START = 60.0
"""What a server in a thread of its own has to start, and to end."""


@contextmanager
def apart(server: Served) -> Iterator[Served]:
    """Run a server in a thread of its own until the block ends."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    asyncio.run_coroutine_threadsafe(server.start(), loop).result(SECONDS_TO_START)
    try:
        yield server
    finally:
        asyncio.run_coroutine_threadsafe(server.close(), loop).result(SECONDS_TO_START)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(SECONDS_TO_START)
        loop.close()


class JudgeServer:
    """The server: its url, what it was asked, how many connections it saw, how many calls at once."""

    asked_at = "/chat/completions"
    """How the path of a question ends."""

    def __init__(self) -> None:
        self.url = ""
        self.requests: list[Request] = []
        self.connections = 0
        self.at_once = 0
        self.most_at_once = 0
        self.models: list[dict[str, Any]] = [{"id": "scripted-1", "object": "model"}]
        self.models_step: Step | None = None
        self.default: Scripted = answers_schema
        self.others: dict[str, Scripted] = {}
        self._steps: deque[Scripted] = deque()
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.Task[None]] = set()

    @property
    def port(self) -> int:
        return int(self.url.rsplit(":", 1)[1].split("/")[0])

    def script(self, *steps: Scripted) -> None:
        """Add what to do with the next requests."""
        self._steps.extend(steps)

    async def start(self) -> JudgeServer:
        self._loop = asyncio.get_running_loop()
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        return self

    def let_go(self, event: asyncio.Event) -> None:
        """Set an event that answers wait for, from any thread."""
        self._loop.call_soon_threadsafe(event.set)

    async def close(self) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._open:
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        self.connections += 1
        try:
            while await self._serve_one(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self._open.discard(task)
            writer.close()

    def _step(self, request: Request) -> Step:
        """Return what to do with a request: of the script for questions, else what is said for its path."""
        other = request.path.rsplit("/", 1)[-1]
        scripted: Scripted
        if other in self.others:
            scripted = self.others[other]
        elif request.path.endswith(self.asked_at):
            scripted = self._steps.popleft() if self._steps else self.default
        else:
            scripted = refuses(404, f"there is no {other} here")
        return scripted(request) if callable(scripted) else scripted

    async def _serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.strip().split("\r\n")
        pairs = (line.split(":", 1) for line in lines)
        headers = {name.strip().lower(): value.strip() for name, value in pairs}
        content = await reader.readexactly(int(headers.get("content-length", 0)))
        method, path, _ = first.split(" ", 2)
        if method == "GET":
            step = self.models_step or Step(body={"object": "list", "data": self.models})
            self.requests_for_models = headers
        else:
            request = Request(path, json.loads(content), headers)
            self.requests.append(request)
            step = self._step(request)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            if step.do == "drop":
                return False
            if step.do == "hang":
                await asyncio.Event().wait()
            if step.wait is not None:
                await step.wait.wait()
        finally:
            self.at_once -= 1
        body = step.body if isinstance(step.body, bytes) else json.dumps(step.body).encode()
        kind = "text/event-stream" if body.startswith((b"data:", b"event:")) else "application/json"
        length = len(body) + len(step.rest) + (100 if step.do == "cut" else 0)
        extra = "".join(f"{name}: {value}\r\n" for name, value in step.headers.items())
        if step.do != "endless":
            extra += f"Content-Length: {length}\r\n"
        writer.write(f"HTTP/1.1 {step.status} X\r\nContent-Type: {kind}\r\n{extra}\r\n".encode() + body)
        await writer.drain()
        while step.do == "endless":
            writer.write(body)
            await writer.drain()
        if step.hold is not None:
            await step.hold.wait()
            writer.write(step.rest)
            await writer.drain()
        return step.do != "cut"
