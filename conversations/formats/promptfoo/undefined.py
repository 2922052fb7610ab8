"""Variables that a prompt shows and a test does not have: a template leaves them empty without a word."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from turnwise.conversations.words import A_SLIP, nearest

_BARE = re.compile(r"\{%-?\s*raw\s*-?%\}.*?\{%-?\s*endraw\s*-?%\}|\{#.*?#\}", re.DOTALL)
# Bounded, as a text of openings would be read to its end from each of them.
_SHOWN = re.compile(r"\{\{-?\s*([A-Za-z_]\w{0,200})([^{}]{0,500})\}\}", re.ASCII)
_TAG = re.compile(r"\{%([^{}%]{0,1000})%\}")
_WORD = re.compile(r"[A-Za-z_]\w{0,200}", re.ASCII)
_MAY_BE_ABSENT = re.compile(r"\|\s*(?:default|d)\b|\b(?:or|if|is)\b|\?")
_OWN = frozenset(("env", "loop", "range", "cycler", "joiner", "null", "none", "true", "false", "not"))
_HISTORY = "_conversation"


@lru_cache(maxsize=256)
def names_shown(prompt: str) -> tuple[str, ...]:
    """Return the variables that a prompt shows wherever it is asked, in their order.

    Those that it sets itself, and those that a condition of it names, may be absent and are none of them.
    """
    text = _BARE.sub("", prompt)
    in_tags = {word for tag in _TAG.finditer(text) for word in _WORD.findall(tag[1])}
    shown = (found[1] for found in _SHOWN.finditer(text) if not _MAY_BE_ABSENT.search(found[2]))
    return tuple(dict.fromkeys(name for name in shown if name not in in_tags | _OWN | {_HISTORY}))


def meant_instead(name: str, prompt: str, variables: Collection[str]) -> tuple[str | None, bool]:
    """Return the variable that was likely meant by an unknown one, and whether hardly anything else was.

    Only what the prompt does not show otherwise can have been meant.
    """
    left = [one for one in variables if one not in names_shown(prompt) and one != _HISTORY]
    if (slip := nearest(name, left, alike=A_SLIP)) is not None:
        return slip, True
    return nearest(name, left) or (left[0] if len(left) == 1 else None), False
