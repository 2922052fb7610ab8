"""The recording proxy with the real clients of OpenAI and Anthropic, before a small model and a stand-in.

    python tests/bench/proxy_clients_bench.py [--embedded 250] [--messages 250] [--together 16] [--model F]

OpenAI's client asks the embedded server (SmolLM2), Anthropic's a stand-in for Messages, first straight, then
through `turnwise proxy`, several at once, streamed and not, with tools among them; conversations have two
calls, and every fifth goes back and on another way. A witness before each server notes the bytes and the
seconds of every answer; what a call takes longer than its answer is the way there and back. Prints one JSON
object: answers whose bytes differ between witness and client, milliseconds by which the way is longer with
the proxy than without it at p50, p95 and p99, and whether the sessions are the conversations.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

import anthropic
import httpx2
import openai
from parrot_server import parrot_server

COMMAND = "from turnwise.tui.cli.main import main; main()"
TOOL = {"type": "object", "properties": {"what": {"type": "string"}}}
Noted = dict[str, tuple[str, float]]
WARMING = 10_000_001
"""The first call of a conversation that is had before the others, and not timed."""


class Witness(ThreadingHTTPServer):
    """Passes on to a server, and notes the print and the seconds of every answer by its number."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, upstream: str) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        parts = urlsplit(upstream)
        self.host, self.upstream_port = str(parts.hostname), parts.port
        self.noted: Noted = {}
        threading.Thread(target=self.serve_forever, daemon=True).start()


