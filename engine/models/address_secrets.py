"""Secrets of a request: what a server that repeats its request would bring into words that are kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import unquote_plus, urlsplit

_SHORTEST = 6
"""Characters; a shorter value is no secret, and would be found in any text."""
_HEADER = re.compile(r"auth|key|token|secret|cookie|passw", re.IGNORECASE)


def secrets_of(address: str, headers: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Return what in a request may be a secret, the longest first.

    That is the password and the values in the query of its address, and headers that are named like one.
    """
    try:
        parts = urlsplit(address)
        password = parts.password
    except ValueError:
        return ()
    values = [pair.partition("=")[2] or pair for pair in re.split("[&;]", parts.query)]
    found = {*values, password or ""}
    for name, text in (headers or {}).items():
        if _HEADER.search(name):
            found |= {text, *text.split()[1:]}
    found |= {unquote_plus(one) for one in found}
    return tuple(sorted((one for one in found if len(one) >= _SHORTEST), key=len, reverse=True))


def without_secrets(text: str, secrets: tuple[str, ...]) -> str:
    """Return a text in which no such secret stands, nor the beginning of one where the text was cut."""
    for secret in secrets:
        text = text.replace(secret, "***")
        for size in range(min(len(secret), len(text)), _SHORTEST - 1, -1):
            if text.endswith(secret[:size]):
                text = f"{text[:-size]}***"
                break
    return text
