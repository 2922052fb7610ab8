"""Providers: the APIs by which language models are reached, by the name that stands before a model's."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from turnwise.conversations.errors import SettingError

if TYPE_CHECKING:
    from turnwise.engine.models.provider import Choosing, Means, Provider
    from turnwise.engine.models.settings import ModelSettings


@dataclass(frozen=True, slots=True)
class ProviderEntry:
    """One provider, as it stands in the list.

    module: its module's dotted name, imported when such a model is first chosen or asked. form: how users
    name a model of it, where that is not NAME:MODEL. key: the environment variable that holds its key, where
    it has one; `turnwise doctor` and `turnwise judge list` look for it. package: what a provider with a key
    needs beside turnwise itself, and `pip install turnwise[NAME]` adds.
    """

    module: str
    form: str = ""
    key: str = ""
    package: str = ""


PROVIDERS = {
    "openai": ProviderEntry("turnwise.engine.models.openai_compatible", key="OPENAI_API_KEY"),
    "embedded": ProviderEntry("turnwise.engine.models.embedded.provider", form="embedded[:NAME]"),
    "anthropic": ProviderEntry(
        "turnwise.engine.models.anthropic_messages", key="ANTHROPIC_API_KEY", package="anthropic"
    ),
    "offline": ProviderEntry("turnwise.engine.models.offline", form="offline:JUDGE"),
}
"""All providers by the name that stands before a model's, in the order in which they are named."""


def model_forms(*, without: tuple[str, ...] = ("offline",)) -> str:
    """Return how a model of each provider is named on the command line, as in `openai:MODEL`.

    without: the providers that are left out.
    """
    return ", ".join(
        entry.form or f"{name}:MODEL" for name, entry in PROVIDERS.items() if name not in without
    )


class ProviderModule(Protocol):
    """What the module of a provider offers; see `provider`."""

    def choose(self, name: str, choosing: Choosing) -> Awaitable[ModelSettings]:
        """Return the model of that name. Raises SettingError and NotFoundError."""

    def spec(self, settings: ModelSettings) -> str | None:
        """Return the text that chooses this model again; None where it would hold a secret."""

    def open_provider(self, settings: ModelSettings, means: Means) -> Provider:
        """Return what asks the model; nothing is sent yet."""


def provider_module(name: str) -> ProviderModule:
    """Return the module of a provider; of `offline:openai` it is that of `offline`. Raises SettingError."""
    first = name.partition(":")[0]
    if first not in PROVIDERS:
        raise SettingError(f"There is no provider {first}", next_step=f"Known: {', '.join(PROVIDERS)}.")
    return cast("ProviderModule", import_module(PROVIDERS[first].module))


def open_provider(settings: ModelSettings, means: Means | None = None) -> Provider:
    """Return what asks a model. Raises SettingError where its provider is not known."""
    from turnwise.engine.models.provider import Means  # the list above is read without it

    return provider_module(settings.provider).open_provider(settings, means or Means())
