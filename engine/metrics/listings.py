"""Listings: settings that are lists, given as a list or typed as a text with commas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from turnwise.conversations.errors import SettingError


def given_list(given: Sequence[Any] | str) -> list[Any]:
    """Return a setting's items; those of a text are what stands between its commas."""
    if isinstance(given, str):
        return [part.strip() for part in given.split(",") if part.strip()]
    return list(given)


def required(key: str, setting: str, items: Sequence[Any], sample: str) -> None:
    """Raise SettingError where a metric's list is empty. sample: what it could be."""
    if not items or not all(item if not isinstance(item, str) else item.strip() for item in items):
        raise SettingError(f"{key} needs {setting}", next_step=f"For example: --metric '{key}:{sample}'")
