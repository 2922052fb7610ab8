"""The receiver: a server on this machine that takes spans from any exporter of OpenTelemetry over HTTP.

An exporter is answered only after its spans are on the disk. Whatever goes wrong here is a status that it
understands; the program that sends the spans goes on in any case.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote

from turnwise.conversations.errors import StoreError
from turnwise.conversations.live.loopback import LoopbackServer, require_packages
from turnwise.conversations.live.otlp_requests import (
    MOST_BYTES,
    RefusedRequest,
    Wire,
    answer_to_others,
    answer_to_refused,
    answer_to_spans,
    spans_in,
    unpacked,
    wire_of,
)
from turnwise.conversations.live.span_spool import SpanSpool

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

USUAL_PORT = 4318
"""The one that OTLP over HTTP has."""
_OTHERS = ("metrics", "logs")
_PACKAGES = ("google.protobuf", "opentelemetry.proto", "starlette", "uvicorn")
_SECONDS_TO_TRY_AGAIN = 5


@dataclass(slots=True)
class Received:
    """What has come so far. others: requests with metrics and logs, which are not kept. told: first ones of a
    kind were told of. refused: requests that were not taken. left_out: spans whose ids mean nothing.
    """

    spans: int = 0
    requests: int = 0
    refused: int = 0
    left_out: int = 0
    others: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_OTHERS, 0))


class Receiver:
    """A server with its address. It runs in a thread of its own from `start` to `stop`.

    token: what clients have to show; None lets everybody on this machine send spans. tell: hears, in any
    thread, what a person should know, each thing once.
    """

    def __init__(
        self,
        spool: SpanSpool,
        *,
        port: int = USUAL_PORT,
        token: str | None = None,
        tell: Callable[[str], None] = lambda words: None,
    ) -> None:
        """Raise SettingError where the port is taken or a package is missing."""
        require_packages(_PACKAGES, what="Collecting spans", extra="collect")
        self.received = Received()
        self._spool = spool
        self._token = token
        self._tell = tell
        self._told: set[str] = set()
        self._lock = threading.Lock()
        self._server = LoopbackServer(port, name="collect")

    @property
    def port(self) -> int:
        """Where it listens."""
        return self._server.port

    @property
    def endpoint(self) -> str:
        """The address that exporters are given."""
        return self._server.address

    @property
    def environment(self) -> dict[str, str]:
        """The variables that make exporters of OpenTelemetry send their spans here."""
        # Values are written as in the headers that they become, where a space is %20.
        shown = {"OTEL_EXPORTER_OTLP_HEADERS": f"Authorization={quote(f'Bearer {self._token}')}"}
        return {
            "OTEL_EXPORTER_OTLP_ENDPOINT": self.endpoint,
            **(shown if self._token else {}),
            "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf",
        }

    def start(self) -> None:
        """Begin to answer."""
        self._server.start(self.application())

    def stop(self) -> None:
        """Answer what is under way, and end."""
        self._server.stop()

    def application(self) -> Starlette:
        """Return what answers requests."""
        from starlette.applications import Starlette
        from starlette.routing import Route

        async def traces(request: Request) -> Response:
            return await self._answered(request, self._take_spans)

        async def metrics(request: Request) -> Response:
            return await self._answered(request, lambda _, wire: self._let_go("metrics", wire))

        async def logs(request: Request) -> Response:
            return await self._answered(request, lambda _, wire: self._let_go("logs", wire))

        return Starlette(
            routes=[
                Route("/v1/traces", traces, methods=["POST"]),
                Route("/v1/metrics", metrics, methods=["POST"]),
                Route("/v1/logs", logs, methods=["POST"]),
            ]
        )

    async def _answered(self, request: Request, take: Callable[[bytes, Wire], bytes]) -> Response:
        """Take a request, and answer it as the protocol says, in the form in which it came."""
        from starlette.concurrency import run_in_threadpool
        from starlette.responses import Response

        wire = wire_of(request.headers.get("content-type", ""))
        headers: dict[str, str] = {}
        try:
            self._check(request)
            if wire is None:
                raise RefusedRequest(
                    415, "Content-Type: expected application/x-protobuf or application/json."
                )
            packed = await _body(request)
            encoding = request.headers.get("content-encoding", "").strip().lower()
            answer = await run_in_threadpool(lambda: take(unpacked(packed, encoding), wire))
            return Response(answer, media_type=wire)
        except RefusedRequest as refused:
            status, why = refused.status, refused
            self._note_refusal(refused)
        except StoreError as error:
            # Exporters keep what they have for a while, and send it again.
            status, why = 503, RefusedRequest(503, f"{error.title}: {error.detail}")
            headers["Retry-After"] = str(_SECONDS_TO_TRY_AGAIN)
            self._tell_once(f"{error.title}: {error.detail} Whoever sends spans is told to try again.")
        if status == 401:
            headers["WWW-Authenticate"] = "Bearer"
        shown = wire or "application/json"
        return Response(answer_to_refused(why, shown), status, headers=headers, media_type=shown)

    def _check(self, request: Request) -> None:
        """Refuse whoever must not send spans here. Raises RefusedRequest."""
        if not self._server.is_ours(request.headers.get("host", "")):
            raise RefusedRequest(403, f"This is {self.endpoint}, and nothing else.")
        if self._token is None:
            return
        shown = request.headers.get("authorization", "")
        if not secrets.compare_digest(shown.encode(), f"Bearer {self._token}".encode()):
            raise RefusedRequest(401, "Authorization: expected the token that turnwise collect printed.")

    def _take_spans(self, body: bytes, wire: Wire) -> bytes:
        found = spans_in(body, wire)
        if found.taken:
            self._spool.add(found.taken)
        with self._lock:
            self.received.requests += 1
            self.received.spans += len(found.taken)
            self.received.left_out += found.refused
        if found.refused:
            self._tell_once("Spans came whose ids mean nothing: they are left out.")
        return answer_to_spans(found, wire)

    def _let_go(self, what: str, wire: Wire) -> bytes:
        with self._lock:
            self.received.others[what] += 1
        self._tell_once(f"{what.capitalize()} came too: they are not kept, only spans are.")
        return answer_to_others(what, wire)

    def _note_refusal(self, refused: RefusedRequest) -> None:
        with self._lock:
            self.received.refused += 1
        self._tell_once(f"A request was not taken ({refused.status}): {refused.why}")

    def _tell_once(self, words: str) -> None:
        with self._lock:
            new = words not in self._told and len(self._told) < 100
            self._told.add(words)
        if new:
            self._tell(words)


async def _body(request: Request) -> bytes:
    """Read a body up to the longest that is taken. Raises RefusedRequest."""
    pieces: list[bytes] = []
    size = 0
    async for piece in request.stream():
        size += len(piece)
        if size > MOST_BYTES:
            raise RefusedRequest(413, f"The request holds more than {MOST_BYTES:,} bytes.")
        pieces.append(piece)
    return b"".join(pieces)
