"""The provider `openai`: any server of the Chat Completions API, asked for as much as it takes.

What a server takes is found out by what it refuses: a JSON schema for the reply, token probabilities,
a temperature, a seed. What it refused once is not asked for again.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.engine.models.faults import Fault, model_error
from turnwise.engine.models.provider import (
    NO_KEY,
    ByLoop,
    Choosing,
    Means,
    ModelReply,
    ModelRequest,
    missing_key,
    schema_in_words,
)
from turnwise.engine.models.served import local_model, served_models
from turnwise.engine.models.settings import ModelSettings, ReplyStyle, shown_address
from turnwise.engine.models.streams import ReplyPiece
from turnwise.engine.models.timing import timing
from turnwise.engine.models.wire import Wire, load_client

OPENAI_URL = "https://api.openai.com/v1"
DEFAULT_OPENAI_MODEL = "gpt-4.1-mini"
MOST_ALTERNATIVES = 20
"""How many alternatives to a token are asked for: the most that the API gives."""

_WEAKER: Mapping[ReplyStyle, ReplyStyle | None] = {"schema": "object", "object": "text", "text": None}
# Some servers admit only a few alternatives a token; few are better than none.
_FEWER = {MOST_ALTERNATIVES: 5, 5: 0}
_STYLE_BLAMED = re.compile(
    r"response[_ ]?format|json[_ ]?(schema|object|mode)|structured[_ ]output|grammar|guided", re.IGNORECASE
)
_REFUSING = frozenset({400, 404, 405, 415, 422, 501})


async def choose(name: str, choosing: Choosing) -> ModelSettings:
    """Return a model of the OpenAI API. Raises SettingError for what is no name, or without a key."""
    return openai_model(name, OPENAI_URL, choosing)


def spec(settings: ModelSettings) -> str | None:
    """Return openai:MODEL, or URL#MODEL for another server; None where the address holds a secret."""
    if settings.base_url != shown_address(settings.base_url):
        return None
    if settings.base_url == OPENAI_URL:
        return f"openai:{settings.model}"
    return f"{settings.base_url}#{settings.model}"


def open_provider(settings: ModelSettings, means: Means) -> OpenAICompatible:
    """Return what asks the model; nothing is sent yet."""

    async def reach() -> tuple[str, str]:
        return settings.base_url, settings.api_key

    return OpenAICompatible(settings, reach)


def openai_model(model: str, base_url: str, choosing: Choosing) -> ModelSettings:
    """Return a model by its name. Raises SettingError for what is no name, or where a key is missing."""
    noun = choosing.noun
    if not model.strip() or any(char.isspace() for char in model):
        raise SettingError(
            f"That names no {noun}",
            detail=f"given {model!r}, expected a model's name, an address, embedded, or none",
        )
    key = choosing.environment.get("OPENAI_API_KEY")
    if not key and base_url == OPENAI_URL and choosing.reachable:
        raise missing_key("OPENAI_API_KEY", model, choosing)
    return ModelSettings(base_url=base_url, model=model, api_key=key or NO_KEY, noun=noun)


async def model_at(url: str, model: str, choosing: Choosing) -> ModelSettings:
    """Return the model at an address, asked of the server where it is not named.

    Raises SettingError where the server offers several, NotFoundError where it offers none, and JudgeError
    where it does not tell.
    """
    noun, api_key = choosing.noun, choosing.environment.get("OPENAI_API_KEY") or NO_KEY
    if model:
        found = await local_model(url, model) if choosing.reachable else None
        return found or ModelSettings(base_url=url, model=model, api_key=api_key, noun=noun)
    unknown = ModelSettings(base_url=url, model="(any model)", api_key=api_key, noun=noun)
    if not choosing.reachable:
        raise SettingError(
            "Offline, no server is asked which model it has",
            detail=unknown.address,
            next_step=f"Name the model, as in offline:{unknown.address}#MODEL.",
        )
    try:
        models = await served_models(url, api_key)
    except Fault as fault:
        error = model_error(fault, unknown)
        error.next_step += f" A model can be named as {unknown.address}#MODEL."
        raise error from None
    if len(models) == 1:
        return replace(unknown, model=models[0].name, identity="", context_tokens=models[0].context_tokens)
    if not models:
        raise NotFoundError(
            f"The {noun}'s server offers no model",
            detail=unknown.address,
            next_step=f"Load a model there, or name one as {unknown.address}#MODEL.",
        )
    names = ", ".join(one.name for one in models[:20])
    raise SettingError(
        f"The {noun}'s server offers {len(models)} models",
        detail=f"{unknown.address}: {names}",
        next_step=f"Name one, as in {unknown.address}#{models[0].name}",
    )


@dataclass(slots=True)
class _Client:
    """A client of one event loop. place: the address and key that the wire was opened with."""

    opening: asyncio.Lock = field(default_factory=asyncio.Lock)
    wire: Wire | None = None
    place: tuple[str, str] = ("", "")


