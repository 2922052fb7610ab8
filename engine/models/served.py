"""Served: which models OpenAI-compatible servers offer, asked of them, and the usual local servers."""

from __future__ import annotations

import asyncio
import http.client
import json
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from turnwise.engine.models.faults import Fault, fault_of_answer, fault_of_redirect
from turnwise.engine.models.provider import NO_KEY
from turnwise.engine.models.settings import ModelSettings, is_loopback

_LARGEST_LISTING = 4 << 20
LOCAL_SERVERS: Mapping[str, tuple[int, int]] = {
    "Ollama": (11434, 4),
    "llama.cpp": (8080, 4),
    "vLLM": (8000, 64),
    "LM Studio": (1234, 4),
}
"""The usual programs by name: the port of each, and how many calls at once suit it."""
_PROBE_SECONDS = 0.3
_PATIENT_SECONDS = 2.0
# A model on this machine may take minutes over a long conversation, and its queue counts as waiting.
_LOCAL_TIMEOUT = 600.0


@dataclass(frozen=True, slots=True)
class ServedModel:
    """A model that a server offers. context_tokens: the most tokens of a call, where the server says so."""

    name: str
    context_tokens: int | None = None


async def served_models(base_url: str, api_key: str, *, seconds: float = 5.0) -> list[ServedModel]:
    """Return the models that the server at an address offers. Raises Fault.

    One plain request without the OpenAI client, whose import would cost more than the answer takes; it
    follows no redirect, so that the key goes to this address alone.
    """
    return await asyncio.to_thread(_ask, base_url, api_key, seconds)


async def seconds_to_answer(base_url: str, api_key: str, *, seconds: float = 5.0) -> float:
    """Return in how many seconds a server tells which models it offers. Raises Fault.

    What else the program does meanwhile is not counted: a server is not slow because we are busy.
    """
    return await asyncio.to_thread(_time_answer, base_url, api_key, seconds)


def _time_answer(base_url: str, api_key: str, seconds: float) -> float:
    began = time.monotonic()
    _ask(base_url, api_key, seconds)
    return time.monotonic() - began


def _ask(base_url: str, api_key: str, seconds: float) -> list[ServedModel]:
    address = urlsplit(base_url)
    kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
    connection = kind(address.hostname or "", address.port, timeout=seconds)
    try:
        connection.request(
            "GET",
            address.path.rstrip("/") + "/models",
            headers={"Authorization": f"Bearer {api_key}", "Accept": "application/json"},
        )
        answer = connection.getresponse()
        if 300 <= answer.status < 400:
            raise fault_of_redirect(base_url, answer.status, answer.headers.get("location"))
        body = json.loads(answer.read(_LARGEST_LISTING) or b"null")
        if answer.status != 200:
            raise fault_of_answer(answer.status, body, {}, api_key)
        return _listed(body)
    except TimeoutError:
        raise Fault(f"no answer within {seconds:g} s", timed_out=True) from None
    except (OSError, http.client.HTTPException) as error:
        raise Fault(f"{type(error).__name__}: {error}") from None
    except (ValueError, RecursionError):
        raise Fault("the answer is no list of models", passing=False) from None
    finally:
        connection.close()


def _listed(body: Any) -> list[ServedModel]:
    entries = body.get("data") if isinstance(body, Mapping) else None
    if not isinstance(entries, list):
        raise Fault("the answer is no list of models", passing=False)
    models = []
    for entry in entries:
        if isinstance(entry, Mapping) and isinstance(entry.get("id"), str):
            context = entry.get("max_model_len")
            models.append(ServedModel(entry["id"], context if isinstance(context, int) else None))
    return models


async def local_models() -> list[ModelSettings]:
    """Return each model that a local server offers on loopback, in the servers' order.

    They are candidates: a user agrees to one before it is used. No key is sent to them.
    """
    found = await asyncio.gather(*(_probe(port, calls) for port, calls in LOCAL_SERVERS.values()))
    return [settings for group in found for settings in group]


async def local_model(url: str, model: str) -> ModelSettings | None:
    """Return the candidate of a known local server that is this model, with its limits and no key."""
    port = urlsplit(url).port
    if not is_loopback(url):
        return None
    probes = [_probe(one, calls) for one, calls in LOCAL_SERVERS.values() if one == port]
    found = [settings for probe in probes for settings in await probe]
    return next((settings for settings in found if settings.model == model), None)


async def answering(specs: Iterable[str]) -> dict[str, bool]:
    """Return of those addresses that are on this machine whether a server answers there, with no key sent.

    specs: as `choose_model` takes them; what is no address on this machine is left out.
    """
    asked = {spec: spec.partition("#")[0] for spec in specs if spec.startswith(("http://", "https://"))}
    local = {spec: url for spec, url in asked.items() if is_loopback(url)}
    answers = await asyncio.gather(*(_answers(url) for url in local.values()))
    return dict(zip(local, answers, strict=True))


async def _answers(url: str) -> bool:
    try:
        await served_models(url, NO_KEY, seconds=_PATIENT_SECONDS)
    except Fault as fault:
        # A server that wants a key, or has no such list, is there all the same.
        return fault.status is not None or not fault.passing
    return True


async def _probe(port: int, calls: int) -> list[ModelSettings]:
    url = f"http://127.0.0.1:{port}/v1"
    try:
        models = await served_models(url, NO_KEY, seconds=_PROBE_SECONDS)
    except Fault:
        return []
    return [
        ModelSettings(
            base_url=url,
            model=model.name,
            concurrency=calls,
            timeout=_LOCAL_TIMEOUT,
            context_tokens=model.context_tokens,
        )
        for model in models
    ]
