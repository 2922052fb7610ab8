"""Numbers as files hold them: as JSON numbers, or as texts that say one."""

from __future__ import annotations

import math
from typing import Any, TypeGuard

_LARGEST = 2**53
LATEST = 2e11
"""Seconds since 1970 that are still a date: up to the year 8307."""


def is_number(value: Any) -> TypeGuard[float]:
    """Return whether a value is a number that a database and other programs take as it is."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < _LARGEST


def number_of(value: Any) -> Any:
    """Return a number that is written as text as the number; anything else as it stands."""
    if not isinstance(value, str):
        return value
    try:
        number = float(value)
    except ValueError:
        return value
    if not math.isfinite(number):
        return value
    return int(number) if number.is_integer() else number
