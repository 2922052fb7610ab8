"""Numbers as files write them: of any length, which a float cannot hold."""

from __future__ import annotations

import math


def is_finite(number: float) -> bool:
    """Whether a number is one that a float can hold; a whole number may have hundreds of digits."""
    try:
        return math.isfinite(number)
    except OverflowError:
        return False