class OpenAICompatible:
    """A model behind the Chat Completions API; see Provider.

    reach: gives the address and the key; where they are others than before, the connection is made anew.
    """

    def __init__(self, settings: ModelSettings, reach: Callable[[], Awaitable[tuple[str, str]]]) -> None:
        self._settings = settings
        self._reach = reach
        self._abilities = first_abilities(settings)
        self._clients = ByLoop(_Client)

    async def load(self) -> None:
        """Import what makes the client."""
        await load_client()

    async def open(self) -> None:
        """Make the client of the running event loop; nothing is sent yet."""
        await self._wire()

    async def _wire(self) -> Wire:
        client = self._clients.here()
        async with client.opening:
            place = await self._reach()
            if client.wire is None or client.place != place:
                await _end(client)
                client.wire = await Wire.open(
                    *place, seconds=self._settings.timeout, public_only=self._settings.public_only
                )
                client.place = place
            return client.wire

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Return the reply to a request, asked for with less where the server refuses something of it."""
        while True:
            abilities = self._abilities
            body = request_body(self._settings.model, request, abilities)
            wire = await self._wire()
            try:
                with timing() as taken:
                    reply = await wire.complete(body, request.headers)
                    seconds = taken.seconds
            except Fault as fault:
                weaker = conceded(abilities, fault, request, fixed_style=self._settings.style != "auto")
                if weaker is None:
                    raise
                # Many calls may be refused at once; what another has learned meanwhile is not undone.
                if self._abilities == abilities:
                    self._abilities = weaker
                continue
            return replace(reply, request=body, seconds=seconds)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ReplyPiece]:
        """Yield the text of a reply as it comes."""
        wire = await self._wire()
        body: dict[str, Any] = {"model": self._settings.model, "messages": request.messages_with()}
        if request.temperature is not None:
            body["temperature"] = request.temperature
        if request.max_tokens is not None:
            body["max_tokens"] = request.max_tokens
        if request.options:
            body["extra_body"] = dict(request.options)
        if request.headers:
            body["extra_headers"] = dict(request.headers)
        async with aclosing(wire.stream(body)) as pieces:
            async for piece in pieces:
                yield piece

    async def look_up(self, path: str, body: Mapping[str, Any]) -> str:
        """Return what a path below the server's address answers, as it came."""
        wire = await self._wire()
        return await wire.post(path, body)

    async def leave(self) -> None:
        """Close the connections of the running event loop."""
        await _end(self._clients.here())

    async def close(self) -> None:
        """Close the connections of the running event loop."""
        await self.leave()


async def _end(client: _Client) -> None:
    wire, client.wire = client.wire, None
    if wire is not None:
        await wire.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """What is asked of a server: as much as it is not known to refuse.

    alternatives: how many a token may be asked for; 0 is no log probabilities at all.
    length_name: what the server calls the most tokens of a reply.
    """

    style: ReplyStyle = "schema"
    alternatives: int = MOST_ALTERNATIVES
    temperature: bool = True
    seed: bool = True
    length_name: str = "max_tokens"


def first_abilities(settings: ModelSettings) -> Abilities:
    """Return what to try first with a model."""
    return Abilities(style="schema" if settings.style == "auto" else settings.style)


def request_body(model: str, request: ModelRequest, abilities: Abilities) -> dict[str, Any]:
    """Return the body of a chat completion request. The request's own options go before all else."""
    return {**_asked(model, request, abilities), **request.options}


def _asked(model: str, request: ModelRequest, abilities: Abilities) -> dict[str, Any]:
    in_words = ""
    if request.schema is not None and abilities.style != "schema":
        in_words = schema_in_words(request.schema)
    body: dict[str, Any] = {"model": model, "messages": request.messages_with(in_words)}
    if abilities.temperature and request.temperature is not None:
        body["temperature"] = request.temperature
    if abilities.seed and request.seed is not None:
        body["seed"] = request.seed
    if request.max_tokens is not None:
        body[abilities.length_name] = request.max_tokens
    if request.schema is not None and abilities.style == "schema":
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": request.schema_name, "schema": request.schema, "strict": True},
        }
    elif request.schema is not None and abilities.style == "object":
        body["response_format"] = {"type": "json_object"}
    if request.token_probabilities and abilities.alternatives:
        body["logprobs"] = True
        body["top_logprobs"] = abilities.alternatives
    return body


def conceded(
    abilities: Abilities, fault: Fault, request: ModelRequest, *, fixed_style: bool
) -> Abilities | None:
    """Return what to try after a refusal; None where the refusal blames nothing that can be left out.

    fixed_style: whether the way of asking for JSON was set by hand. What the request's own options ask for
    is never left out.
    """
    if fault.status not in _REFUSING:
        return None
    asked = _asked("", request, abilities).keys() - request.options.keys()
    # The message names the culprit; an address that does not exist names none of these.
    blamed = f"{fault.parameter} {fault.code} {fault.message}".lower()
    if "logprobs" in asked and ("logprobs" in blamed or "log prob" in blamed):
        return replace(abilities, alternatives=_FEWER[abilities.alternatives])
    if "response_format" in asked and not fixed_style and _STYLE_BLAMED.search(blamed):
        weaker = _WEAKER[abilities.style]
        return replace(abilities, style=weaker) if weaker else None
    if "max_tokens" in asked and "max_completion_tokens" in blamed:
        return replace(abilities, length_name="max_completion_tokens")
    if "temperature" in asked and "temperature" in blamed:
        return replace(abilities, temperature=False)
    if "seed" in asked and re.search(r"\bseed\b", blamed):
        return replace(abilities, seed=False)
    return None
