"""The provider `embedded`: a model file that turnwise runs itself, in a process of its own."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import NotFoundError
from turnwise.engine.models.embedded.catalogue import DEFAULT_MODEL, KNOWN_MODELS
from turnwise.engine.models.embedded.folder import installed, model_path, models_folder
from turnwise.engine.models.faults import Fault
from turnwise.engine.models.openai_compatible import OpenAICompatible
from turnwise.engine.models.provider import Choosing, Means, ModelReply, ModelRequest, RunningServer
from turnwise.engine.models.settings import ModelSettings
from turnwise.engine.models.streams import ReplyPiece

# A model on this machine may take minutes over a long conversation, and its queue counts as waiting.
_TIMEOUT = 600.0
# A small model that loses its way writes on until it is stopped.
_MAX_TOKENS = 512


async def choose(name: str, choosing: Choosing) -> ModelSettings:
    """Return a model by its name or path; without one the best that is installed. Raises NotFoundError."""
    try:
        # Where none is installed, naming the default one brings the error that says how to fetch it.
        found = embedded_model(name or None) or embedded_model(DEFAULT_MODEL)
    except NotFoundError:
        found = None if choosing.reachable else _not_here(name or DEFAULT_MODEL)
        if found is None:
            raise
    assert found is not None  # noqa: S101 - a name gives a model or an error
    return replace(found, noun=choosing.noun)


def spec(settings: ModelSettings) -> str | None:
    """Return embedded:NAME for a model of the models folder, and its path for any other file."""
    assert settings.model_file is not None  # noqa: S101
    here = any((model.name, model.path) == (settings.model, settings.model_file) for model in installed())
    return f"embedded:{settings.model}" if here else str(settings.model_file.absolute())


def open_provider(settings: ModelSettings, means: Means) -> EmbeddedModel:
    """Return what asks the model; it is loaded by the first call."""
    return EmbeddedModel(settings, means)


def embedded_model(name_or_path: str | None = None) -> ModelSettings | None:
    """Return a model that turnwise runs itself: by name, by path, or the best of those that are installed.

    None where no name is given and none is installed that can judge. Raises NotFoundError.
    """
    if name_or_path is None:
        usable = [model for model in installed() if model.known is not None and model.known.can_judge]
        if not usable:
            return None
        path = usable[0].path
    else:
        path = model_path(name_or_path)
    return _settings(path, path.stat().st_size)


def _not_here(name: str) -> ModelSettings | None:
    """Return a known model that is not installed; what it answered earlier may be kept all the same."""
    known = next((model for model in KNOWN_MODELS if model.name == name), None)
    return _settings(models_folder() / known.file_name, known.size_bytes) if known else None


def _settings(path: Path, size: int) -> ModelSettings:
    from turnwise.engine.models.embedded.server import DEFAULT_CONTEXT, DEFAULT_PARALLEL

    known = next((model for model in KNOWN_MODELS if model.file_name == path.name), None)
    name = known.name if known and known.size_bytes == size else path.stem
    return ModelSettings(
        provider="embedded",
        base_url="",
        model=name,
        model_file=path,
        identity=f"embedded:{name}:{size}",
        concurrency=DEFAULT_PARALLEL,
        context_tokens=known.context_size if known else DEFAULT_CONTEXT,
        items_per_question=1,
        max_tokens=_MAX_TOKENS,
        # Rules and examples stand first in every question, and are then read once, not every time: five
        # times as fast. The kept part can shift a probability a little; kept replies make replay exact.
        extra_body={"cache_prompt": True},
        timeout=_TIMEOUT,
    )


class EmbeddedModel:
    """A model in a process of turnwise's own, asked as an OpenAI-compatible server; see Provider."""

    def __init__(self, settings: ModelSettings, means: Means) -> None:
        self._settings = settings
        self._servers = means.servers
        self._asked = OpenAICompatible(settings, self._reach)
        self._uses = AsyncExitStack()
        self._server: RunningServer | None = None

    async def _reach(self) -> tuple[str, str]:
        if self._server is None:
            from turnwise.engine.models.embedded.server import DEFAULT_CONTEXT, SharedServers

            assert self._settings.model_file is not None  # noqa: S101
            self._server = await self._uses.enter_async_context(
                (self._servers or SharedServers()).use(
                    self._settings.model_file,
                    context=self._settings.context_tokens or DEFAULT_CONTEXT,
                    parallel=self._settings.concurrency,
                )
            )
        return self._server.base_url, self._server.api_key

    async def load(self) -> None:
        """Import what makes the client; the model is loaded only where it is asked."""
        await self._asked.load()

    async def open(self) -> None:
        """Load the model, also where its process has ended meanwhile."""
        if self._server is not None:
            await self._server.start()
        await self._asked.open()

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Return the reply to a request; a model whose process has ended is loaded for the next try."""
        try:
            return await self._asked.complete(_repeatable(request))
        except Fault as fault:
            if fault.status is None and not fault.timed_out and self._server is not None:
                await self._server.start()
            raise

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ReplyPiece]:
        """Yield the text of a reply as it comes."""
        # llama.cpp ends the connection after a stream unasked; the next reply would run into it.
        closing = replace(_repeatable(request), headers={**request.headers, "Connection": "close"})
        async with aclosing(self._asked.stream(closing)) as pieces:
            async for piece in pieces:
                yield piece

    async def look_up(self, path: str, body: Mapping[str, Any]) -> str:
        """Return what a path below the server's address answers, as it came."""
        return await self._asked.look_up(path, body)

    async def leave(self) -> None:
        """Close the connections of the running event loop; the model stays loaded."""
        await self._asked.leave()

    async def close(self) -> None:
        """Close the connections of the running event loop and stop the model."""
        await self._asked.close()
        self._server = None
        await self._uses.aclose()


def _repeatable(request: ModelRequest) -> ModelRequest:
    """Return a request whose reply its seed alone decides."""
    if request.seed is None:
        return request
    # What the server still holds depends on who asked before; a kept part shifts a probability a little.
    return replace(request, options={**request.options, "cache_prompt": False})
