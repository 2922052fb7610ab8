"""HTTP clients that keep what they hear: the very bytes go through, and a call is kept when they have.

They are given to the clients of OpenAI and Anthropic, which take an HTTP client as they take an address.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from typing import Any, cast

import httpx2

from turnwise.conversations.relay.passing_call import (
    GONE,
    OWN_HEADERS,
    AnswerHead,
    PassingCall,
    names_in,
)
from turnwise.conversations.relay.relayed_call import CallNames, RelayedCall, interface_of

Named = Callable[[CallNames], CallNames]
"""Adds what is known of a call to what its headers say."""
_MOST_CONNECTIONS, _MOST_KEPT_ALIVE = 1000, 100
"""As many as the clients of OpenAI and Anthropic keep by themselves."""
Keep = Callable[[RelayedCall], None]


_HEARING = "turnwise.hearing"
"""Where a request remembers who hears it."""


def recording_client(keep: Keep, named: Named, **settings: Any) -> httpx2.Client:
    """Return a client that keeps what it hears. settings: as of httpx2.Client."""

    def begin(request: httpx2.Request) -> None:
        request.extensions[_HEARING] = _Hearing(request, request.read(), keep, named)

    def hear(answer: httpx2.Response) -> None:
        if (hearing := _begun(answer)) is not None:
            answer.stream = _Stream(cast("httpx2.SyncByteStream", answer.stream), hearing)

    return _ClosingClient(**_with_hooks(settings, begin, hear))


def async_recording_client(keep: Keep, named: Named, **settings: Any) -> httpx2.AsyncClient:
    """Return the same for asyncio."""

    async def begin(request: httpx2.Request) -> None:
        request.extensions[_HEARING] = _Hearing(request, await request.aread(), keep, named)

    async def hear(answer: httpx2.Response) -> None:
        if (hearing := _begun(answer)) is not None:
            answer.stream = _AsyncStream(cast("httpx2.AsyncByteStream", answer.stream), hearing)

    return _AsyncClosingClient(**_with_hooks(settings, begin, hear))


class _ClosingClient(httpx2.Client):
    """Closes its connections with the last who holds it, as the clients' own HTTP clients do."""

    def __del__(self) -> None:
        with suppress(Exception):
            self.close()


class _AsyncClosingClient(httpx2.AsyncClient):
    """The same; it needs the loop for it, where one is left."""

    def __del__(self) -> None:
        if not self.is_closed:
            with suppress(Exception):
                _CLOSING.add(closing := asyncio.get_running_loop().create_task(self.aclose()))
                closing.add_done_callback(_CLOSING.discard)


_CLOSING: set[asyncio.Task[None]] = set()
"""What is under way: a loop holds tasks by a weak hand alone."""


def _with_hooks(settings: dict[str, Any], begin: Any, hear: Any) -> dict[str, Any]:
    hooks = settings.get("event_hooks") or {}
    # What the owner's own hooks do to a request is sent, and so it is heard last.
    ours = {
        "request": [*hooks.get("request", ()), begin],
        "response": [hear, *hooks.get("response", ())],
    }
    limits = httpx2.Limits(max_connections=_MOST_CONNECTIONS, max_keepalive_connections=_MOST_KEPT_ALIVE)
    return {"follow_redirects": True, "limits": limits, **settings, "event_hooks": {**hooks, **ours}}


def _begun(answer: httpx2.Response) -> _Hearing | None:
    """Return who hears an answer; None where it is no call of a model, or one that sends elsewhere."""
    hearing = answer.request.extensions.get(_HEARING)
    if not isinstance(hearing, _Hearing) or not hearing.is_of_interest or answer.has_redirect_location:
        return None
    hearing.begins(answer)
    return hearing


class _Hearing:
    """Hears one call, and keeps it once."""

    def __init__(self, request: httpx2.Request, body: bytes, keep: Keep, named: Named) -> None:
        names = named(names_in([(name.lower(), value) for name, value in request.headers.raw]))
        for name in OWN_HEADERS:
            request.headers.pop(name.decode(), None)
        interface = interface_of(request.url.path) if request.method == "POST" else None
        self._passing = PassingCall(interface, body, names)
        self._keep = keep
        self._head: AnswerHead | None = None

    @property
    def is_of_interest(self) -> bool:
        return self._passing.interface is not None

    def begins(self, answer: httpx2.Response) -> None:
        self._head = AnswerHead.of(answer.status_code, answer.headers)

    def hears(self, part: bytes) -> None:
        self._passing.heard(part)
        if self._head is not None and self._passing.is_whole(part, self._head.length):
            self.ends()

    def ends(self, broken: str = "") -> None:
        if self._passing.is_kept:
            return
        self._passing.is_kept = True
        if (call := self._passing.call(self._head, broken)) is not None:
            self._keep(call)


class _Stream(httpx2.SyncByteStream):
    def __init__(self, inner: httpx2.SyncByteStream, hearing: _Hearing) -> None:
        self._inner = inner
        self._hearing = hearing

    def __iter__(self) -> Iterator[bytes]:
        try:
            for part in self._inner:
                self._hearing.hears(part)
                yield part
        except httpx2.HTTPError as error:
            self._hearing.ends(str(error) or type(error).__name__)
            raise
        self._hearing.ends()

    def close(self) -> None:
        self._hearing.ends(GONE)
        self._inner.close()


class _AsyncStream(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream, hearing: _Hearing) -> None:
        self._inner = inner
        self._hearing = hearing

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for part in self._inner:
                self._hearing.hears(part)
                yield part
        except httpx2.HTTPError as error:
            self._hearing.ends(str(error) or type(error).__name__)
            raise
        self._hearing.ends()

    async def aclose(self) -> None:
        self._hearing.ends(GONE)
        await self._inner.aclose()
