"""Chatbots: which one is meant by what a user calls it, and which there are."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path

from turnwise.conversations.errors import NotFoundError, SettingError, TurnwiseError
from turnwise.engine.chatbots.http_target import HttpTarget
from turnwise.engine.chatbots.limits import USUAL, ChatbotLimits
from turnwise.engine.chatbots.targets import Target
from turnwise.engine.models.settings import ModelSettings

Chatbot = Target | HttpTarget
_DESCRIPTIONS = (".yaml", ".yml", ".json")


async def find_chatbot(
    spec: str | None, *, environment: Mapping[str, str] | None = None, limits: ChatbotLimits = USUAL
) -> Chatbot:
    """Return the chatbot that is meant, not opened yet.

    spec: what `choose_target` takes, or FILE.yaml, which describes an HTTP chatbot: url, method, headers,
    body and response. Raises what `choose_target` raises, NotFoundError and FormatError.
    """
    if spec and spec.lower().endswith(_DESCRIPTIONS) and "://" not in spec:
        return HttpTarget.of_file(Path(spec), environment, limits=limits)
    return Target(limits.of(await choose_target(spec, environment=environment)))


async def choose_target(spec: str | None, *, environment: Mapping[str, str] | None = None) -> ModelSettings:
    """Return the target that is meant: a URL, PROVIDER:MODEL, a model's name, embedded[:NAME] or FILE.gguf.

    Without a spec: what the environment names, else an installed model; any will do to talk to, also one that
    cannot judge. Raises SettingError where that is nothing, and what `choose_model` raises.
    """
    from turnwise.engine.models.choose import choose_model

    variables = os.environ if environment is None else environment
    settings: ModelSettings | None = None
    try:
        settings = await choose_model(spec, environment=environment, noun="chatbot")
    except (NotFoundError, SettingError):
        if spec != "embedded" or (settings := _any_installed()) is None:
            raise
    if (
        settings is None
        and not spec
        and not (variables.get("OPENAI_BASE_URL") or variables.get("OPENAI_API_KEY"))
    ):
        settings = _any_installed()
    if settings is None:
        raise SettingError(
            "There is no chatbot to talk to",
            next_step="Name one: --target http://127.0.0.1:11434/v1, openai:MODEL or embedded "
            "(`turnwise judge pull qwen2.5-coder-1.5b` brings a model).",
        )
    return settings


def _any_installed() -> ModelSettings | None:
    from turnwise.engine.models.embedded.folder import installed
    from turnwise.engine.models.embedded.provider import embedded_model

    models = installed()
    return embedded_model(str(models[0].path)) if models else None


async def find_targets(environment: Mapping[str, str] | None = None) -> list[ModelSettings]:
    """Return the targets at hand: what the environment names, local servers that answer, pulled models.

    Takes no longer than servers take to answer. One that the environment names and that does not answer is
    left out.
    """
    from turnwise.engine.models.embedded.folder import installed
    from turnwise.engine.models.embedded.provider import embedded_model
    from turnwise.engine.models.served import local_models

    variables = os.environ if environment is None else environment
    named, local = await asyncio.gather(_named(variables), local_models())
    embedded = [embedded_model(str(model.path)) for model in installed()]
    found: dict[tuple[str, str], ModelSettings] = {}
    for settings in (*named, *local, *embedded):
        if settings is not None:
            found.setdefault((settings.base_url, settings.model), settings)
    return list(found.values())


async def _named(environment: Mapping[str, str]) -> list[ModelSettings]:
    if not (environment.get("OPENAI_BASE_URL") or environment.get("OPENAI_API_KEY")):
        return []
    try:
        return [await choose_target(None, environment=environment)]
    except TurnwiseError:
        return []
