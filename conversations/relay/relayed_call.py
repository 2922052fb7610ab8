"""A call of a model that went through the proxy, as it is kept until it is part of a session."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

Fields = dict[str, Any]
Interface = Literal["chat", "responses", "messages"]
"""Whose words a call is in: OpenAI's chat completions or Responses, Anthropic's Messages."""

PROXY = "proxy"
"""Where sessions of the proxy come from, for people, and what those of all calls call their format."""
_ENDINGS: tuple[tuple[str, Interface], ...] = (
    ("/chat/completions", "chat"),
    ("/responses", "responses"),
    ("/messages", "messages"),
)


@dataclass(frozen=True, slots=True)
class CallNames:
    """What a program said of a call by headers.

    session: its own name of the conversation. user: whose it is. title: what the session is called. role:
    what the chatbot is supposed to be. lane: who of several said it, where they are known apart. source:
    where the session comes from, for people.
    """

    session: str = ""
    user: str = ""
    metadata: Fields = field(default_factory=dict)
    title: str = ""
    role: str = ""
    lane: str = ""
    source: str = PROXY


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
