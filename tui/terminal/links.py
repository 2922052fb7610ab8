"""Links: addresses in texts of others, as codes that let a terminal open them.

A link leads where its own words say and nowhere else. Only http, https and files of this machine are linked,
and nothing of an address reaches the terminal that is no plain character of one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import quote, urlsplit

MOST_CHARACTERS = 2_000
"""Longer addresses are left as text."""

# Up to what no address holds; among it the sign that stands for a control character.
_ADDRESS = re.compile(r"https?://[^\s<>\"`\\^{}|\x00-\x20\x7f-\xa0‹›…]+", re.IGNORECASE)
_BEHIND = ".,;:!?'*_~"
_CLOSES = {")": "(", "]": "["}
_CODES = set(range(0x21, 0x7F))
_KEPT = "%:/?#[]@!$&'()*+,;=-._~"


def addresses(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the addresses in a text that was made safe: where each begins and ends, and where it leads."""
    if "://" not in text:
        return
    for match in _ADDRESS.finditer(text):
        shown = _trimmed(match[0])
        if target := _target(shown):
            yield match.start(), match.start() + len(shown), target


def _trimmed(address: str) -> str:
    """Leave out what belongs to the sentence around an address."""
    while address:
        last = address[-1]
        closes = last in _CLOSES and address.count(last) > address.count(_CLOSES[last])
        if last not in _BEHIND and not closes:
            break
        address = address[:-1]
    return address


def _target(address: str) -> str:
    """Return an address as a terminal may have it; empty where it is better not a link."""
    try:
        parts = urlsplit(address)
        named = parts.hostname
    except ValueError:
        return ""
    # A name before the host, or letters that look like others in it, lead elsewhere than they seem to.
    if not named or "@" in parts.netloc or not parts.netloc.isascii():
        return ""
    target = quote(address, safe=_KEPT)
    return target if len(target) <= MOST_CHARACTERS and set(map(ord, target)) <= _CODES else ""


def source_target(source: str) -> str:
    """Return where the source of a session leads: an address, or a file that is here; empty for neither."""
    if found := next(addresses(source), None):
        return found[2] if found[:2] == (0, len(source)) else ""
    try:
        path = Path(source)
        return path.as_uri() if path.is_absolute() and path.exists() else ""
    except (OSError, ValueError):
        return ""


def link(text: str, target: str) -> str:
    """Return a text that was made safe as a link."""
    return f"\x1b]8;;{target}\x1b\\{text}\x1b]8;;\x1b\\" if target else text


def linked(text: str) -> str:
    """Return a text that was made safe with its addresses as links."""
    parts, done = [], 0
    for start, end, target in addresses(text):
        parts += [text[done:start], link(text[start:end], target)]
        done = end
    return "".join([*parts, text[done:]])


def takes_links(environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether a terminal is one that leaves out what it does not know of links."""
    return environment.get("TERM", "dumb") not in ("dumb", "linux", "")
