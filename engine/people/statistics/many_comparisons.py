"""Many comparisons at once: how sure each may be called when the luckiest of them would be shown too."""

from __future__ import annotations

from collections.abc import Sequence

FALSE_SHARE = 0.05
"""Of all that is called certain together, at most this share is chance, on average."""


def adjusted(chances: Sequence[float]) -> list[float]:
    """Return p-values as they count among all that were looked at, in their order, 0 to 1.

    Calling certain what is FALSE_SHARE or less keeps the false discovery rate there, for metrics that are
    independent or rise and fall together. Source: Benjamini and Hochberg, Controlling the False Discovery
    Rate: A Practical and Powerful Approach to Multiple Testing (1995).
    """
    order = sorted(range(len(chances)), key=chances.__getitem__, reverse=True)
    found, least = [1.0] * len(chances), 1.0
    for passed_over, place in enumerate(order):
        least = min(least, chances[place] * len(chances) / (len(chances) - passed_over))
        found[place] = least
    return found
