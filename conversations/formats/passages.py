"""Passages as deepeval writes them into text: `deepeval_source=S,deepeval_context=C`."""

from __future__ import annotations

from typing import Any

_SOURCE = "deepeval_source="
_CONTEXT = ",deepeval_context="


def read_passages(passages: list[Any]) -> list[Any]:
    """Return the passages, those that are written with their source as objects of context and source."""
    return [_read(passage) for passage in passages]


def _read(passage: Any) -> Any:
    if not isinstance(passage, str) or not passage.startswith(_SOURCE):
        return passage
    name, mark, text = passage.removeprefix(_SOURCE).partition(_CONTEXT)
    return {"source": name, "context": text} if mark else passage
