"""Key hosts: to which host a variable of the environment may go, as its key belongs there or the user says.

A file names a host and a variable; only the user can say that the two belong together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from turnwise.conversations.errors import SettingError

KEY_OPTION = "--send-key"
"""The option by which a user names a variable and the host that it may go to."""
COMPATIBLE = {
    "openai": ("https://api.openai.com/v1", "OPENAI_API_KEY"),
    "openrouter": ("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    "groq": ("https://api.groq.com/openai/v1", "GROQ_API_KEY"),
    "deepseek": ("https://api.deepseek.com/v1", "DEEPSEEK_API_KEY"),
    "mistral": ("https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
    "togetherai": ("https://api.together.xyz/v1", "TOGETHER_API_KEY"),
    "cerebras": ("https://api.cerebras.ai/v1", "CEREBRAS_API_KEY"),
    "xai": ("https://api.x.ai/v1", "XAI_API_KEY"),
    "ollama": ("http://localhost:11434/v1", ""),
}
"""Providers of the Chat Completions API: address, and the variable that holds the key."""
_BELONGS = {
    **{key: address for address, key in COMPATIBLE.values() if key},
    "ANTHROPIC_API_KEY": "https://api.anthropic.com",
}
_MOVED_BY = {
    "OPENAI_API_KEY": ("OPENAI_BASE_URL", "OPENAI_API_BASE_URL"),
    "ANTHROPIC_API_KEY": ("ANTHROPIC_BASE_URL",),
    "AZURE_OPENAI_API_KEY": ("AZURE_OPENAI_ENDPOINT",),
}
"""The variables by which the user says where a service is reached instead."""
_ADDRESSES = frozenset(("OPENAI_API_HOST", *(name for names in _MOVED_BY.values() for name in names)))
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedKey:
    """A variable that the user lets go to a host. port: None for any."""

    name: str
    host: str
    port: int | None = None


@dataclass(frozen=True, slots=True)
class KeyHosts:
    """Where the variables of an environment may go. named: the pairs that the user names."""

    environment: Mapping[str, str]
    named: tuple[NamedKey, ...] = ()

    def allow(self, name: str, address: str) -> bool:
        """Whether a variable may go to the host of an address."""
        if name in _ADDRESSES:
            return True
        origin = _origin(address)
        if origin is None:
            return False
        _, host, port = origin
        if any((one.name, one.host) == (name, host) and one.port in (None, port) for one in self.named):
            return True
        return origin in [_origin(own) for own in self._own(name)]

    def told(self) -> dict[str, str]:
        """Return the variables that the user lets go to some host; an address may be made of them."""
        names = _ADDRESSES.union(one.name for one in self.named)
        return {name: value for name, value in self.environment.items() if name in names}

    def _own(self, name: str) -> list[str]:
        own = [self.environment.get(variable, "") for variable in _MOVED_BY.get(name, ())]
        if name == "OPENAI_API_KEY" and (host := self.environment.get("OPENAI_API_HOST")):
            own.append(f"https://{host}")
        if name == "AZURE_OPENAI_API_KEY":
            # Its endpoint may be named by the resource alone.
            own = [one if "://" in one else f"https://{one}.openai.azure.com" for one in own if one]
        return [address for address in (_BELONGS.get(name, ""), *own) if address]


def named_key(text: str) -> NamedKey:
    """Return the pair that NAME=HOST means, HOST with or without a port. Raises SettingError."""
    name, _, place = text.partition("=")
    try:
        parts = urlsplit(f"//{place.strip()}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not name.strip() or not host or "/" in place or "@" in place:
        raise SettingError(
            f"{KEY_OPTION} takes the name of a variable and a host",
            detail=f"given {text!r}",
            next_step=f"Write it as in {KEY_OPTION} BOT_KEY=bot.example.com.",
        )
    return NamedKey(name=name.strip(), host=host, port=port)


def host_of(address: str) -> str:
    """Return the host of an address as a user names it, with its port where that is not the usual one."""
    origin = _origin(address)
    if origin is None:
        return "HOST"
    scheme, host, port = origin
    shown = f"[{host}]" if ":" in host else host
    return shown if port == _PORTS.get(scheme) else f"{shown}:{port}"


def _origin(address: str) -> tuple[str, str, int] | None:
    try:
        parts = urlsplit(address)
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        return None
    if not parts.hostname or "{" in parts.netloc:
        return None
    return parts.scheme, parts.hostname, port
