"""Choose: from what a user wrote, or wrote nothing, to the model that is meant, as a judge or a chatbot.

none                       no model
http://127.0.0.1:8080/v1   the server's only model;  URL#MODEL or MODEL@URL names one of several
PROVIDER:MODEL             a model of a provider, as in openai:MODEL; see `providers`
gpt-..., o3, ...           the OpenAI API, or the server that OPENAI_BASE_URL names; no other bare name
embedded, embedded:NAME    a pulled model, run by turnwise;  FILE.gguf is any other
offline:JUDGE              the kept replies of any of these
nothing                    what the environment names, else a local server that the caller agrees to,
                           else a pulled model, else none
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from turnwise.conversations.errors import SettingError
from turnwise.conversations.words import did_you_mean, nearest
from turnwise.engine.models.openai_compatible import (
    DEFAULT_OPENAI_MODEL,
    OPENAI_URL,
    model_at,
    openai_model,
)
from turnwise.engine.models.provider import Choosing, Confirm
from turnwise.engine.models.providers import PROVIDERS, choose_of, model_forms, provider_module
from turnwise.engine.models.served import local_models
from turnwise.engine.models.settings import ModelSettings, Noun, base_url_of

_OPENAI_MODEL = re.compile(r"(gpt|chatgpt|o\d)[\w.:-]*$")


async def choose_model(
    spec: str | None,
    *,
    confirm: Confirm | None = None,
    environment: Mapping[str, str] | None = None,
    noun: Noun = "judge",
    reachable: bool = True,
) -> ModelSettings | None:
    """Return the model that is meant; None where it is none.

    confirm: asked before a local server that was found, not named, is taken; without it none is taken.
    noun: what the model is to be asked as; errors use the word. reachable: whether servers may be asked.
    Raises SettingError and NotFoundError for a spec that means nothing, JudgeUnavailableError and
    JudgeRefusedError where a server must be asked for its models and does not tell.
    """
    choosing = Choosing(
        environment=os.environ if environment is None else environment,
        noun=noun,
        reachable=reachable,
        confirm=confirm,
    )
    text = (spec or "").strip()
    if not text:
        return await _unnamed(choosing)
    if text.lower() == "none":
        return None
    url, model = _address_and_model(text, noun)
    provider, _, name = text.partition(":")
    if provider in PROVIDERS:
        return await choose_of(provider, name, choosing)
    if text.lower().endswith(".gguf") and not url:
        return await choose_of("embedded", text, choosing)
    if url:
        return await model_at(url, model, choosing)
    if _OPENAI_MODEL.match(text):
        base_url = base_url_of(choosing.environment.get("OPENAI_BASE_URL"), noun)
        return openai_model(text, base_url or OPENAI_URL, choosing)
    raise _no_model(text, noun)


def spec_of(settings: ModelSettings | None) -> str | None:
    """Return the text by which `choose_model` finds this model again; None where it would hold a secret."""
    if settings is None:
        return "none"
    return provider_module(settings.provider).spec(settings)


async def _unnamed(choosing: Choosing) -> ModelSettings | None:
    variables = choosing.environment
    base_url = base_url_of(variables.get("OPENAI_BASE_URL"), choosing.noun)
    if base_url:
        return await model_at(base_url, variables.get("OPENAI_MODEL", ""), choosing)
    if variables.get("OPENAI_API_KEY"):
        return openai_model(variables.get("OPENAI_MODEL") or DEFAULT_OPENAI_MODEL, OPENAI_URL, choosing)
    if choosing.confirm is not None:
        for candidate in await local_models():
            if await choosing.confirm(candidate):
                return candidate
    from turnwise.engine.models.embedded.provider import embedded_model

    return embedded_model()


def _no_model(text: str, noun: Noun) -> SettingError:
    """Return the error for a text that names no model; a slip must never send a conversation somewhere."""
    # Where nobody judges, checks run; with nobody there is nothing to talk.
    without = () if noun == "chatbot" else ("none",)
    near = nearest(text.lower(), ("embedded", *without))
    if near:
        step = f"Did you mean {near}?"
    elif re.match(r"[\w.-]+:\d+", text):
        step = f"Did you mean http://{text}?"
    elif ":" in text:
        kind = text.partition(":")[0]
        step = did_you_mean(kind.lower(), PROVIDERS) or "Write it in one of these forms."
    else:
        step = f"A model of the OpenAI API is openai:{text}, one of a server is URL#{text}."
    forms = ["URL", "URL#MODEL", *model_forms().split(", "), "FILE.gguf", *without]
    return SettingError(
        f"That names no {noun}",
        detail=f"Given {text!r}; expected {', '.join(forms[:-1])} or {forms[-1]}.",
        next_step=step,
    )


def _address_and_model(text: str, noun: Noun) -> tuple[str, str]:
    """Return address and model of URL, URL#MODEL or MODEL@URL; the address is empty for none of these."""
    for scheme in ("http://", "https://"):
        if text.startswith(scheme):
            url, _, model = text.partition("#")
            return base_url_of(url, noun), model
        before, mark, after = text.partition("@" + scheme)
        if mark:
            return base_url_of(scheme + after, noun), before
    return "", ""
