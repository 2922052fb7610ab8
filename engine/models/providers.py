"""Providers: the APIs by which language models are reached, by the name that stands before a model's."""

from __future__ import annotations

from collections.abc import Awaitable
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from turnwise.conversations.errors import SettingError

if TYPE_CHECKING:
    from turnwise.engine.models.provider import Choosing, Means, Provider
    from turnwise.engine.models.settings import ModelSettings

PROVIDERS = {
    "openai": "turnwise.engine.models.openai_compatible",
    "embedded": "turnwise.engine.models.embedded.provider",
    "anthropic": "turnwise.engine.models.anthropic_messages",
    "offline": "turnwise.engine.models.offline",
}
"""The module of each provider, imported when such a model is first chosen or asked."""
_FORMS = {"embedded": "embedded[:NAME]", "offline": "offline:JUDGE"}
"""How users name a model of a provider, where it is not NAME:MODEL."""


def model_forms(*, without: tuple[str, ...] = ("offline",)) -> str:
    """Return how a model of each provider is named on the command line, as in `openai:MODEL`.

    without: the providers that are left out.
    """
    return ", ".join(_FORMS.get(name, f"{name}:MODEL") for name in PROVIDERS if name not in without)


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
    return cast("ProviderModule", import_module(PROVIDERS[first]))


def open_provider(settings: ModelSettings, means: Means | None = None) -> Provider:
    """Return what asks a model. Raises SettingError where its provider is not known."""
    from turnwise.engine.models.provider import Means  # the list above is read without it

    return provider_module(settings.provider).open_provider(settings, means or Means())