class _Passing(BaseHTTPRequestHandler):
    server: Witness
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, format: str, *arguments: Any) -> None:  # noqa: A002
        pass

    def do_POST(self) -> None:
        began, heard = time.perf_counter(), hashlib.sha256()
        body = self.rfile.read(int(self.headers["content-length"]))
        upstream = HTTPConnection(self.server.host, self.server.upstream_port, timeout=600)
        sent = {name: value for name, value in self.headers.items() if name.lower() != "host"}
        upstream.request("POST", self.path, body, sent)
        answer = upstream.getresponse()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "content-length", "connection"):
                self.send_header(name, value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        while part := answer.read1(65536):
            heard.update(part)
            self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
        self.server.noted[self.headers["x-number"]] = (heard.hexdigest(), time.perf_counter() - began)
        self.wfile.write(b"0\r\n\r\n")
        upstream.close()


class _Heard(httpx2.SyncByteStream):
    def __init__(self, inner: Any, number: str, noted: Noted, began: float) -> None:
        self._inner, self._number, self._noted, self._began = inner, number, noted, began

    def __iter__(self) -> Any:
        heard = hashlib.sha256()
        try:
            for part in self._inner:
                heard.update(part)
                yield part
        finally:
            # OpenAI's client stops at the last word of a stream, which is the last of its bytes.
            self._noted[self._number] = (heard.hexdigest(), time.perf_counter() - self._began)

    def close(self) -> None:
        self._inner.close()


def listening(noted: Noted) -> httpx2.Client:
    """Return an HTTP client that notes what it hears."""

    def begin(request: httpx2.Request) -> None:
        request.extensions["began"] = time.perf_counter()

    def hear(answer: httpx2.Response) -> None:
        number = answer.request.headers["x-number"]
        answer.stream = _Heard(answer.stream, number, noted, answer.request.extensions["began"])

    return httpx2.Client(timeout=600, event_hooks={"request": [begin], "response": [hear]})


def openai_asks(client: openai.OpenAI, number: int, messages: list[Any]) -> str:
    """Ask, and read the answer to its end."""
    headers = {"X-Number": str(number)}
    tools: Any = [{"type": "function", "function": {"name": "look_up", "parameters": TOOL}}]
    asked: dict[str, Any] = {
        "model": "embedded",
        "messages": messages,
        "max_tokens": 8,
        "temperature": 0,
        "extra_headers": headers,
        **({"tools": tools} if number % 7 == 0 else {}),
    }
    if number % 2:
        pieces = client.chat.completions.create(**asked, stream=True)
        return "".join(piece.choices[0].delta.content or "" for piece in pieces if piece.choices)
    return str(client.chat.completions.create(**asked).choices[0].message.content or "")


def anthropic_asks(client: anthropic.Anthropic, number: int, messages: list[Any]) -> str:
    """Ask, and read the answer to its end."""
    tools: Any = [{"name": "look_up", "input_schema": TOOL}]
    asked: dict[str, Any] = {
        "model": "parrot",
        "messages": messages,
        "max_tokens": 50,
        "extra_headers": {"X-Number": str(number)},
        **({"tools": tools} if number % 7 == 0 else {}),
    }
    if number % 2:
        with client.messages.stream(**asked) as stream:
            message: Any = stream.get_final_message()
            # To the last byte, as the next call does.
            stream.until_done()
    else:
        message = client.messages.create(**asked)
    return "".join(block.text for block in message.content if block.type == "text")


def talk(ask: Any, client: Any, first: int) -> list[list[str]]:
    """Have a conversation of two calls, every fifth with a fork; return what each session is to say."""
    opening = [{"role": "user", "content": f"Say hello {first}"}]
    reply = ask(client, first, opening)
    before = [*opening, {"role": "assistant", "content": reply or "(nothing)"}]
    said = []
    for place, words in enumerate(("And goodbye", "Or stay")[: 2 if first % 5 == 0 else 1]):
        messages = [*before, {"role": "user", "content": words}]
        said.append([*(one["content"] for one in messages), ask(client, first + place + 1, messages)])
    return said


def talks(base: str, ask: Any, make: Any, calls: int, together: int, **asked: str) -> tuple[Noted, list[Any]]:
    """Have so many calls or a few more; return what was heard, and what each conversation is to say."""
    heard = Noted()
    client = make(base_url=base, http_client=listening(heard), max_retries=0, **asked)
    warming = talk(ask, client, WARMING)
    # Four of five conversations have two calls, the fifth has three.
    firsts = [3 * place for place in range(-(-calls * 5 // 11))]
    with ThreadPoolExecutor(together) as pool:
        said = [
            one for several in pool.map(lambda first: talk(ask, client, first), firsts) for one in several
        ]
    return heard, [*warming, *said]


def ways(heard: Noted, witness: Witness) -> list[float]:
    """Return the milliseconds that each call took longer than its answer, and forget the answers."""
    found = [
        (heard[number][1] - witness.noted[number][1]) * 1000 for number in heard if int(number) < WARMING
    ]
    witness.noted = {}
    return found


def measured(
    upstream: str, ask: Any, make: Any, calls: int, together: int, folder: Path, **asked: str
) -> dict[str, Any]:
    """Have so many calls straight and as many through a proxy, and say what became of them."""
    from turnwise.conversations.store import Store

    witness = Witness(upstream)
    versioned = make is openai.OpenAI
    root = f"http://127.0.0.1:{witness.server_address[1]}"
    straight = ways(
        talks(f"{root}/v1" if versioned else root, ask, make, calls, together, **asked)[0], witness
    )
    database = folder / f"{make.__name__}.db"
    command = [sys.executable, "-c", COMMAND, "--db", str(database), "proxy", "--port", "0", "--json"]
    proxy = subprocess.Popen(
        [*command, "--upstream", f"{root}/v1"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    address = json.loads(proxy.stdout.readline())["address"]  # type: ignore[union-attr]
    base = address if versioned else address.removesuffix("/v1")
    heard, wanted = talks(base, ask, make, calls, together, **asked)
    differ = sum(heard[one][0] != witness.noted[one][0] for one in heard)
    through = ways(heard, witness)
    proxy.send_signal(signal.SIGINT)
    out, _ = proxy.communicate(timeout=120)
    with Store.open(database) as store:
        found = [
            [turn.content for turn in store.sessions.case(one).turns if turn.is_spoken]
            for one in store.sessions.ids()
        ]
    before, after = (statistics.quantiles(one, n=100) for one in (straight, through))
    return {
        "calls": len(heard),
        "answers_that_differ": differ,
        "added_ms": {
            name: round(after[at] - before[at], 2) for name, at in (("p50", 49), ("p95", 94), ("p99", 98))
        },
        "straight_ms_p50": round(before[49], 2),
        "conversations": len(wanted),
        "sessions": len(found),
        "sessions_that_are_none_of_them": sum(sorted(wanted).count(one) == 0 for one in found),
        "not_kept": json.loads(out.splitlines()[-1])["not_kept"],
    }


async def main() -> None:
    """Measure and print."""
    from turnwise.engine.models.embedded.server import EmbeddedServer

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--embedded", type=int, default=250)
    parser.add_argument("--messages", type=int, default=250)
    parser.add_argument("--together", type=int, default=16)
    parser.add_argument("--threads", type=int, default=0, help="of the model; 0 for one a processor")
    parser.add_argument("--model", default="")
    chosen = parser.parse_args()
    if not chosen.model:
        from model_fixture import find_or_pull_small_model

        chosen.model = str(find_or_pull_small_model())
    with tempfile.TemporaryDirectory() as name, parrot_server() as parrot:
        folder = Path(name)
        asks = (parrot.address, anthropic_asks, anthropic.Anthropic, chosen.messages, chosen.together, folder)
        found = {"messages": await asyncio.to_thread(measured, *asks, api_key="k")}
        print(json.dumps(found), file=sys.stderr, flush=True)
        async with EmbeddedServer(Path(chosen.model), context=512, threads=chosen.threads) as server:
            real = (server.base_url, openai_asks, openai.OpenAI, chosen.embedded, chosen.together, folder)
            found["embedded"] = await asyncio.to_thread(measured, *real, api_key=server.api_key)
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    asyncio.run(main())
