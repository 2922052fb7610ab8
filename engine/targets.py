"""Targets: the chatbots that are talked to, any OpenAI-compatible API or a model in this process."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from types import TracebackType
from typing import Any, Self

from turnwise.conversations.errors import SettingError
from turnwise.engine.judge.faults import Fault, judge_error
from turnwise.engine.judge.settings import JudgeSettings
from turnwise.engine.judge.wire import Wire

_LONGEST_REPLY = 1024


class Target:
    """A chatbot that answers a conversation, piece by piece as it writes. Use it as `async with`."""

    def __init__(self, settings: JudgeSettings) -> None:
        self.settings = settings
        self._wire: Wire | None = None
        self._resources = AsyncExitStack()

    @property
    def title(self) -> str:
        """The target's name for people: where it is and which model."""
        place = "embedded" if self.settings.model_file else self.settings.address
        return f"{place} {self.settings.model}"

    async def open(self) -> Wire:
        """Start the embedded model where it is one, and make the client. Raises JudgeError, SettingError."""
        if self._wire is not None:
            return self._wire
        base_url, key = self.settings.base_url, self.settings.api_key
        if self.settings.model_file is not None:
            from turnwise.engine.judge.embedded.server import EmbeddedServer

            server = EmbeddedServer(self.settings.model_file, parallel=1)
            await server.start()
            self._resources.callback(server.close)
            base_url, key = server.base_url, server.api_key
        self._wire = await Wire.open(base_url, key, seconds=self.settings.timeout)
        self._resources.push_async_callback(self._wire.close)
        return self._wire

    async def reply(self, messages: Sequence[Mapping[str, str]]) -> AsyncGenerator[str]:
        """Yield the reply to a conversation as it is written.

        messages: role and content each. Closing the iterator stops the writing. Raises JudgeError where the
        chatbot is away or refuses.
        """
        wire = await self.open()
        body: dict[str, Any] = {"model": self.settings.model, "messages": list(messages)}
        if self.settings.model_file is not None:
            body["max_tokens"] = _LONGEST_REPLY
        try:
            async with aclosing(wire.stream(body)) as pieces:
                async for piece in pieces:
                    yield piece
        except Fault as fault:
            raise judge_error(fault, self.settings) from None

    async def close(self) -> None:
        """End the connection and the embedded model."""
        self._wire = None
        await self._resources.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


async def choose_target(spec: str | None) -> JudgeSettings:
    """Return the target that is meant: a URL, openai:MODEL, a model's name, embedded[:NAME] or FILE.gguf.

    Without a spec: what the environment names, else the embedded model. Raises SettingError where that is
    nothing, and what `choose_judge` raises.
    """
    from turnwise.engine.judge.choose import choose_judge

    settings = await choose_judge(spec)
    if settings is None:
        raise SettingError(
            "There is no chatbot to talk to",
            next_step="Name one: --target http://127.0.0.1:11434/v1, openai:MODEL or embedded "
            "(`turnwise judge pull qwen2.5-coder-1.5b` brings a model).",
        )
    return settings
