"""Many comparisons at once: how sure each may be called when the luckiest of them would be shown too."""

from __future__ import annotations

from collections.abc import Sequence

FALSE_SHARE = 0.05
"""Of all that is called certain together, at most this share is chance, on average."""


def adjusted(chances: Sequence[float], least: Sequence[float] | None = None) -> list[float]:
    """Return p-values as they count among all that were looked at, in their order, 0 to 1.

    least: the smallest that each could have been, given how much moved at all. What could not have been
    FALSE_SHARE or less, because hardly anything moved, is not called certain and does not count among those
    that were looked at: Gilbert, A Modified False Discovery Rate Multiple-Comparisons Procedure for Discrete
    Data (2005), after Tarone (1990).

    Calling certain what is FALSE_SHARE or less keeps the false discovery rate there, for metrics that are
    independent or rise and fall together. Source: Benjamini and Hochberg, Controlling the False Discovery
    Rate: A Practical and Powerful Approach to Multiple Testing (1995).
    """
    could = [one <= FALSE_SHARE for one in least] if least is not None else [True] * len(chances)
    order = [place for place, able in enumerate(could) if able]
    order.sort(key=chances.__getitem__, reverse=True)
    found, smallest = [1.0] * len(chances), 1.0
    for passed_over, place in enumerate(order):
        smallest = min(smallest, chances[place] * len(order) / (len(order) - passed_over))
        found[place] = smallest
    return found
