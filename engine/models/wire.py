"""Wire: the client of an OpenAI-compatible server, and a chat completion sent and received over it."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from turnwise.engine.models.connections import fault_of_transport, http_client, time_out
from turnwise.engine.models.faults import Fault, fault_of_answer, without_keys
from turnwise.engine.models.provider import ModelReply
from turnwise.engine.models.reply_fields import mapping_field, text_field, token_counts
from turnwise.engine.models.streams import ReplyPiece, StreamReader, Unreadable, pieces_of

if TYPE_CHECKING:
    from openai import AsyncOpenAI


async def load_client() -> None:
    """Import what makes a client, where that is not done."""
    if "openai" not in sys.modules:
        # That takes 0.4 s; in a thread, the screen goes on answering keys meanwhile.
        await asyncio.to_thread(__import__, "openai")


class Wire:
    """A client of an OpenAI-compatible server, for one event loop. Close it when done."""

    def __init__(self, client: AsyncOpenAI, *, api_key: str, seconds: float) -> None:
        self._client = client
        self._api_key = api_key
        self._seconds = seconds

    @classmethod
    async def open(cls, base_url: str, api_key: str, *, seconds: float, public_only: bool = False) -> Wire:
        """Return a wire to a server; nothing is sent yet. seconds: what a call may take in all.

        public_only: no server of this machine or of a local network is asked.
        """
        await load_client()
        return cls(
            _client(base_url, api_key, seconds, public_only=public_only), api_key=api_key, seconds=seconds
        )

    async def complete(self, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> ModelReply:
        """Send a chat completion request. headers: beside the usual ones. Raises Fault."""
        with self._faults():
            # The SDK's own time-out is for each read, so that a slow trickle would outlast it.
            async with asyncio.timeout(self._seconds):
                # post() gives the text as it is; the typed models would cost as much CPU as the call.
                text = await self._client.post(
                    "/chat/completions", cast_to=str, body=body, options={"headers": dict(headers or {})}
                )
        return self._completion(text)

    async def post(self, path: str, body: Mapping[str, Any]) -> str:
        """Send a request to another path of the server and return the answer as it came. Raises Fault."""
        with self._faults():
            async with asyncio.timeout(self._seconds):
                return str(await self._client.post(path, cast_to=str, body=body))

    async def stream(self, body: Mapping[str, Any]) -> AsyncGenerator[ReplyPiece]:
        """Send a chat completion request and yield the reply as it comes. Raises Fault.

        The time-out is for each piece. Closing the generator ends the request. A reply that breaks off
        before the server has said that it ends is a Fault too; of a piece that cannot be read is only yielded
        that it came. Whoever answers with a whole completion, or an error, is taken at its word.
        """
        reader, unread = StreamReader(), 0
        with self._faults():
            asked = self._client.chat.completions.with_streaming_response.create(**body, stream=True)
            async with asked as answer:
                async for part in answer.iter_bytes():
                    for piece in self._fed(reader, part):
                        unread += isinstance(piece, Unreadable)
                        yield piece
                    if reader.error is not None:
                        break
        for piece in reader.end():
            yield piece
        if reader.error is not None:
            raise self._error_event(reader.error)
        if reader.plain:
            reply = self._completion(reader.body)
            for piece in pieces_of({"message": reply.message, "finish_reason": reply.finish_reason}):
                yield piece
        elif not reader.finished:
            told = f"; {unread} of its pieces cannot be read" if unread else ""
            raise Fault(f"it ended in the middle{told}", kind="broke off")

    def _fed(self, reader: StreamReader, part: bytes) -> Iterator[ReplyPiece]:
        try:
            yield from reader.feed(part)
        except ValueError as error:
            raise Fault(str(error), kind="broke off", passing=False) from None

    def _error_event(self, body: Mapping[str, Any]) -> Fault:
        """Return the fault of an error that comes where a piece of a reply was expected."""
        fault = self._no_completion(body)
        return Fault(fault.message, kind="broken") if fault.status is None else fault

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Turn whatever the client raises into a Fault."""
        import openai  # loaded by open()

        try:
            yield
        except openai.APIStatusError as error:
            raise self._refused(error.status_code, error.response.content, error.response.headers) from None
        except Exception as error:
            if fault := fault_of_transport(error, self._seconds, self._api_key):
                raise fault from None
            if isinstance(error, openai.APIError):
                raise Fault(without_keys(error.message, self._api_key)) from None
            raise

    def _refused(self, status: int, content: bytes, headers: Mapping[str, str]) -> Fault:
        try:
            body = json.loads(content)
        except (ValueError, RecursionError):
            body = content[:200].decode("utf-8", "replace")
        return fault_of_answer(status, body, headers, self._api_key, time.time())

    def _completion(self, text: str) -> ModelReply:
        try:
            body = json.loads(text)
        except (ValueError, RecursionError):
            page = text.lstrip().startswith("<")
            raise Fault(f"the answer is {'a web page' if page else 'no JSON'}", passing=not page) from None
        try:
            choice = body["choices"][0]
            message = choice["message"]
            content, odd = message.get("content"), list[str]()
            finish_reason = text_field(choice.get("finish_reason"), "finish_reason", odd) or None
            return ModelReply(
                text=content if isinstance(content, str) else "",
                model=text_field(body.get("model"), "model", odd),
                finish_reason=finish_reason,
                usage=_usage(body.get("usage"), odd),
                declined=_declined(message, finish_reason),
                log_probabilities=choice.get("logprobs"),
                message=message,
                odd=tuple(odd),
            )
        except (KeyError, IndexError, TypeError, AttributeError):
            raise self._no_completion(body) from None

    def _no_completion(self, body: Any) -> Fault:
        """Return the fault of an answer that says 200 and is no completion; gateways put errors in such."""
        error = body.get("error") if isinstance(body, Mapping) else None
        code = error.get("code") if isinstance(error, Mapping) else None
        if isinstance(code, int) and code >= 400:
            return fault_of_answer(code, body, {}, self._api_key)
        told = error.get("message") if isinstance(error, Mapping) else error
        message = without_keys(str(told), self._api_key)[:500] if told else "the answer is no chat completion"
        # An error of the API's own shape may well be about this request alone.
        return Fault(message, passing=False, kind="refused" if told and isinstance(error, Mapping) else None)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def _client(base_url: str, api_key: str, seconds: float, *, public_only: bool) -> AsyncOpenAI:
    import openai

    headers: dict[str, Any] = {"Authorization": f"Bearer {api_key}"}
    if not base_url.startswith("https://api.openai.com/"):
        # The SDK would send these from the environment to any server.
        headers |= {"OpenAI-Organization": openai.omit, "OpenAI-Project": openai.omit}
    return openai.AsyncOpenAI(
        base_url=base_url,
        api_key=api_key,
        max_retries=0,
        timeout=time_out(openai, seconds),
        default_headers=headers,
        http_client=http_client(openai, base_url, seconds, public_only=public_only),
    )


def _declined(message: Mapping[str, Any], finish_reason: str | None) -> str:
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal:
        return refusal
    return "stopped by a content filter" if finish_reason == "content_filter" else ""


def usage_in(text: str) -> dict[str, int]:
    """Return the tokens that an answer in JSON counts; none where it counts none."""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return _usage(body.get("usage"), []) if isinstance(body, Mapping) else {}


def _usage(usage: Any, odd: list[str]) -> dict[str, int]:
    told = mapping_field(usage, "usage", odd)
    if not told:
        return {}
    details = mapping_field(told.get("prompt_tokens_details"), "prompt_tokens_details", odd)
    counts = {
        "prompt_tokens": told.get("prompt_tokens"),
        "completion_tokens": told.get("completion_tokens"),
        "cached_tokens": details.get("cached_tokens", 0),
    }
    return token_counts(counts, odd)
