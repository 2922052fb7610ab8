"""A model of one's own in Python: an object with `generate` or `a_generate`, or a function, asked like any.

The prompt is one text. Where the method takes `schema`, it is given a pydantic model of the reply too and may
return an instance of it. A coroutine function is asked many things at once; a plain one is asked one at a
time, in a thread, since nobody knows whether it could take more.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import time
import traceback
from collections.abc import AsyncGenerator, Callable, Mapping
from pathlib import Path
from typing import Any

from turnwise.conversations.errors import JudgeError, SettingError
from turnwise.conversations.models import shorten
from turnwise.engine.models.faults import Fault
from turnwise.engine.models.provider import ByLoop, ModelReply, ModelRequest, schema_in_words
from turnwise.engine.models.settings import OWN_MODEL, ModelSettings
from turnwise.engine.models.streams import ReplyPiece

_METHODS = ("a_generate", "generate")


class DeepEvalBaseLLM:
    """What deepeval derives models of one's own from, so that such a class works once its import has changed.

    Nothing here is needed: any object with `generate` or `a_generate` will do.
    """

    def __init__(self, model: str | None = None, *given: Any, **named: Any) -> None:
        self.name = model
        self.model = self.load_model()

    def load_model(self) -> Any:
        """Return whatever the model is asked through."""
        return None

    def generate(self, prompt: str) -> Any:
        """Return the reply to a prompt."""
        raise NotImplementedError(f"{type(self).__name__} has no generate")

    async def a_generate(self, prompt: str) -> Any:
        """Return the reply to a prompt; without it `generate` is asked."""
        raise NotImplementedError(f"{type(self).__name__} has no a_generate")

    def get_model_name(self) -> str:
        """Return what the model is called in results."""
        return self.name or type(self).__name__


def is_own_model(given: Any) -> bool:
    """Whether something is a model of one's own: it generates, or can be called with a prompt."""
    if isinstance(given, type | str) or given is None:
        return False
    return any(callable(getattr(given, method, None)) for method in _METHODS) or callable(given)


def own_settings(model: Any) -> ModelSettings:
    """Return the settings of a model of one's own, by which its scores are told from those of others.

    Raises SettingError where it gives itself no name that is a text.
    """
    kind = model if inspect.isroutine(model) else type(model)
    home = f"{kind.__module__}.{kind.__qualname__}"
    named = getattr(model, "get_model_name", None)
    name = named() if callable(named) else getattr(kind, "__name__", "own model")
    if not isinstance(name, str) or not name.strip():
        raise SettingError(f"{home}.get_model_name returns no name", detail=f"Given: {shorten(name)}")
    return ModelSettings(provider=OWN_MODEL, base_url="", model=name, identity=f"{OWN_MODEL}:{home} {name}")


class OwnModel:
    """Asks a model of one's own; see the module's first lines."""

    def __init__(self, model: Any, settings: ModelSettings) -> None:
        self._model = model
        self._settings = settings
        self._one_at_a_time = ByLoop(asyncio.Lock)

    async def load(self) -> None:
        """Do nothing: whoever made the model loaded it."""

    async def open(self) -> None:
        """Do nothing: whoever made the model opened it."""

    async def complete(self, request: ModelRequest) -> ModelReply:
        """Return the reply to a request. Raises JudgeError where the model raises or returns no text."""
        began = time.perf_counter()
        methods = [method for name in _METHODS if callable(method := getattr(self._model, name, None))]
        for method in methods or [self._model]:
            try:
                found = await self._ask(method, request)
            except NotImplementedError:
                continue
            except Exception as error:
                raise self._failed(f"{type(error).__name__}: {error}", error=error) from error
            return ModelReply(
                text=self._text(found),
                model=self._settings.model,
                finish_reason=None,
                usage={},
                request={"model": self._settings.model, "messages": request.messages_with()},
                seconds=time.perf_counter() - began,
            )
        raise self._failed("it has neither generate nor a_generate")

    async def _ask(self, method: Callable[..., Any], request: ModelRequest) -> Any:
        given: dict[str, Any] = {}
        if request.schema is not None and _takes_schema(method):
            from turnwise.engine.models.schema_models import model_of

            given["schema"] = model_of(request.schema, request.schema_name)
        words = [schema_in_words(request.schema)] if request.schema is not None and not given else []
        prompt = _prompt(request, *words)
        if inspect.iscoroutinefunction(method) or inspect.iscoroutinefunction(type(method).__call__):
            return await method(prompt, **given)
        async with self._one_at_a_time.here():
            found = await asyncio.to_thread(method, prompt, **given)
        return await found if inspect.isawaitable(found) else found

    def _text(self, found: Any) -> str:
        """Return what a model gave as text. It may give its cost beside it, which is left out."""
        if isinstance(found, tuple) and len(found) == 2:
            found = found[0]
        if isinstance(found, str):
            return found
        if hasattr(found, "model_dump_json"):
            return str(found.model_dump_json(by_alias=True))
        if isinstance(found, dict | list):
            return json.dumps(found, ensure_ascii=False, default=str)
        given = "nothing" if found is None else f"{shorten(found)} (a {type(found).__name__})"
        raise self._failed(f"it returned {given}; expected a text")

    def _failed(self, words: str, *, error: Exception | None = None) -> JudgeError:
        frames = traceback.extract_tb(error.__traceback__) if error else []
        place = f"\n{Path(frames[-1].filename).name}, line {frames[-1].lineno}" if frames else ""
        return JudgeError(
            f"The {self._settings.noun} gave no reply",
            detail=f"{self._settings.model}: {words}{place}",
            next_step="Mend the model; `generate(prompt)` returns the reply as text.",
        )

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ReplyPiece]:
        """Yield the whole reply as one piece."""
        yield (await self.complete(request)).text

    async def look_up(self, path: str, body: Mapping[str, Any]) -> str:
        """Raise Fault: a model in Python has nothing else to give."""
        raise Fault("a model of your own gives replies alone", status=501)

    async def leave(self) -> None:
        """Do nothing."""

    async def close(self) -> None:
        """Do nothing: whoever made the model closes it."""


def _takes_schema(method: Callable[..., Any]) -> bool:
    try:
        parameters = inspect.signature(method).parameters
    except (TypeError, ValueError):
        return False
    return "schema" in parameters


def _prompt(request: ModelRequest, *addenda: str) -> str:
    """Return the messages of a request as one text."""
    texts = []
    for message in request.messages_with(*addenda):
        content = message["content"]
        parts = [content] if isinstance(content, str) else [part.get("text", "") for part in content]
        texts += [part for part in parts if part]
    return "\n\n".join(texts)
