"""Streams: the pieces of a reply that comes as server-sent events, even where some cannot be read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LARGEST_STREAM = 100_000_000
"""The longest stream that is read, in bytes; every word of a reply comes with some 200 bytes around it."""
LARGEST_EVENT = 10_000_000
"""The longest single event, or answer that is no stream, in bytes."""
NATURAL_ENDS = frozenset({"stop", "tool_calls", "function_call"})
"""Why a model ends a reply by itself, in the words of the Chat Completions API."""
_LAST = "[DONE]"


@dataclass(frozen=True, slots=True)
class ToolCallPiece:
    """A part of a tool call; parts of one call share its place, and their arguments go together."""

    place: int
    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class EndedEarly:
    """The server ended the reply before the model had: length, content_filter, or a word of its own."""

    reason: str


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A piece of the reply came that cannot be read, or not all of it."""

    what: str


ReplyPiece = str | ToolCallPiece | EndedEarly | Unreadable
"""What comes of a reply: text above all."""


class StreamReader:
    """Makes pieces of the bytes that a server sends, whatever they are; it raises ValueError where they are
    too many.

    plain: the server sent a whole answer instead of events; it is in `body`. error: what a server said
    instead of going on. finished: whether the server has said that the reply ends.
    """

    def __init__(self) -> None:
        self.plain = False
        self.error: Mapping[str, Any] | None = None
        self.finished = False
        self._begun = False
        self._waiting = bytearray()
        self._data: list[bytes] = []
        self._bytes = 0

    @property
    def body(self) -> str:
        """The answer of a server that sent no events."""
        return self._waiting.decode("utf-8", "replace")

    def feed(self, part: bytes) -> Iterator[ReplyPiece]:
        """Yield the pieces that are whole by now."""
        self._bytes += len(part)
        self._waiting += part
        for size, most in ((self._bytes, LARGEST_STREAM), (len(self._waiting), LARGEST_EVENT)):
            if size > most:
                raise ValueError(f"it is longer than {most:,} bytes")
        if not self._begun and (start := self._waiting.lstrip()):
            self._begun = True
            self.plain = start.startswith((b"{", b"[", b"<"))
        if self.plain or b"\n" not in part:
            return
        *lines, rest = self._waiting.split(b"\n")
        self._waiting = bytearray(rest)
        for line in lines:
            yield from self._line(bytes(line).removesuffix(b"\r"))

    def end(self) -> Iterator[ReplyPiece]:
        """Yield the pieces of an event that nothing came after."""
        if self.plain:
            self.error = _error_in(self.body)
        else:
            yield from self._line(bytes(self._waiting))
            yield from self._line(b"")

    def _line(self, line: bytes) -> Iterator[ReplyPiece]:
        if line:
            name, _, value = line.partition(b":")
            if name == b"data":
                self._data.append(value.removeprefix(b" "))
            return
        data, self._data = b"\n".join(self._data), []
        if data and self.error is None:
            yield from self._event(data)

    def _event(self, data: bytes) -> Iterator[ReplyPiece]:
        text = data.decode("utf-8", "replace")
        if text.strip() == _LAST:
            self.finished = True
            return
        try:
            chunk = json.loads(text)
        except (ValueError, RecursionError):
            yield Unreadable(f"no JSON: {text[:80]}")
            return
        if isinstance(chunk, dict) and chunk.get("error"):
            self.error = chunk
            return
        try:
            choice = choice_of(chunk)
        except TypeError:
            yield Unreadable(f"no part of a reply: {text[:80]}")
            return
        self.finished = self.finished or choice.get("finish_reason") is not None
        yield from pieces_of(choice)
        if "\ufffd" in text and not _is_text(data):
            yield Unreadable("bytes that are no text")


def _error_in(body: str) -> Mapping[str, Any] | None:
    """Return an answer that is an error and no reply; None for any other."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, dict) and answer.get("error") and not answer.get("choices") else None


def choice_of(chunk: Any) -> Mapping[str, Any]:
    """Return the first choice of a chunk; an empty one where it holds none. Raises TypeError for no chunk."""
    if not isinstance(chunk, dict):
        raise TypeError
    choices = chunk.get("choices") or [{}]
    if not isinstance(choices, list) or not isinstance(choices[0], dict):
        raise TypeError
    return choices[0]


def pieces_of(choice: Mapping[str, Any]) -> Iterator[ReplyPiece]:
    """Yield what one choice says: words, words of declining, tool calls, and why it ends."""
    said = choice.get("delta") or choice.get("message") or {}
    if isinstance(said, dict):
        yield from filter(None, map(_words, (said.get("content"), said.get("refusal"))))
        calls = said.get("tool_calls") or [{"function": said.get("function_call")}]
        yield from _call_pieces(calls if isinstance(calls, list) else [calls])
    else:
        yield Unreadable(f"no part of a reply: {str(said)[:80]}")
    reason = choice.get("finish_reason")
    word = reason if isinstance(reason, str) else json.dumps(reason)[:80]
    if reason is not None and word not in NATURAL_ENDS:
        yield EndedEarly(word)


def _words(content: Any) -> str:
    """Return the text of a content: a text, or the texts among its parts."""
    if isinstance(content, list):
        return "".join(_words(part.get("text")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _call_pieces(calls: Sequence[Any]) -> Iterator[ReplyPiece]:
    for place, call in enumerate(calls):
        called = call.get("function") if isinstance(call, dict) else None
        if isinstance(call, dict) and called is None and "index" not in call:
            continue
        if not isinstance(called, dict):
            yield Unreadable(f"no tool call: {str(call)[:80]}")
            continue
        index, arguments = call.get("index"), called.get("arguments")
        yield ToolCallPiece(
            index if isinstance(index, int) else place,
            _words(call.get("id")),
            _words(called.get("name")),
            arguments if isinstance(arguments, str) else "" if arguments is None else json.dumps(arguments),
        )


def _is_text(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
