"""Connections: the HTTP client that all models and chatbots are asked over, and what goes wrong on it.

Nothing that an answer holds may take the machine: its size is counted as it is unpacked, and no redirect is
followed, since it would carry the conversation somewhere that nobody named.
"""

from __future__ import annotations

import os
import ssl
from collections.abc import AsyncIterator
from functools import cache
from importlib import import_module
from typing import Any, Protocol

from turnwise.conversations.errors import SettingError
from turnwise.engine.models.arrivals import note_answer, note_request
from turnwise.engine.models.faults import Fault, fault_of_redirect, without_keys
from turnwise.engine.models.public_addresses import client_options
from turnwise.engine.models.settings import is_loopback
from turnwise.engine.models.streams import LARGEST_STREAM

LARGEST_ANSWER = 5_000_000
"""The longest answer that is read, in bytes after unpacking; one that comes in pieces may be longer."""
LARGEST_ERROR = 1_000_000
LONGEST_CONNECT = 10.0
"""How long it may take to reach a server, in seconds; an answer may take longer."""


class HttpLibrary(Protocol):
    """The SDK of a provider, which brings an HTTP client and time-outs of its own making."""

    DefaultAsyncHttpxClient: Any
    Timeout: Any


def http_client(sdk: HttpLibrary, url: str, seconds: float, *, public_only: bool = False) -> Any:
    """Return a client for the server at an address.

    seconds: what a step of a call may take. public_only: no server of this machine or of a local network is
    asked.
    """
    # A proxy of the environment cannot reach this machine's loopback.
    options = {"trust_env": not is_loopback(url), **client_options(public_only=public_only)}
    library = sdk.DefaultAsyncHttpxClient.__base__.__module__.partition(".")[0]
    named = (os.environ.get(name) for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"))
    options["verify"] = _authorities(library, options["trust_env"], *named)
    before = options.pop("event_hooks", {}).get("request", [])
    hooks = {"request": [*before, note_request], "response": [_check]}
    return sdk.DefaultAsyncHttpxClient(
        timeout=time_out(sdk, seconds), follow_redirects=False, event_hooks=hooks, **options
    )


@cache
def _authorities(library: str, trust_env: bool, *named: str | None) -> ssl.SSLContext:
    """Return whose certificates an HTTP library trusts: to read them for each client takes as long as a call.

    named: what the environment names for it, so that they are read anew where it names others.
    """
    context: ssl.SSLContext = import_module(library).create_ssl_context(trust_env=trust_env)
    return context


def time_out(sdk: HttpLibrary, seconds: float) -> Any:
    """Return the time-outs of a call's steps, as the SDK takes them."""
    return sdk.Timeout(seconds, connect=_connect_seconds(seconds))


def _connect_seconds(seconds: float) -> float:
    return min(seconds, LONGEST_CONNECT)


async def _check(response: Any) -> None:
    """Refuse an answer that sends elsewhere, and let the body of any other be counted. Raises Fault."""
    if response.is_redirect:
        place = str(response.request.url)
        raise fault_of_redirect(place, response.status_code, response.headers.get("location"))
    note_answer(response)
    stream_type = _stream_type(type(response).__module__.partition(".")[0])
    if response.headers.get("content-encoding") is None:
        response.stream = stream_type(response, response.stream, response.stream)
        return
    # A second answer over the same connection unpacks the body, so that the first one is given it unpacked.
    packed = type(response)(
        response.status_code,
        headers=response.headers,
        stream=response.stream,
        request=response.request,
    )
    for name in ("content-encoding", "content-length"):
        response.headers.pop(name, None)
    response.stream = stream_type(packed, packed.aiter_bytes(), packed)


@cache
def _stream_type(library: str) -> Any:
    """Return the type of a body that is counted as it is read, as an HTTP library wants it."""

    def begin(self: Any, response: Any, body: Any, end: Any) -> None:
        self.response = response
        # One for all who read: an SDK reads on after the last event, so that the connection serves again.
        self.pieces = aiter(body)
        self.end = end
        self.count = 0

    async def read(self: Any) -> AsyncIterator[bytes]:
        largest = _largest(self.response)
        async for piece in self.pieces:
            self.count += len(piece)
            if self.count > largest:
                raise _too_large(self.response.status_code, largest)
            yield piece

    async def close(self: Any) -> None:
        await self.pieces.aclose()
        await self.end.aclose()

    base = import_module(library).AsyncByteStream
    return type("CountedStream", (base,), {"__init__": begin, "__aiter__": read, "aclose": close})


def _largest(response: Any) -> int:
    if response.status_code >= 400:
        return LARGEST_ERROR
    kind = str(response.headers.get("content-type") or "")
    return LARGEST_STREAM if kind.startswith("text/event-stream") else LARGEST_ANSWER


def _too_large(status: int, largest: int) -> Fault:
    told = f"the answer is longer than {largest:,} bytes"
    if status >= 400:
        # What it wanted to say is lost, but not that it failed, and what that means.
        return Fault(told, status=status)
    return Fault(told, passing=False, kind="too large")


def fault_of_transport(
    error: BaseException, seconds: float, api_key: str = ""
) -> Fault | SettingError | None:
    """Return the fault that an error on the way tells of; None where it is of another kind.

    What a person must set otherwise comes out as it is.
    error: of an SDK, which may wrap another, or of a transport. seconds: what the call might take.
    """
    causes = [error, *([error.__cause__] if error.__cause__ else [])]
    for one in causes:
        if isinstance(one, Fault):
            one.message = without_keys(one.message, api_key)
            return one
        if isinstance(one, SettingError):
            return one
    names = [type(one).__name__ for one in causes]
    if "ConnectTimeout" in names:
        told = f"no connection within {_connect_seconds(seconds):g} s"
        return Fault(told, timed_out=True, kind="away")
    if isinstance(error, TimeoutError) or any("Timeout" in name for name in names):
        return Fault(f"no answer within {seconds:g} s", timed_out=True)
    cause = causes[-1]
    # Those of the transport, from whichever one it is, and what an SDK found no other word for.
    on_the_way = type(cause).__module__.startswith(("httpx", "httpcore")) or "APIConnectionError" in names
    if not on_the_way:
        return None
    told = without_keys(str(cause), api_key)
    return Fault(f"{names[-1]}: {told}" if told else names[-1], nobody_here=_nobody_listens_here(error))


def _nobody_listens_here(error: BaseException) -> bool:
    """Whether a connection was refused at an address of this machine."""
    request = getattr(error, "request", None)
    return request is not None and is_loopback(str(request.url)) and _is_refused(error)


def _is_refused(error: BaseException | None) -> bool:
    """Whether a refused connection is behind an error; of several attempts each must have been refused."""
    if isinstance(error, BaseExceptionGroup):
        return all(map(_is_refused, error.exceptions))
    refused = isinstance(error, ConnectionRefusedError)
    return refused or (error is not None and _is_refused(error.__cause__ or error.__context__))
