"""Metadata: what an eval file says of all its cases, and each case of itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def of_all_cases(document: Mapping[str, Any], *, tags: bool = False) -> dict[str, Any]:
    """Return what a file says of all its cases: its metadata and governance; tags: its list of tags too."""
    own = document.get("metadata")
    found = dict(own) if isinstance(own, dict) else {}
    if tags:
        listed = document.get("tags")
        found.pop("tags", None)
        found |= {"tags": listed} if isinstance(listed, list) else {}
    if isinstance(governance := document.get("governance"), dict):
        found["governance"] = governance
    return found


def merged(own: Mapping[str, Any], shared: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a case says of itself over what holds for all; lists go together, and so do objects."""
    found = dict(own)
    for key, item in shared.items():
        mine = found.get(key)
        if isinstance(item, list) and isinstance(mine, list):
            both = [*item, *mine]
            found[key] = [one for place, one in enumerate(both) if one not in both[:place]]
        elif isinstance(item, dict) and isinstance(mine, dict):
            found[key] = merged(mine, item)
        elif mine is None:
            found[key] = item
    return found
