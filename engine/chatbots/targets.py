"""Targets: language models as chatbots that are talked to, and the errors of one that does not answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from types import MappingProxyType, TracebackType
from typing import Any, Self

from turnwise.conversations.errors import (
    JudgeError,
    JudgeRefusedError,
    JudgeUnavailableError,
)
from turnwise.engine.models.address_secrets import secrets_of, without_secrets
from turnwise.engine.models.faults import Fault, FaultKind, fault_title, kind_of
from turnwise.engine.models.limits import AdaptiveLimit, RetryLimits, with_retries
from turnwise.engine.models.provider import ModelReply, ModelRequest
from turnwise.engine.models.providers import open_provider
from turnwise.engine.models.settings import ModelSettings
from turnwise.engine.models.streams import ReplyPiece
from turnwise.engine.models.timing import timing

LONGEST_REPLY = 1024
"""Tokens of an embedded model's reply: a small one that loses its way writes on until it is stopped."""


class Target:
    """A chatbot that answers a conversation, piece by piece as it writes. Use it as `async with`.

    settings: where it is, which model, and how long it is waited for; a judge's temperature does not count.
    longest_reply: tokens that an embedded model may write; a server has limits of its own. temperature: from
    0; None leaves it to the model's server.
    sleep: how to wait between tries of `complete`.
    """

    def __init__(
        self,
        settings: ModelSettings,
        *,
        longest_reply: int = LONGEST_REPLY,
        temperature: float | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.settings = settings
        self._sleep = sleep
        if settings.model_file is not None:
            # An embedded model answers one at a time.
            settings = replace(settings, concurrency=1)
        self._limit = AdaptiveLimit(settings.concurrency)
        self._patience = RetryLimits(settings.tries, settings.longest_wait)
        self._longest_reply = longest_reply
        self._temperature = temperature
        self._provider = open_provider(settings)

    @property
    def title(self) -> str:
        """The target's name for people: where it is and which model."""
        return target_title(self.settings)

    @property
    def name(self) -> str:
        """A shorter name: the model's."""
        return self.settings.model

    @property
    def loads(self) -> bool:
        """Whether it takes a while to open, as an embedded model does."""
        return self.settings.model_file is not None

    @property
    def waiting(self) -> str:
        """What is waited for, where that is worth a word; see `Waits.words`."""
        return self._limit.waits.words("chatbot")

    async def open(self) -> None:
        """Start the embedded model where it is one, and make the client; nothing when that is done.

        `reply` does it too; a caller opens first to tell of the wait, or of the error, before a word is said.
        Raises JudgeError, NotFoundError and SettingError.
        """
        await self._provider.open()

    async def reply(self, messages: Sequence[Mapping[str, str]]) -> AsyncGenerator[ReplyPiece]:
        """Yield the reply to a conversation as it is written: text, tool calls, and what is wrong with it.

        messages: role and content each. Closing the iterator stops the writing. A chatbot that has no time
        yet is asked again. Raises JudgeError where it is away, refuses, or breaks off; what came before that
        has been yielded.
        """
        await self.open()
        try:
            first, rest = await self._begun(self._request(messages))
            async with aclosing(rest) as pieces:
                if first is not None:
                    yield first
                async for piece in pieces:
                    yield piece
        except Fault as fault:
            raise target_error(fault, self.title, secrets_of(self.settings.base_url)) from None

    async def _begun(self, request: ModelRequest) -> tuple[ReplyPiece | None, AsyncGenerator[ReplyPiece]]:
        """Return the first piece of a reply, and what gives the others."""
        hopeless: list[Fault] = []

        async def attempt() -> tuple[ReplyPiece | None, AsyncGenerator[ReplyPiece]]:
            pieces = self._provider.stream(request)
            try:
                return await anext(pieces, None), pieces
            except Fault as fault:
                if fault.status in _BUSY:
                    raise
                # Whoever sits before it had better know at once, and can ask again.
                hopeless.append(fault)
                return None, pieces
            except BaseException:
                await pieces.aclose()
                raise

        found = await with_retries(attempt, self._limit, patience=self._patience, sleep=self._sleep)
        if hopeless:
            raise hopeless[0]
        return found

    async def complete(
        self,
        messages: Sequence[Mapping[str, Any]],
        options: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> ModelReply:
        """Return the whole reply to a conversation, tried again while there is hope.

        options: what the Chat Completions API takes beside model and messages. Raises JudgeUnavailableError
        where the chatbot is away, JudgeRefusedError where it does not answer this.
        """
        request = self._request(messages, options or {}, headers or {})

        async def attempt() -> ModelReply:
            # An embedded model whose process ended in between is started anew.
            await self.open()
            with timing(truly=True) as taken:
                reply = await self._provider.complete(request)
                # Not every provider measures it.
                return replace(reply, seconds=reply.seconds or taken.seconds)

        try:
            return await with_retries(attempt, self._limit, patience=self._patience, sleep=self._sleep)
        except Fault as fault:
            raise error_of_case(fault, self.title, secrets_of(self.settings.base_url)) from None

    def _request(
        self,
        messages: Sequence[Mapping[str, Any]],
        options: Mapping[str, Any] = MappingProxyType({}),
        headers: Mapping[str, str] = MappingProxyType({}),
    ) -> ModelRequest:
        if self.settings.model_file is None:
            return ModelRequest(
                messages=messages,
                options=options,
                headers=headers,
                seed=self.settings.seed,
                temperature=self._temperature,
            )
        # What was said before is read once, not again for every reply.
        kept = {"cache_prompt": True, **options}
        return ModelRequest(
            messages=messages,
            options=kept,
            headers=headers,
            seed=self.settings.seed,
            temperature=self._temperature,
            max_tokens=self._longest_reply,
        )

    async def close(self) -> None:
        """End the connection and the embedded model."""
        await self._provider.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def target_title(settings: ModelSettings) -> str:
    """Return a target's name for people: where it is and which model."""
    place = "embedded" if settings.model_file else settings.address
    return f"{place} {settings.model}"


_BUSY = (429, 503, 529)
"""The statuses of a server that asks to come back later."""
_OWN_FAULTS = (500, 501)
"""The statuses of a server that fails on one request and may well answer the next."""


_NEXT_STEPS: Mapping[FaultKind, str] = {
    "no credit": "Add credit, or talk to another chatbot.",
    "bad key": "Check OPENAI_API_KEY, and that it may use this model.",
    "unknown model": "Check the model's name and the address; it often ends in /v1.",
    "too long": "Begin a new conversation, or talk to one with a longer context.",
    "no such program": "Check the address; it often ends in /v1.",
    "elsewhere": "If you trust that address, talk to it by its own name.",
    "too large": "Ask for something shorter, or look at its server.",
    "filtered": "Say it otherwise, or talk to another chatbot.",
    "refused": "Check the model and its settings.",
    "asks to wait": "Try again later, or wait longer for it (--longest-wait).",
    "not kept": "Name a chatbot that can be reached.",
    "timed out": "Ask again, look at its server, or give it more time (--timeout).",
    "away": "Check that the server runs and that the address is right.",
    "overloaded": "Wait a little, then ask again.",
    "broken": "Ask again, or look at its server.",
    "broke off": "Ask again, or look at its server.",
}


def target_error(fault: Fault, title: str, secrets: tuple[str, ...] = ()) -> JudgeError:
    """Return the error of a call that brought no reply.

    title: the chatbot's name for people. secrets: of the request, which words may not repeat.
    """
    kind = kind_of(fault)
    message = without_secrets(fault.message, secrets)
    told = f"HTTP {fault.status}: {message}" if fault.status else message
    error = JudgeUnavailableError if fault.passing else JudgeRefusedError
    return error(
        fault_title(kind, "chatbot"),
        detail=f"{title}\n{told}",
        next_step=fault.next_step or _NEXT_STEPS[kind],
    )


def error_of_case(fault: Fault, title: str, secrets: tuple[str, ...] = ()) -> JudgeError:
    """Return the error as it counts for one case of many: a fault over one says nothing of the rest."""
    error = target_error(fault, title, secrets)
    if fault.status in _OWN_FAULTS:
        return JudgeRefusedError(error.title, detail=error.detail, next_step=error.next_step)
    return error
