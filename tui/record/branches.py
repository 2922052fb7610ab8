"""Branches: the ways that a talk took, a session each; every fork names the session that it left."""

from __future__ import annotations

from typing import Any

from turnwise.conversations.errors import NotFoundError
from turnwise.conversations.store import Store

_MOST = 200


def branches_of(store: Store, session_id: int) -> list[int]:
    """Return a session, what it was forked from, what was forked from these, and so on, by number."""
    found: set[int] = set()
    waiting = [session_id]
    while waiting and len(found) < _MOST:
        one = waiting.pop()
        if one in found or one not in store.sessions:
            continue
        found.add(one)
        if (origin := origin_of(store, one)) is not None:
            waiting.append(origin)
        forks = store.sessions.ids(f"meta.forked_from:{one}")
        waiting += [fork for fork in forks if origin_of(store, fork) == one]
    return sorted(found)


def origin_of(store: Store, session_id: int) -> int | None:
    """Return the session that another was forked from; None where it was not."""
    try:
        metadata: dict[str, Any] | None = getattr(store.sessions.case(session_id), "metadata", None)
    except NotFoundError:
        return None
    origin = (metadata or {}).get("forked_from")
    return origin if isinstance(origin, int) else None
