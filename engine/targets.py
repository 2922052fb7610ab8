"""Targets: the chatbots that are talked to, any OpenAI-compatible API or an embedded model."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from turnwise.conversations.errors import NotFoundError, SettingError, TurnwiseError
from turnwise.engine.judge.faults import Fault
from turnwise.engine.judge.limits import AdaptiveLimit
from turnwise.engine.judge.retries import with_retries
from turnwise.engine.judge.settings import JudgeSettings
from turnwise.engine.judge.wire import Completion, Wire
from turnwise.engine.target_errors import error_of_case, target_error

LONGEST_REPLY = 1024
"""Tokens of an embedded model's reply: a small one that loses its way writes on until it is stopped."""


if TYPE_CHECKING:
    from turnwise.engine.judge.embedded.server import EmbeddedServer

_CHATBOT = {"J": "C", "j": "c"}


class Target:
    """A chatbot that answers a conversation, piece by piece as it writes. Use it as `async with`.

    settings: where it is and which model; limits and temperature are a judge's and do not count here.
    longest_reply: tokens that an embedded model may write; a server has limits of its own.
    sleep: how to wait between tries of `complete`.
    """

    def __init__(
        self,
        settings: JudgeSettings,
        *,
        longest_reply: int = LONGEST_REPLY,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.settings = settings
        self._sleep = sleep
        # An embedded model answers one at a time.
        self._limit = AdaptiveLimit(1 if settings.model_file else settings.concurrency)
        self._longest_reply = longest_reply
        self._server: EmbeddedServer | None = None
        self._wire: Wire | None = None
        self._place = ("", "")
        self._opening = asyncio.Lock()

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

    async def open(self) -> None:
        """Start the embedded model where it is one, and make the client; nothing when that is done.

        `reply` does it too; a caller opens first to tell of the wait, or of the error, before a word is said.
        Raises JudgeError, NotFoundError and SettingError.
        """
        async with self._opening:
            with _about_chatbots():
                await self._connect()

    async def _connect(self) -> Wire:
        """Return the client; a model whose process died is started anew, and so is at another address."""
        address, key = self.settings.base_url, self.settings.api_key
        if self.settings.model_file is not None:
            server = await self._started(self.settings.model_file)
            address, key = server.base_url, server.api_key
        if self._wire is None or (address, key) != self._place:
            if self._wire is not None:
                await self._wire.close()
            self._wire = await Wire.open(address, key, seconds=self.settings.timeout)
            self._place = (address, key)
        return self._wire

    async def _started(self, path: Path) -> EmbeddedServer:
        from turnwise.engine.judge.embedded.server import DEFAULT_CONTEXT, EmbeddedServer

        if self._server is None:
            context = self.settings.context_tokens or DEFAULT_CONTEXT
            self._server = EmbeddedServer(path, context=context, parallel=1)
        return await self._server.start()

    async def reply(self, messages: Sequence[Mapping[str, str]]) -> AsyncGenerator[str]:
        """Yield the reply to a conversation as it is written.

        messages: role and content each. Closing the iterator stops the writing. Raises JudgeError where the
        chatbot is away, refuses, or breaks off; what came before that has been yielded.
        """
        await self.open()
        assert self._wire is not None  # noqa: S101 - open() has made it
        body: dict[str, Any] = {"model": self.settings.model, "messages": list(messages)}
        if self.settings.model_file is not None:
            # What was said before is read once, not again for every reply.
            body |= {"max_tokens": self._longest_reply, "extra_body": {"cache_prompt": True}}
            # llama.cpp ends the connection after a stream unasked; the next reply would run into it.
            body["extra_headers"] = {"Connection": "close"}
        try:
            async with aclosing(self._wire.stream(body)) as pieces:
                async for piece in pieces:
                    yield piece
        except Fault as fault:
            raise target_error(fault, self.title) from None

    async def complete(
        self,
        messages: Sequence[Mapping[str, Any]],
        options: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Completion:
        """Return the whole reply to a conversation, tried again while there is hope.

        options: what the Chat Completions API takes beside model and messages. Raises JudgeUnavailableError
        where the chatbot is away, JudgeRefusedError where it does not answer this.
        """
        body: dict[str, Any] = {"model": self.settings.model, "messages": list(messages)}
        if self.settings.model_file is not None:
            body |= {"max_tokens": self._longest_reply, "cache_prompt": True}
        body |= options or {}

        async def attempt() -> Completion:
            # An embedded model whose process ended in between is started anew.
            await self.open()
            assert self._wire is not None  # noqa: S101 - open() has made it
            return await self._wire.complete(body, headers)

        try:
            return await with_retries(attempt, self._limit, sleep=self._sleep)
        except Fault as fault:
            raise error_of_case(fault, self.title) from None

    async def close(self) -> None:
        """End the connection and the embedded model."""
        wire, self._wire = self._wire, None
        server, self._server = self._server, None
        try:
            if wire is not None:
                await wire.close()
        finally:
            if server is not None:
                await server.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def target_title(settings: JudgeSettings) -> str:
    """Return a target's name for people: where it is and which model."""
    place = "embedded" if settings.model_file else settings.address
    return f"{place} {settings.model}"


async def choose_target(spec: str | None, *, environment: Mapping[str, str] | None = None) -> JudgeSettings:
    """Return the target that is meant: a URL, openai:MODEL, a model's name, embedded[:NAME] or FILE.gguf.

    Without a spec: what the environment names, else an installed model; any will do to talk to, also one that
    cannot judge. Raises SettingError where that is nothing, and what `choose_judge` raises.
    """
    from turnwise.engine.judge.choose import choose_judge

    variables = os.environ if environment is None else environment
    settings: JudgeSettings | None = None
    try:
        with _about_chatbots():
            settings = await choose_judge(spec, environment=environment)
    except (NotFoundError, SettingError):
        if spec != "embedded" or (settings := _any_installed()) is None:
            raise
    if (
        settings is None
        and not spec
        and not (variables.get("OPENAI_BASE_URL") or variables.get("OPENAI_API_KEY"))
    ):
        settings = _any_installed()
    if settings is None:
        raise SettingError(
            "There is no chatbot to talk to",
            next_step="Name one: --target http://127.0.0.1:11434/v1, openai:MODEL or embedded "
            "(`turnwise judge pull qwen2.5-coder-1.5b` brings a model).",
        )
    return settings


def _any_installed() -> JudgeSettings | None:
    from turnwise.engine.judge.choose import embedded_judge
    from turnwise.engine.judge.embedded.folder import installed

    models = installed()
    return embedded_judge(str(models[0].path)) if models else None


async def find_targets(environment: Mapping[str, str] | None = None) -> list[JudgeSettings]:
    """Return the targets at hand: what the environment names, local servers that answer, pulled models.

    Takes no longer than servers take to answer. One that the environment names and that does not answer is
    left out.
    """
    from turnwise.engine.judge.choose import embedded_judge, local_judges
    from turnwise.engine.judge.embedded.folder import installed

    variables = os.environ if environment is None else environment
    named, local = await asyncio.gather(_named(variables), local_judges())
    embedded = [embedded_judge(str(model.path)) for model in installed()]
    found: dict[tuple[str, str], JudgeSettings] = {}
    for settings in (*named, *local, *embedded):
        if settings is not None:
            found.setdefault((settings.base_url, settings.model), settings)
    return list(found.values())


async def _named(environment: Mapping[str, str]) -> list[JudgeSettings]:
    if not (environment.get("OPENAI_BASE_URL") or environment.get("OPENAI_API_KEY")):
        return []
    try:
        return [await choose_target(None, environment=environment)]
    except TurnwiseError:
        return []


@contextmanager
def _about_chatbots() -> Iterator[None]:
    """Let errors speak of the chatbot: a target is found and reached as a judge is, by the same code."""
    try:
        yield
    except TurnwiseError as error:
        error.title, error.detail = _reworded(error.title), _reworded(error.detail)
        error.next_step = _reworded(error.next_step)
        raise


def _reworded(text: str) -> str:
    # `turnwise judge pull` is what the command is called, whatever the model is for.
    return re.sub(r"(?<!turnwise )\b([Jj])udge\b", lambda match: f"{_CHATBOT[match[1]]}hatbot", text)
