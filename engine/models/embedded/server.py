"""A model run in a process of its own, behind an OpenAI-compatible address on loopback.

In this process it could not be: llama.cpp holds Python's interpreter while it loads, so that the screen
stands still for seconds, and its end during a request hangs or crashes the program. A child's end is clean
whatever it is doing, and its memory comes back.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Self
from weakref import WeakKeyDictionary

from turnwise.conversations.errors import JudgeUnavailableError, NotFoundError, SettingError, TurnwiseError
from turnwise.engine.models.embedded.child import ModelOrder
from turnwise.engine.models.embedded.process import ModelProcess

DEFAULT_CONTEXT = 8192
DEFAULT_PARALLEL = 1
START_SECONDS = 180.0
"""How long a model may take to load, in seconds; from a slow disk a large one takes minutes."""

_Key = tuple[str, int, int, int]
_MAGIC = b"GGUF"
_PATIENCE_SECONDS = 5.0
_BUSY = "Try again when the machine is less busy, or use a smaller model."
_ADVICE = {
    "SIGKILL": "The memory was probably too small for it. Close other programs, or use a smaller model.",
    "SIGILL": "This machine's processor is too old for the installed xllamacpp. Use a local server instead, "
    "such as Ollama.",
}


class EmbeddedServer:
    """One GGUF model, served to this machine's programs that know its key. Use it from any event loop.

    path: the model's file.
    model: the name that requests give.
    context: tokens of one request, prompt and reply together; every parallel request has as many.
    parallel: requests answered at once; more of them wait their turn. It bounds `n` of a request too.
    threads: CPU threads, 0 for all there are.
    base_url: the address for an OpenAI client, ending in /v1; empty while not running.
    api_key: a new random key for each start.

    At temperature 0 a request gets the same answer every time: no prompt is kept between requests, unless
    a request asks for it with `cache_prompt`.
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
        self.api_key = ""
        self.base_url = ""
        self._process: ModelProcess | None = None
        # A lock belongs to one event loop, and a library's caller may run one after the other.
        self._starting: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Lock] = WeakKeyDictionary()

    async def start(self) -> Self:
        """Load the model and begin to answer; does nothing when running.

        A model whose process died is loaded anew, at a new address and with a new key. Raises SettingError
        where the `embedded` extra is not installed or the file is no model, NotFoundError where there is no
        file, JudgeUnavailableError where loading fails, the process dies in it, or it takes more than
        START_SECONDS.
        """
        async with self._starting.setdefault(asyncio.get_running_loop(), asyncio.Lock()):
            if not await self._answers():
                await self.close()
                await asyncio.to_thread(_check, self.path)
                await self._launch()
        return self

    async def close(self) -> None:
        """Stop answering and give the memory back; does nothing when not running.

        Requests under way lose their connection. Takes no more than about two seconds.
        """
        process, self._process = self._process, None
        loading, self.base_url = not self.base_url, ""
        if process is not None:
            if loading:  # it would not hear that it is told to end
                process.kill()
            # Told before anything is waited for: whoever is cancelled here leaves no model behind.
            process.let_go()
            await asyncio.shield(asyncio.to_thread(process.end))

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _answers(self) -> bool:
        if self._process is None or not self._process.is_running():
            return False
        return await asyncio.to_thread(_is_reached, self.base_url)

    async def _launch(self) -> None:
        self.api_key = secrets.token_urlsafe(24)
        try:
            process = self._process = ModelProcess(self._order())
        except OSError as error:
            raise self._unloaded("no process could be started for it", str(error), _BUSY) from error
        try:
            answering = asyncio.ensure_future(asyncio.to_thread(process.wait_for_answer))
            await asyncio.wait({answering}, timeout=START_SECONDS)
            if not answering.done():
                raise self._unloaded(f"it took more than {START_SECONDS:g} s", process.last_words(), _BUSY)
            answer = answering.result()
            if self._process is not process:
                raise self._unloaded("it was closed meanwhile", "", "Start it again.")
            if answer is None:
                raise self._died(await asyncio.to_thread(process.death), process.last_words())
            if "error" in answer:
                raise self._refused(answer, process.last_words())
        except BaseException:
            await self.close()
            raise
        self.base_url = f"{answer['address']}/v1"

    def _order(self) -> ModelOrder:
        return ModelOrder(
            path=str(self.path.absolute()),
            model=self.model,
            context=self.context,
            parallel=self.parallel,
            threads=self.threads,
            api_key=self.api_key,
        )

    def _refused(self, answer: dict[str, str], said: str) -> TurnwiseError:
        if answer["error"] == "extra":
            return _missing_extra(answer["detail"])
        return self._unloaded("", said or answer["detail"])

    def _died(self, death: str, said: str) -> JudgeUnavailableError:
        return self._unloaded(f"its process ended with {death}", said, _ADVICE.get(death, ""))

    def _unloaded(self, reason: str, said: str, advice: str = "") -> JudgeUnavailableError:
        return JudgeUnavailableError(
            f"The model {self.path.name} could not be loaded{reason and ': '}{reason}",
            detail="\n".join(part for part in (str(self.path), said) if part),
            next_step=advice
            or "The file may be damaged, of a kind llama.cpp does not know, or too large for the memory. "
            "Remove it and pull it again, or try another one.",
        )


