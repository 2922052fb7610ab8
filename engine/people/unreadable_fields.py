"""Unreadable fields: how a file of labels is told that one of its fields cannot be read."""

from __future__ import annotations

from typing import Any

from turnwise.conversations.errors import FormatError

_LONGEST = 60


def unreadable_field(place: str, field: str, expected: str, value: Any, *, next_step: str) -> FormatError:
    """Return the error that names a place and a field of a file, what belongs there, and what stands there.

    place: the file, with the line or label. value: None where nothing stands there.
    """
    given = repr(value)
    shown = given if len(given) < _LONGEST else f"{given[: _LONGEST - 1]}…"
    return FormatError(
        f"{place}: {field} is missing" if value is None else f"{place}: {field} cannot be read",
        detail=f"Expected {expected}." if value is None else f"Expected {expected}; got {shown}.",
        next_step=next_step,
    )
