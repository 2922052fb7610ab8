"""The gate: who may come in at all. A token in the address once, from then on a cookie.

A page of somebody else may run in the same browser. It cannot read our answers, but it can ask: by a name
that leads to this machine (DNS rebinding), which the Host header tells, or from its own origin, which may be
another port of this machine and is what the Origin header tells. It cannot know the token.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from turnwise.conversations.live import names_loopback, new_token

Entry = Literal["in", "token", "not ours", "closed"]
TOKEN = "token"  # noqa: S105 - its name
"""Under this name the token stands in the address."""


@dataclass(frozen=True, slots=True)
class Gate:
    """What opens it.

    port: where the server listens. token: what the first address holds. pass_word: what the cookie holds.
    """

    port: int
    token: str = field(default_factory=new_token)
    pass_word: str = field(default_factory=new_token)

    @property
    def cookie(self) -> str:
        """The cookie's name. Browsers do not tell ports apart, and another of these may run."""
        return f"turnwise-{self.port}"

    def judge(self, headers: Mapping[str, str], cookies: Mapping[str, str], token: str | None) -> Entry:
        """Say what becomes of a request: it is in, or in by its token, or not ours, or the gate is closed."""
        host = headers.get("Host", "")
        if not names_loopback(host, self.port) or headers.get("Origin", f"http://{host}") != f"http://{host}":
            return "not ours"
        if token is not None and _same(token, self.token):
            return "token"
        return "in" if _same(cookies.get(self.cookie, ""), self.pass_word) else "closed"


def _same(one: str, other: str) -> bool:
    """Compare in a time that tells nothing."""
    return secrets.compare_digest(one.encode(errors="replace"), other.encode())
