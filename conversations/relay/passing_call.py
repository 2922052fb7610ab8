"""A call on its way: what is heard of it while it passes, and what is kept of it when it has."""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Self

from turnwise.conversations.relay.assembled_replies import assembled
from turnwise.conversations.relay.relayed_call import CallNames, Interface, RelayedCall

_SESSION, _USER, _METADATA = (b"x-turnwise-session", b"x-turnwise-user", b"x-turnwise-metadata")
OWN_HEADERS = (_SESSION, _USER, _METADATA)
"""The headers by which a program names what it says; they are not passed on."""
_LAST_WORDS = (b"data: [DONE]", b'"message_stop"', b'"response.completed"')
"""What streams end with, in the three interfaces."""
_MOST_KEPT = 64 * 1024 * 1024
"""The longest request or reply that is kept, in bytes; a longer one is passed on all the same."""
GONE = "The program did not wait for the end of the reply"


@dataclass(frozen=True, slots=True)
class AnswerHead:
    """What stands before an answer. kind: its content type. packing: its content encoding."""

    status: int
    kind: str
    packing: str
    length: str

    @classmethod
    def of(cls, status: int, headers: Mapping[str, str]) -> Self:
        """Read it. headers: whose names are looked up in any spelling."""
        named = [headers.get(name, "") for name in ("content-type", "content-encoding", "content-length")]
        return cls(status, *named)


@dataclass(slots=True)
class PassingCall:
    """A request on its way."""

    interface: Interface | None
    request: bytes
    names: CallNames
    came: float = field(default_factory=time.time)
    began: float = field(default_factory=time.monotonic)
    first: float | None = None
    body: bytearray = field(default_factory=bytearray)
    size: int = 0
    too_long: bool = False
    is_kept: bool = False

    def heard(self, part: bytes) -> None:
        """Take what came of the answer."""
        self.size += len(part)
        if self.first is None:
            self.first = time.monotonic() - self.began
        if self.interface is not None and not self.too_long:
            self.body += part
            self.too_long = len(self.body) > _MOST_KEPT

    def is_whole(self, part: bytes, length: str) -> bool:
        """Whether nothing is to come that matters. length: how long the server said that its answer is."""
        return (length.isdigit() and self.size >= int(length)) or any(word in part for word in _LAST_WORDS)

    def call(self, head: AnswerHead | None, broken: str) -> RelayedCall | None:
        """Return the call as it is kept; None where it cannot be read. broken: why it has no whole reply."""
        if self.interface is None or self.too_long:
            return None
        try:
            request = json.loads(self.request)
        except (ValueError, RecursionError):
            return None
        if not isinstance(request, dict):
            return None
        reply, failure = None, broken
        if head is not None:
            body = _unpacked(bytes(self.body), head.packing)
            found = assembled(self.interface, head.status, body, is_stream="event-stream" in head.kind)
            reply, failure = found.reply, found.failure or ("" if found.reply else broken)
        return RelayedCall(
            interface=self.interface,
            request=request,
            reply=reply,
            status=head.status if head is not None else 0,
            failure=failure,
            came=self.came,
            seconds=time.monotonic() - self.began,
            first_seconds=self.first,
            names=self.names,
        )


def _unpacked(body: bytes, encoding: str) -> bytes:
    """Return a body as it was before it was packed, as far as that goes."""
    match encoding.strip().lower():
        case "" | "identity":
            return body
        case "gzip" | "deflate" | "x-gzip":
            try:
                return zlib.decompressobj(zlib.MAX_WBITS | 32).decompress(body, _MOST_KEPT)
            except zlib.error:
                return b""
        case "br" | "zstd":
            import httpx2

            try:
                packed = httpx2.Response(200, headers={"content-encoding": encoding}, content=body)
                return bytes(packed.content)
            except httpx2.DecodingError:
                return b""
    return b""


def names_in(headers: Iterable[tuple[bytes, bytes]]) -> CallNames:
    """Return what a program says of a call by headers."""
    said = {name: value.decode("utf-8", "replace") for name, value in headers if name in OWN_HEADERS}
    try:
        stated = json.loads(said.get(_METADATA, "{}"))
    except ValueError:
        stated = {"metadata": said[_METADATA]}
    metadata = stated if isinstance(stated, dict) else {"metadata": stated}
    return CallNames(said.get(_SESSION, ""), said.get(_USER, ""), metadata)
