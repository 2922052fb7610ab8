"""Providers: the APIs by which language models are reached, by the name that stands before a model's."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
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
    it has one; `turnwise doctor` and `turnwise judge list` look for it, and a model is not chosen without it.
    address: the variable that names another server, which may want no key. imports: the module that
    `pip install turnwise[NAME]` adds, by the name under which it is imported; a model is not chosen without
    it either.
    """

    module: str
    form: str = ""
    key: str = ""
    address: str = ""
    imports: str = ""

    @property
    def is_installed(self) -> bool:
        """Whether the module that it imports is there."""
        try:
            return not self.imports or find_spec(self.imports) is not None
        except ModuleNotFoundError:
            return False


PROVIDERS = {
    "openai": ProviderEntry("turnwise.engine.models.openai_compatible", key="OPENAI_API_KEY"),
    "embedded": ProviderEntry("turnwise.engine.models.embedded.provider", form="embedded[:NAME]"),
    "anthropic": ProviderEntry(
        "turnwise.engine.models.anthropic_messages",
        key="ANTHROPIC_API_KEY",
        address="ANTHROPIC_BASE_URL",
        imports="anthropic",
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


async def choose_of(provider: str, name: str, choosing: Choosing) -> ModelSettings:
    """Return a provider's model of that name.

    Raises SettingError where the key or the package that the provider's line names is missing, and what the
    provider raises. Where no server may be asked, neither is needed.
    """
    from turnwise.engine.models.provider import missing_key, missing_package  # the list is read without it

    module, entry = provider_module(provider), PROVIDERS[provider]
    if choosing.reachable:
        told = [entry.key, entry.address] if entry.address else [entry.key]
        if entry.key and not any(map(choosing.environment.get, told)):
            raise missing_key(entry.key, name, choosing)
        if not entry.is_installed:
            raise missing_package(provider, entry.imports)
    return await module.choose(name, choosing)


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
