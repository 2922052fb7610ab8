"""A chatbot that takes a set time for each answer and notes how long it took, in a process of its own.

    with timed_server() as server:
        server.url(50)      # answers after 50 ms: as OpenAI's API does below /v1, as Anthropic's, or at /chat
        server.seen()       # {"question 7": 0.0503}, in seconds, by the questions in quotation marks

Each connection has a thread of its own that reads, sleeps and writes, so that hardly anything else is in the
time it notes.
"""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

_QUESTION = re.compile(rb"question \d+")
_SEEN = b"GET /seen "


@dataclass(frozen=True)
class TimedServer:
    """Where the server is."""

    port: int

    def url(self, milliseconds: int) -> str:
        return f"http://127.0.0.1:{self.port}/{milliseconds}"

    def seen(self) -> dict[str, float]:
        """Return how long each question took since this was asked last."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/seen", timeout=60) as answer:
            found: dict[str, float] = json.load(answer)
        return found


@contextmanager
def timed_server() -> Iterator[TimedServer]:
    """Run the server until the block ends."""
    process = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield TimedServer(int(process.stdout.readline()))
    finally:
        process.stdin.close()
        process.wait(timeout=60)
        process.stdout.close()


def _serve() -> None:
    listening = socket.create_server(("127.0.0.1", 0), backlog=256)
    print(listening.getsockname()[1], flush=True)
    seen: dict[str, float] = {}
    threading.Thread(target=_accept, args=(listening, seen), daemon=True).start()
    # Whoever started it is gone.
    sys.stdin.read()


def _accept(listening: socket.socket, seen: dict[str, float]) -> None:
    while True:
        connection, _ = listening.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=_answer, args=(connection, seen), daemon=True).start()


def _answer(connection: socket.socket, seen: dict[str, float]) -> None:
    with connection, suppress(OSError, ValueError):
        while request := _request(connection):
            began = time.perf_counter()
            head = request.partition(b"\r\n")[0]
            if head.startswith(_SEEN):
                body = json.dumps(seen).encode()
                seen.clear()
            else:
                path = head.split()[1].decode()
                body = _body(path)
                time.sleep(int(path.split("/")[1]) / 1000)
            # Before it is sent: whoever has the answer may ask at once.
            if question := _QUESTION.search(request):
                seen[question[0].decode()] = time.perf_counter() - began
            connection.sendall(
                b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                % (len(body), body)
            )


def _request(connection: socket.socket) -> bytes:
    request = b""
    while piece := connection.recv(65536):
        request += piece
        head, mark, content = request.partition(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        if mark and len(content) >= (int(length[1]) if length else 0):
            return request
    return b""


def _body(path: str) -> bytes:
    if path.endswith("/v1/messages"):
        said = {"type": "text", "text": "Yes."}
        message = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": [said]}
        usage = {"input_tokens": 1, "output_tokens": 1}
        return json.dumps({**message, "stop_reason": "end_turn", "usage": usage}).encode()
    if path.endswith("/chat/completions"):
        said = {"role": "assistant", "content": "Yes."}
        choice = {"index": 0, "finish_reason": "stop", "message": said}
        return json.dumps(
            {"id": "c", "object": "chat.completion", "model": "m", "choices": [choice]}
        ).encode()
    return b'{"reply": "Yes."}'


if __name__ == "__main__":
    _serve()
