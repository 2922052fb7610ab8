"""LookUp: something else than a reply that a judge's server can be asked for, such as embeddings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

NOT_OFFERED = frozenset({400, 404, 405, 415, 422, 501})
"""The answers by which a server says that it does not have what was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LookUp:
    """What is asked of a judge's server beside its replies.

    path: below the server's address. body: what is sent. noun and next_step: for the error where the server
    has no such thing. check: raises MalformedReplyError for an answer that is not what was asked for.
    """

    path: str
    body: Mapping[str, Any]
    noun: str
    next_step: str
    check: Callable[[str], object]

    @property
    def model(self) -> str:
        """The model that is asked; empty where the server chooses."""
        return str(self.body.get("model") or "")
