"""Provider: what judges and chatbots need of a language model's API, whichever API it is.

A module of a provider has three functions, which `providers.py` finds by the provider's name:

    async def choose(name: str, choosing: Choosing) -> ModelSettings    what stands after "NAME:" in --judge
    def spec(settings: ModelSettings) -> str | None                     the way back, to be kept in settings
    def open_provider(settings: ModelSettings, means: Means) -> Provider
"""

from __future__ import annotations

import asyncio
import json
import weakref
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from turnwise.conversations.errors import SettingError
from turnwise.engine.models.settings import ModelSettings, Noun
from turnwise.engine.models.streams import ReplyPiece

T = TypeVar("T")
NO_KEY = "none"
"""The key that is sent to a server that asks for none."""

Confirm = Callable[[ModelSettings], Awaitable[bool]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """What is asked of a model in one call.

    messages: chat messages, each with `role` (system, user or assistant) and `content`: a text, or parts as
    {"type": "text", "text": ...} and {"type": "image_url", "image_url": {"url": ...}}.
    shared: the text that the last message begins with, where other requests begin with it too: a provider
    may keep it in its prompt cache. addendum: stands after the last message; it is not worth keeping.
    schema: JSON schema that the reply is to satisfy; None for any text. schema_name: what it is called.
    token_probabilities: whether the probabilities of tokens are wanted, where the provider gives any.
    temperature, seed, max_tokens: None leaves them to the provider.
    options: what the Chat Completions API takes besides. headers: beside the usual ones.
    """

    messages: Sequence[Mapping[str, Any]]
    shared: str = ""
    addendum: str = ""
    schema: Mapping[str, Any] | None = None
    schema_name: str = "reply"
    token_probabilities: bool = False
    temperature: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    def messages_with(self, *addenda: str) -> list[dict[str, Any]]:
        """Return the messages with texts after the last of them, before the request's own addendum."""
        added = "\n\n".join(text for text in (*addenda, self.addendum) if text)
        messages = [dict(message) for message in self.messages]
        if added:
            content = messages[-1]["content"]
            if isinstance(content, str):
                messages[-1]["content"] = f"{content}\n\n{added}" if content else added
            else:
                *parts, end = content
                text = f"{end['text']}\n\n{added}" if end["text"] else added
                messages[-1]["content"] = [*parts, {**end, "text": text}]
        return messages


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelReply:
    """What came back: text, and what else the answer says.

    finish_reason: stop, length, content_filter, tool_calls; None where the server says nothing.
    usage: prompt_tokens, completion_tokens, cached_tokens (read from a prompt cache) and
    cache_write_tokens, as far as they were counted; prompt_tokens holds the latter two.
    declined: the model's words where it declines to answer; empty otherwise.
    odd: what of the answer is of another kind than the API has, and therefore left out, in words.
    log_probabilities: of the tokens, as the Chat Completions API gives them; None where there are none.
    message: all that the reply holds, its tool calls and its thinking among it.
    request: the body as it was sent; it holds no key. seconds: what the model took,
    from when the request went out to the last byte of the reply.
    """

    text: str
    model: str
    finish_reason: str | None
    usage: Mapping[str, int]
    declined: str = ""
    odd: tuple[str, ...] = ()
    log_probabilities: Mapping[str, Any] | None = None
    message: Mapping[str, Any] = field(default_factory=dict)
    request: Mapping[str, Any] = field(default_factory=dict)
    seconds: float = 0.0


def schema_in_words(schema: Mapping[str, Any]) -> str:
    """Return the text that asks for a schema, for a server that cannot enforce it."""
    return "Answer with one JSON object and nothing else. It satisfies this JSON schema:\n" + json.dumps(
        schema, ensure_ascii=False
    )


class Provider(Protocol):
    """A language model behind an API. It can be asked from any event loop, and again after it was closed.

    A call that brings no reply raises Fault. It is made once: who asks tries again, within a limit.
    """

    async def load(self) -> None:
        """Import what a call needs; do nothing where that is done.

        Calls do it too. Beside work that keeps the processor busy an import takes many times as long, so
        whoever has such work calls this before. Raises SettingError where a package is missing.
        """

    async def open(self) -> None:
        """Make the client, and start a model of turnwise's own; do nothing where that is done.

        Calls do it too. Raises SettingError, NotFoundError and JudgeUnavailableError.
        """

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Return the reply to a request."""

    def stream(self, request: ModelRequest) -> AsyncGenerator[ReplyPiece]:
        """Yield the text of a reply as it comes. Closing the generator ends the request."""

    async def look_up(self, path: str, body: Mapping[str, Any]) -> str:
        """Return what a path below the server's address answers, as it came.

        The Fault of a provider that has no such thing has the status 501.
        """

    async def leave(self) -> None:
        """Close the connections of the running event loop."""

    async def close(self) -> None:
        """Close the connections of the running event loop, and stop a model of turnwise's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choosing:
    """Who chooses a model, and what may be done to find it.

    environment: variables that hold keys and addresses. noun: what the model is to be asked as.
    reachable: whether servers may be asked which models they have. confirm: asked before a local server
    that was found, not named, is taken; without it none is taken.
    """

    environment: Mapping[str, str]
    noun: Noun = "judge"
    reachable: bool = True
    confirm: Confirm | None = None


def missing_key(variable: str, model: str, choosing: Choosing) -> SettingError:
    """Return the error for a model whose key stands in no environment variable."""
    return SettingError(
        f"The {choosing.noun} {model} needs a key",
        detail=f"{variable} is not set",
        next_step=f"Set {variable}, or name another {choosing.noun}: a server, embedded, or none.",
    )


def missing_package(provider: str, module: str) -> SettingError:
    """Return the error for a provider whose module is not installed."""
    return SettingError(
        f"The models of {provider} need an extra that is not installed",
        detail=f"There is no module {module}.",
        next_step=f"Install it with: pip install 'turnwise[{provider}]'",
    )


class RunningServer(Protocol):
    """A server on this machine that runs a model: its address and key, other ones after each start."""

    base_url: str
    api_key: str

    async def start(self) -> object:
        """Load the model where it is not loaded, also where its process has ended."""


class RunningServers(Protocol):
    """Servers of models that several share; a server runs while somebody uses it."""

    def use(self, path: Path, *, context: int, parallel: int) -> AbstractAsyncContextManager[RunningServer]:
        """Give the server of a model file, started for the first who asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What a provider may use beside the network.

    servers: the running embedded models to share with others; by default the provider's own.
    kept: gives the bodies of earlier requests to this model that were answered, the newest first.
    """

    servers: RunningServers | None = None
    kept: Callable[[], Iterable[Mapping[str, Any]]] = tuple


class ByLoop(Generic[T]):
    """One value for each event loop, made when it is first asked for.

    Connections, locks and tasks belong to the loop they were made in, and a library's caller may run each
    measurement in a loop of its own.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._values: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, T] = weakref.WeakKeyDictionary()

    def here(self) -> T:
        """Return the value of the running event loop."""
        loop = asyncio.get_running_loop()
        value = self._values.get(loop)
        if value is None:
            value = self._values[loop] = self._make()
        return value


NOT_OFFERED = frozenset({400, 404, 405, 415, 422, 501})
"""The answers by which a server says that it does not have what was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LookUp:
    """What is asked of a model's server beside its replies.

    path: below the server's address. body: what is sent. noun and next_step: for the error where the server
    has no such thing. check: raises MalformedReplyError for an answer that is not what was asked for.
    """

    path: str
    body: Mapping[str, Any]
    noun: str
    next_step: str
    check: Callable[[str], object]

    @property
    def model(self) -> str:
        """The model that is asked; empty where the server chooses."""
        return str(self.body.get("model") or "")
