"""The relay: passes requests on to a server of models and its answers back, byte for byte, and keeps them.

Whatever goes wrong with keeping them, the program that asks does not notice. Keys pass through and are never
kept: of a request's headers only those are read that name the conversation.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from turnwise.conversations.errors import SettingError
from turnwise.conversations.live import LoopbackServer, require_packages
from turnwise.conversations.relay.call_spool import CallSpool
from turnwise.conversations.relay.passing_call import OWN_HEADERS, AnswerHead, PassingCall, names_in
from turnwise.conversations.relay.relayed_call import interface_of

if TYPE_CHECKING:
    import httpx2

USUAL_PORT = 8791
_PACKAGES = ("httpx2", "uvicorn")
_BETWEEN_TWO = frozenset(
    (b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"te", b"trailer")
) | {b"transfer-encoding", b"upgrade", b"host"}
"""Headers that are said from one machine to the next, and are not passed on."""
_SECONDS_TO_CONNECT = 30.0

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


@dataclass(slots=True)
class Relayed:
    """What went through so far. others: requests that are no conversation, such as lists of models. failed:
    calls without a whole reply. unkept: calls of which nothing could be read. unreached: the server did not
    answer at all.
    """

    calls: int = 0
    others: int = 0
    failed: int = 0
    unkept: int = 0
    refused: int = 0
    unreached: int = 0


class Relay:
    """A server on this machine that passes on what it is asked, from `start` to `stop`.

    upstream: the address of the server behind it, as programs are usually given it. token: stands in the
    address that programs are given; None lets every program on this machine use the relay.
    """

    def __init__(
        self, upstream: str, spool: CallSpool, *, port: int = USUAL_PORT, token: str | None = None
    ) -> None:
        """Raise SettingError where the address is none, the port is taken or a package is missing."""
        require_packages(_PACKAGES, what="The recording proxy", extra="proxy")
        parts = urlsplit(upstream)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise SettingError(
                f"{upstream} is no address of a server",
                next_step="Name one such as https://api.openai.com/v1 or http://127.0.0.1:8080/v1.",
            )
        self.relayed = Relayed()
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._base = parts.path.rstrip("/").removesuffix("/v1")
        self._spool = spool
        self._token = token
        self._server = LoopbackServer(port, name="proxy")
        self._client: httpx2.AsyncClient | None = None

    @property
    def address(self) -> str:
        """What stands before /v1 in the address that programs are given."""
        return f"{self._server.address}/{self._token}" if self._token else self._server.address

    def start(self) -> None:
        """Begin to answer."""
        self._server.start(self)

    def stop(self) -> None:
        """Pass on what is under way, and end."""
        self._server.stop()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, as ASGI has it."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        if scope["type"] != "http":
            return
        headers: list[tuple[bytes, bytes]] = list(scope["headers"])
        path = str(scope.get("raw_path", b"").decode("ascii", "replace") or scope["path"])
        if (allowed := self._allowed(path, headers)) is None:
            self.relayed.refused += 1
            await _refuse(send)
            return
        query = scope.get("query_string", b"").decode("ascii", "replace")
        body = await _whole_body(receive)
        names = names_in(headers)
        passing = PassingCall(interface_of(allowed) if scope["method"] == "POST" else None, body, names)
        asked = allowed + (f"?{query}" if query else "")
        # A program that goes away stops what the server still works on.
        leaving = asyncio.create_task(
            _until_gone(receive, cast("asyncio.Task[None]", asyncio.current_task()))
        )
        try:
            await self._pass_on(scope["method"], asked, headers, passing, send)
        except asyncio.CancelledError:
            if not leaving.done():
                raise
        finally:
            leaving.cancel()

    async def _live(self, receive: Receive, send: Send) -> None:
        """Close the connections to the server behind when this one ends, as ASGI's lifespan has it."""
        while True:
            what = (await receive())["type"]
            if what == "lifespan.shutdown" and self._client is not None:
                await self._client.aclose()
            await send({"type": f"{what}.complete"})
            if what == "lifespan.shutdown":
                return

    def _allowed(self, path: str, headers: Iterable[tuple[bytes, bytes]]) -> str | None:
        """Return the path behind the token; None where the request may not pass."""
        host = next((value for name, value in headers if name == b"host"), b"").decode("latin-1")
        if not self._server.is_ours(host):
            return None
        if self._token is None:
            return path
        _, first, *rest = [*path.split("/", 2), ""]
        if not secrets.compare_digest(first.encode(), self._token.encode()):
            return None
        return "/" + rest[0]

    async def _pass_on(
        self,
        method: str,
        path: str,
        headers: list[tuple[bytes, bytes]],
        passing: PassingCall,
        send: Send,
    ) -> None:
        import httpx2

        client = self._open()
        held_back = {*_BETWEEN_TWO, *OWN_HEADERS}
        sent = [(name, value) for name, value in headers if name not in held_back]
        request = client.build_request(
            method, f"{self._origin}{self._base}{path}", headers=sent, content=passing.request or None
        )
        began = False
        answer: httpx2.Response | None = None
        try:
            answer = await client.send(request, stream=True)
            back = [(name, value) for name, value in answer.headers.raw if name.lower() not in _BETWEEN_TWO]
            await send({"type": "http.response.start", "status": answer.status_code, "headers": back})
            began = True
            length = answer.headers.get("content-length", "")
            async for part in answer.aiter_raw():
                passing.heard(part)
                if passing.is_whole(part, length):
                    # Before the program has the end: a proxy that is killed then has the call.
                    self._keep(passing, answer)
                await send({"type": "http.response.body", "body": part, "more_body": True})
        except httpx2.HTTPError as error:
            self.relayed.unreached += 1
            self._keep(passing, answer, broken=str(error) or type(error).__name__)
            if not began:
                await _fault(send, 502, f"{self._origin} does not answer: {error or type(error).__name__}")
            else:
                raise
            return
        except BaseException:
            # The program went away, or this server ends: what came is kept.
            self._keep(passing, answer, broken="The program did not wait for the end of the reply")
            raise
        finally:
            if answer is not None:
                await answer.aclose()
        self._keep(passing, answer)
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _open(self) -> httpx2.AsyncClient:
        import httpx2

        if self._client is None:
            limits = httpx2.Limits(max_connections=None, max_keepalive_connections=100)
            timeout = httpx2.Timeout(None, connect=_SECONDS_TO_CONNECT)
            self._client = httpx2.AsyncClient(limits=limits, timeout=timeout, follow_redirects=False)
            # What a program does not send is not sent.
            self._client.headers.clear()
        return self._client

    def _keep(self, passing: PassingCall, answer: httpx2.Response | None, *, broken: str = "") -> None:
        """Keep a call once, as far as it can be read."""
        if passing.is_kept:
            return
        passing.is_kept = True
        if passing.interface is None:
            self.relayed.others += 1
            return
        self.relayed.calls += 1
        head = None if answer is None else AnswerHead.of(answer.status_code, answer.headers)
        call = passing.call(head, broken)
        if call is None:
            self.relayed.unkept += 1
            return
        self.relayed.failed += bool(call.failure)
        self._spool.add(call)


async def _until_gone(receive: Receive, passing_on: asyncio.Task[None]) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    passing_on.cancel()


async def _whole_body(receive: Receive) -> bytes:
    parts: list[bytes] = []
    while True:
        message = await receive()
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)


async def _refuse(send: Send) -> None:
    await _fault(
        send, 403, "This is the proxy of turnwise: use the whole address that it printed, token included."
    )


async def _fault(send: Send, status: int, words: str) -> None:
    body = json.dumps({"error": {"message": words, "type": "turnwise_proxy"}}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
