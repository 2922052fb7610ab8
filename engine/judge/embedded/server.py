"""A model run in this process, behind an OpenAI-compatible address on loopback.

llama.cpp brings its own HTTP server and its own threads; requests never wait for Python and Python
never waits for them. Only loading and closing hold the interpreter, about a second for 1 GB.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from turnwise.conversations.errors import JudgeUnavailableError, NotFoundError, SettingError

DEFAULT_CONTEXT = 8192
DEFAULT_PARALLEL = 2

_MAGIC = b"GGUF"
_CHUNK_BYTES = 8 << 20


class EmbeddedServer:
    """One GGUF model, served to this machine's programs that know its key.

    path: the model's file.
    model: the name that requests give.
    context: tokens of one request, prompt and reply together; every parallel request has as many.
    parallel: requests answered at once; more of them wait their turn. It bounds `n` of a request too.
    threads: CPU threads, 0 for all there are.
    base_url: the address for an OpenAI client, ending in /v1; empty while not running.
    api_key: a new random key for each server.

    At temperature 0 a request gets the same answer every time, so no prompt is kept between requests.
    """

    def __init__(
        self,
        path: Path,
        *,
        model: str = "embedded",
        context: int = DEFAULT_CONTEXT,
        parallel: int = DEFAULT_PARALLEL,
        threads: int = 0,
    ) -> None:
        if context < 1 or parallel < 1 or threads < 0:
            raise SettingError(
                "An embedded model cannot run with these settings",
                detail=f"context={context}, parallel={parallel}, threads={threads}",
                next_step="Give a context and a parallel of at least 1, and threads of 0 (all) or more.",
            )
        self.path = path
        self.model = model
        self.context = context
        self.parallel = parallel
        self.threads = threads or _processor_count()
        self.api_key = secrets.token_urlsafe(24)
        self.base_url = ""
        self._server: Any = None

    async def start(self) -> Self:
        """Load the model and begin to answer; does nothing when running.

        Raises SettingError where the `embedded` extra is not installed or the file is no model,
        NotFoundError where there is no file, JudgeUnavailableError where loading fails.
        """
        if self._server is not None:
            return self
        loading = asyncio.ensure_future(asyncio.to_thread(self._load))
        try:
            await asyncio.shield(loading)
        except asyncio.CancelledError:
            # A load cannot be stopped half-way; what it made must not be left behind.
            await asyncio.wait({loading})
            if not loading.exception():
                self.close()
            raise
        return self

    def close(self) -> None:
        """Stop answering and give the memory back; does nothing when not running."""
        # llama.cpp's server ends when its last reference goes.
        self._server = None
        self.base_url = ""

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _load(self) -> None:
        # xllamacpp maps 100 MB of native code.
        try:
            import xllamacpp
        except ImportError as error:
            raise SettingError(
                "The embedded model needs an extra that is not installed",
                detail=str(error),
                next_step="Install it with: pip install 'turnwise[embedded]'",
            ) from error
        _check_and_warm(self.path)
        parameters = self._parameters(xllamacpp.CommonParams())
        try:
            server = xllamacpp.Server(parameters)
        except RuntimeError as error:
            raise JudgeUnavailableError(
                f"The model {self.path.name} could not be loaded",
                detail=f"{self.path}\n{error}",
                next_step="The file may be damaged, of a kind llama.cpp does not know, or too large for the "
                "memory. Remove it and pull it again, or try another one.",
            ) from error
        self._server = server
        self.base_url = f"{server.listening_address}/v1"

    def _parameters(self, parameters: Any) -> Any:
        parameters.model.path = str(self.path)
        parameters.model_alias = {self.model}
        parameters.hostnames = ["127.0.0.1"]
        parameters.port = 0
        parameters.api_keys = [self.api_key]
        # Nothing but the API: no web page, no view of what other requests are asking.
        parameters.ui = False
        parameters.endpoint_slots = False
        parameters.use_jinja = True
        # A kept prompt changes how the rest is batched, and with it the last bits of a probability.
        parameters.cache_prompt = False
        parameters.cache_ram_mib = 0
        parameters.n_parallel = self.parallel
        parameters.n_ctx = self.context * self.parallel
        parameters.cpuparams.n_threads = self.threads
        parameters.cpuparams_batch.n_threads = self.threads
        # The first request warms the model up as well, and does not hold the interpreter meanwhile.
        parameters.warmup = False
        # A single line on stdout or stderr would tear the screen of the app.
        parameters.verbosity = -1
        return parameters


class SharedServers:
    """The running models of one owner: the same file with the same settings is loaded once.

    A server runs while somebody uses it, and is closed when the last one leaves.
    """

    def __init__(self) -> None:
        self._entries: dict[tuple[Path, int, int], _Entry] = {}

    @asynccontextmanager
    async def use(
        self, path: Path, *, context: int = DEFAULT_CONTEXT, parallel: int = DEFAULT_PARALLEL
    ) -> AsyncIterator[EmbeddedServer]:
        """Give the running server for this file, started for the first who asks.

        Raises what EmbeddedServer.start raises; a failed start is tried anew by the next who asks.
        """
        key = (path.absolute(), context, parallel)
        entry = self._entries.get(key)
        if entry is None:
            entry = self._entries[key] = _Entry(
                EmbeddedServer(path, context=context, parallel=parallel), asyncio.Lock()
            )
        entry.users += 1
        try:
            async with entry.starting:
                await entry.server.start()
            yield entry.server
        finally:
            entry.users -= 1
            if not entry.users:
                del self._entries[key]
                entry.server.close()


@dataclass(slots=True)
class _Entry:
    server: EmbeddedServer
    starting: asyncio.Lock
    users: int = 0


def _processor_count() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _check_and_warm(path: Path) -> None:
    """Check that the file is a GGUF and read it through once.

    Reading lets other Python threads run, loading does not: with the file in the system's cache the
    load takes about a second even from a slow disk.
    """
    try:
        with path.open("rb") as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                raise SettingError(
                    f"{path.name} is not a GGUF model",
                    detail=f"{path} does not begin with the letters GGUF.",
                    next_step="Give the path of a .gguf file, or fetch one with: turnwise judge pull NAME",
                )
            buffer = bytearray(_CHUNK_BYTES)
            while file.readinto(buffer):
                pass
    except OSError as error:
        raise NotFoundError(
            f"The model file {path} cannot be read",
            detail=str(error),
            next_step="Check the path, or fetch a model with: turnwise judge pull NAME",
        ) from error
