"""Choose: from what a user wrote, or wrote nothing, to the judge that is meant.

none                       no judge
http://127.0.0.1:8080/v1   the server's only model;  URL#MODEL or MODEL@URL names one of several
openai:MODEL               the OpenAI API
gpt-..., o3, ...           the same, or the server that OPENAI_BASE_URL names; no other bare name is taken
embedded, embedded:NAME    a pulled model, run by turnwise;  FILE.gguf is any other
nothing                    what the environment names, else a local server that the caller agrees to,
                           else a pulled model, else none
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from difflib import get_close_matches
from urllib.parse import urlsplit

from turnwise.conversations.errors import NotFoundError, SettingError
from turnwise.engine.judge.calls import CallBook
from turnwise.engine.judge.faults import Fault, judge_error
from turnwise.engine.judge.judge import Judge
from turnwise.engine.judge.served import ServedModel, served_models
from turnwise.engine.judge.settings import JudgeSettings, is_loopback, shown_address

OPENAI_URL = "https://api.openai.com/v1"
DEFAULT_OPENAI_MODEL = "gpt-4.1-mini"
LOCAL_SERVERS: Mapping[str, tuple[int, int]] = {
    "Ollama": (11434, 4),
    "llama.cpp": (8080, 4),
    "vLLM": (8000, 64),
    "LM Studio": (1234, 4),
}
"""Port and the calls in flight that suit it, by program."""
NO_KEY = "none"
_OPENAI_MODEL = re.compile(r"(gpt|chatgpt|o\d)[\w.:-]*$")

_PROBE_SECONDS = 0.3
# A model on this machine may take minutes over a long conversation, and its queue counts as waiting.
_LOCAL_TIMEOUT = 600.0
# A small model that loses its way writes on until it is stopped.
_EMBEDDED_MAX_TOKENS = 512

Confirm = Callable[[JudgeSettings], Awaitable[bool]]


async def choose_judge(
    spec: str | None, *, confirm: Confirm | None = None, environment: Mapping[str, str] | None = None
) -> JudgeSettings | None:
    """Return the judge that is meant; None where it is none.

    confirm: asked before a local server that was found, not named, is taken; without it none is taken.
    Raises SettingError and NotFoundError for a spec that means nothing, JudgeUnavailableError and
    JudgeRefusedError where a server must be asked for its models and does not tell.
    """
    variables = os.environ if environment is None else environment
    text = (spec or "").strip()
    if not text:
        return await _unnamed(confirm, variables)
    if text.lower() == "none":
        return None
    if text == "embedded" or text.startswith("embedded:"):
        from turnwise.engine.judge.embedded.catalogue import DEFAULT_MODEL

        # Where none is installed, naming the default one brings the error that says how to fetch it.
        return embedded_judge(text.partition(":")[2] or None) or embedded_judge(DEFAULT_MODEL)
    if text.lower().endswith(".gguf"):
        return embedded_judge(text)
    if text.startswith("openai:"):
        return _openai(text.removeprefix("openai:"), OPENAI_URL, variables)
    url, model = _address_and_model(text)
    if url:
        return await _at(url, model, variables.get("OPENAI_API_KEY") or NO_KEY)
    if _OPENAI_MODEL.match(text):
        return _openai(text, _base_url(variables.get("OPENAI_BASE_URL")) or OPENAI_URL, variables)
    raise _no_judge(text)


def spec_of(settings: JudgeSettings | None) -> str | None:
    """Return the text by which `choose_judge` finds this judge again; None where it would hold a secret."""
    if settings is None:
        return "none"
    if settings.model_file is not None:
        from turnwise.engine.judge.embedded.folder import installed

        here = any((model.name, model.path) == (settings.model, settings.model_file) for model in installed())
        return f"embedded:{settings.model}" if here else str(settings.model_file.absolute())
    if settings.base_url != shown_address(settings.base_url):
        return None
    if settings.base_url == OPENAI_URL:
        return f"openai:{settings.model}"
    return f"{settings.base_url}#{settings.model}"


async def local_judges() -> list[JudgeSettings]:
    """Return a judge for each model that a local server offers on loopback, in the servers' order.

    They are candidates: a user agrees to one before it is used. No key is sent to them.
    """
    found = await asyncio.gather(*(_probe(port, calls) for port, calls in LOCAL_SERVERS.values()))
    return [settings for group in found for settings in group]


def embedded_judge(name_or_path: str | None = None) -> JudgeSettings | None:
    """Return a model that turnwise runs itself: by name, by path, or the best of those that are installed.

    None where no name is given and none is installed that can judge. Raises NotFoundError.
    """
    from turnwise.engine.judge.embedded.catalogue import KNOWN_MODELS
    from turnwise.engine.judge.embedded.folder import installed, model_path
    from turnwise.engine.judge.embedded.server import DEFAULT_CONTEXT, DEFAULT_PARALLEL

    if name_or_path is None:
        usable = [model for model in installed() if model.known is not None and model.known.can_judge]
        if not usable:
            return None
        path = usable[0].path
    else:
        path = model_path(name_or_path)
    known = next((model for model in KNOWN_MODELS if model.file_name == path.name), None)
    size = path.stat().st_size
    name = known.name if known and known.size_bytes == size else path.stem
    return JudgeSettings(
        base_url="",
        model=name,
        model_file=path,
        identity=f"embedded:{name}:{size}",
        concurrency=DEFAULT_PARALLEL,
        context_tokens=known.context_size if known else DEFAULT_CONTEXT,
        items_per_question=1,
        max_tokens=_EMBEDDED_MAX_TOKENS,
        # Rules and examples stand first in every question, and are then read once, not every time: five
        # times as fast. The kept part can shift a probability a little; kept replies make replay exact.
        extra_body={"cache_prompt": True},
        timeout=_LOCAL_TIMEOUT,
    )


@asynccontextmanager
async def open_judge(
    model: Judge | JudgeSettings | str | None, *, needed: bool = True, book: CallBook | None = None
) -> AsyncIterator[Judge | None]:
    """Give the judge that is meant, and close it afterwards if it was made here.

    model: a judge, settings, or what `choose_judge` takes. needed: without need None is given. Raises what
    choose_judge raises.
    """
    if not needed:
        yield None
    elif isinstance(model, Judge):
        async with model.lease() as judge:
            yield judge
    else:
        settings = model if isinstance(model, JudgeSettings) else await choose_judge(model)
        if settings is None:
            yield None
        else:
            async with Judge(settings, book) as judge:
                yield judge


def _no_judge(text: str) -> SettingError:
    """Return the error for a text that names no judge; a slip must never send a conversation somewhere."""
    near = get_close_matches(text.lower(), ("embedded", "none"), n=1)
    if near:
        step = f"Did you mean {near[0]}?"
    elif re.match(r"[\w.-]+:\d+", text):
        step = f"Did you mean http://{text}?"
    else:
        step = f"A model of the OpenAI API is openai:{text}, one of a server is URL#{text}."
    return SettingError(
        "That names no judge",
        detail=f"Given {text!r}; expected URL, URL#MODEL, openai:MODEL, embedded[:NAME], FILE.gguf or none.",
        next_step=step,
    )


async def _unnamed(confirm: Confirm | None, variables: Mapping[str, str]) -> JudgeSettings | None:
    base_url = _base_url(variables.get("OPENAI_BASE_URL"))
    key = variables.get("OPENAI_API_KEY")
    if base_url:
        return await _at(base_url, variables.get("OPENAI_MODEL", ""), key or NO_KEY)
    if key:
        return _openai(variables.get("OPENAI_MODEL") or DEFAULT_OPENAI_MODEL, OPENAI_URL, variables)
    if confirm is not None:
        for candidate in await local_judges():
            if await confirm(candidate):
                return candidate
    return embedded_judge()


def _openai(model: str, base_url: str, variables: Mapping[str, str]) -> JudgeSettings:
    if not model.strip() or any(char.isspace() for char in model):
        raise SettingError(
            "That names no judge",
            detail=f"given {model!r}, expected a model's name, an address, embedded, or none",
        )
    key = variables.get("OPENAI_API_KEY")
    if not key and base_url == OPENAI_URL:
        raise SettingError(
            f"The judge {model} needs a key",
            detail="OPENAI_API_KEY is not set",
            next_step="Set OPENAI_API_KEY, or name a server (http://...), embedded, or none.",
        )
    return JudgeSettings(base_url=base_url, model=model, api_key=key or NO_KEY)


async def _at(url: str, model: str, api_key: str) -> JudgeSettings:
    """Return the judge at an address, its model asked of the server where it is not named."""
    if model:
        return await _found_here(url, model) or JudgeSettings(base_url=url, model=model, api_key=api_key)
    unknown = JudgeSettings(base_url=url, model="(any model)", api_key=api_key)
    try:
        models = await served_models(url, api_key)
    except Fault as fault:
        error = judge_error(fault, unknown)
        error.next_step += f" A model can be named as {unknown.address}#MODEL."
        raise error from None
    if len(models) == 1:
        return _settings(url, models[0], api_key)
    if not models:
        raise NotFoundError(
            "The judge's server offers no model",
            detail=unknown.address,
            next_step=f"Load a model there, or name one as {unknown.address}#MODEL.",
        )
    names = ", ".join(model.name for model in models[:20])
    raise SettingError(
        f"The judge's server offers {len(models)} models",
        detail=f"{unknown.address}: {names}",
        next_step=f"Name one, as in {unknown.address}#{models[0].name}",
    )


async def _found_here(url: str, model: str) -> JudgeSettings | None:
    """Return the candidate of a known local server that is this judge, with its limits and no key."""
    port = urlsplit(url).port
    if not is_loopback(url):
        return None
    probes = [_probe(one, calls) for one, calls in LOCAL_SERVERS.values() if one == port]
    found = [settings for probe in probes for settings in await probe]
    return next((settings for settings in found if settings.model == model), None)


async def _probe(port: int, calls: int) -> list[JudgeSettings]:
    url = f"http://127.0.0.1:{port}/v1"
    try:
        models = await served_models(url, NO_KEY, seconds=_PROBE_SECONDS)
    except Fault:
        return []
    return [
        JudgeSettings(
            base_url=url,
            model=model.name,
            concurrency=calls,
            timeout=_LOCAL_TIMEOUT,
            context_tokens=model.context_tokens,
        )
        for model in models
    ]


def _settings(url: str, model: ServedModel, api_key: str) -> JudgeSettings:
    return JudgeSettings(base_url=url, model=model.name, api_key=api_key, context_tokens=model.context_tokens)


def _address_and_model(text: str) -> tuple[str, str]:
    """Return address and model of URL, URL#MODEL or MODEL@URL; the address is empty for none of these."""
    for scheme in ("http://", "https://"):
        if text.startswith(scheme):
            url, _, model = text.partition("#")
            return _base_url(url), model
        before, mark, after = text.partition("@" + scheme)
        if mark:
            return _base_url(scheme + after), before
    return "", ""


def _base_url(url: str | None) -> str:
    """Return an address as the API's root: without a slash at the end, with /v1 where it has no path."""
    if not url or not url.strip():
        return ""
    plain = url.strip().rstrip("/")
    for ending in ("/chat/completions", "/models"):
        plain = plain.removesuffix(ending)
    if not urlsplit(plain).hostname:
        raise SettingError("The judge's address names no host", detail=f"given {shown_address(url)!r}")
    return plain if urlsplit(plain).path else f"{plain}/v1"