class SharedServers:
    """The running models of one owner: the same file with the same settings is loaded once.

    A server runs while somebody uses it, and is closed when the last one leaves.
    """

    def __init__(self) -> None:
        self._entries: dict[_Key, _Entry] = {}

    def use(
        self,
        path: Path,
        *,
        context: int = DEFAULT_CONTEXT,
        parallel: int = DEFAULT_PARALLEL,
        threads: int = 0,
    ) -> AbstractAsyncContextManager[EmbeddedServer]:
        """Give the running server for this file, started for the first who asks.

        It may be entered in one event loop and left in another. Entering raises what EmbeddedServer.start
        raises; a failed start is tried anew by the next who asks.
        """
        return _Use(self._entries, EmbeddedServer(path, context=context, parallel=parallel, threads=threads))


@dataclass(slots=True)
class _Entry:
    server: EmbeddedServer
    users: int = 0


class _Use(AbstractAsyncContextManager[EmbeddedServer]):
    """One use of a shared server. No generator: an event loop closes those that are open when it ends."""

    def __init__(self, entries: dict[_Key, _Entry], wanted: EmbeddedServer) -> None:
        self._entries = entries
        self._wanted = wanted
        self._key = (str(wanted.path), wanted.context, wanted.parallel, wanted.threads)

    async def __aenter__(self) -> EmbeddedServer:
        entry = self._entries.setdefault(self._key, _Entry(self._wanted))
        entry.users += 1
        try:
            return await entry.server.start()
        except BaseException:
            await self._leave()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._leave()

    async def _leave(self) -> None:
        entry = self._entries[self._key]
        entry.users -= 1
        if not entry.users:
            del self._entries[self._key]
            await entry.server.close()


def _processor_count() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _missing_extra(detail: str) -> SettingError:
    return SettingError(
        "The embedded model needs an extra that is not installed",
        detail=detail,
        next_step="Install it with: pip install 'turnwise[embedded]'",
    )


def _is_reached(base_url: str) -> bool:
    """Whether a server is there, be it too busy to answer soon."""
    # http.client rather than a client that would send loopback through the user's proxy.
    from http.client import HTTPConnection, HTTPException
    from urllib.parse import urlsplit

    connection = HTTPConnection(urlsplit(base_url).netloc, timeout=_PATIENCE_SECONDS)
    try:
        connection.request("GET", "/health")
        connection.getresponse()
    except TimeoutError:
        return True
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
    return True


def _check(path: Path) -> None:
    """Check what can be told without a process: the extra is there, the file is, and it is a GGUF."""
    # Only looked for: to import it would map 100 MB of native code into this process.
    if find_spec("xllamacpp") is None:
        raise _missing_extra("There is no module xllamacpp.")
    try:
        with path.open("rb") as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                raise SettingError(
                    f"{path.name} is not a GGUF model",
                    detail=f"{path} does not begin with the letters GGUF.",
                    next_step="Give the path of a .gguf file, or fetch one with: turnwise judge pull NAME",
                )
    except OSError as error:
        raise NotFoundError(
            f"The model file {path} cannot be read",
            detail=str(error),
            next_step="Check the path, or fetch a model with: turnwise judge pull NAME",
        ) from error
