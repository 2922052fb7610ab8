"""Served: which models an OpenAI-compatible server offers, asked of the server itself."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from turnwise.engine.judge.faults import Fault, fault_of_answer

_LARGEST_LISTING = 4 << 20


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
