"""System prompts: in how many cases the two sides of a comparison were answered by different ones."""

from __future__ import annotations

from collections.abc import Iterable

from turnwise.conversations.store import Store

_AT_ONCE = 250
"""Cases whose prompts are held at one time: long ones of all cases would fill the memory."""


def differing_prompts(store: Store, cases: Iterable[tuple[int, int]]) -> int:
    """Return of how many cases, each a session of A and one of B, the system prompts are not the same."""
    apart = 0
    unlike = [case for case in cases if case[0] != case[1]]
    for start in range(0, len(unlike), _AT_ONCE):
        some = unlike[start : start + _AT_ONCE]
        prompts = store.turns.prompts([session for case in some for session in case])
        apart += sum(prompts.get(a, ()) != prompts.get(b, ()) for a, b in some)
    return apart
