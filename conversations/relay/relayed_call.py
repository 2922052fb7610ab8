"""A call of a model that went through the proxy, as it is kept until it is part of a session."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Fields = dict[str, Any]
Interface = Literal["chat", "responses", "messages"]
"""Whose words a call is in: OpenAI's chat completions or Responses, Anthropic's Messages."""

_ENDINGS: tuple[tuple[str, Interface], ...] = (
    ("/chat/completions", "chat"),
    ("/responses", "responses"),
    ("/messages", "messages"),
)


@dataclass(frozen=True, slots=True)
class CallNames:
    """What a program said of a call by headers.

    session: its own name of the conversation. user: whose it is.
    """

    session: str = ""
    user: str = ""
    metadata: Fields = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RelayedCall:
    """A request and what came back.

    reply: the whole answer as the interface gives it unstreamed; None where nothing of it came. failure: why
    there is no whole reply, empty where there is one. seconds: from the request to the reply's end.
    first_seconds: to the first piece of it.
    """

    interface: Interface
    request: Fields
    reply: Fields | None
    status: int
    failure: str
    came: float
    seconds: float
    first_seconds: float | None = None
    names: CallNames = field(default_factory=CallNames)


def interface_of(path: str) -> Interface | None:
    """Return the interface that a path is of; None for others, which are passed on and not kept."""
    bare = path.rstrip("/")
    return next((interface for ending, interface in _ENDINGS if bare.endswith(ending)), None)
