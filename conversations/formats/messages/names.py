"""The name of a conversation, by what its record calls itself."""

from __future__ import annotations

from typing import Any

_NAMES = ("name", "title", "id", "conversation_id", "session_id", "thread_id", "dialog_id", "task_id")
_LONGEST = 100


def name_of(record: dict[str, Any]) -> str | None:
    """Return the short text by which a record names itself."""
    for key in _NAMES:
        name = record.get(key)
        if isinstance(name, str) and (words := " ".join(name.split())) and len(words) <= _LONGEST:
            return words
    return None
