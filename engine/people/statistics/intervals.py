"""Intervals: how sure a share is, exactly."""

from __future__ import annotations

from functools import lru_cache
from math import exp, lgamma, log, log1p, nan

_CLOSE = 1e-13
_MOST_STEPS = 10_000
_TINY = 1e-300


@lru_cache(maxsize=4096)
def share_interval(successes: int, trials: int, *, level: float = 0.95) -> tuple[float, float]:
    """Return the exact interval of a share, within 0 to 1; (nan, nan) without trials.

    It holds the true share in `level` of all samples or more, of any size and at any share, also near 0 and
    1 where Wilson's holds in 83 to 92 %. Source: Clopper and Pearson, The Use of Confidence or Fiducial
    Limits Illustrated in the Case of the Binomial (1934). Raises ValueError where there are more successes
    than trials, or fewer than 0.
    """
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes in {trials} trials")
    if not trials:
        return nan, nan
    tail, failures = (1 - level) / 2, trials - successes
    low = _beta_quantile(tail, successes, failures + 1) if successes else 0.0
    high = 1 - _beta_quantile(tail, failures, successes + 1) if failures else 1.0
    return low, high


def _beta_quantile(chance: float, a: int, b: int) -> float:
    """Return below which number a draw of the beta distribution lies with this chance, by halving."""
    low, high = 0.0, 1.0
    while high - low > _CLOSE * max(high, 1e-3):
        middle = (low + high) / 2
        if _beta_share(middle, a, b) < chance:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _beta_share(x: float, a: int, b: int) -> float:
    """Return how much of the beta distribution lies below x, from above 0 to below 1.

    Source: the continued fraction 26.5.8 of Abramowitz and Stegun, Handbook of Mathematical Functions (1964),
    which is short where x lies below the mean; above it the other side is asked.
    """
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_share(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    # Evaluated forwards, as Lentz's method does (Thompson and Barnett, 1986).
    whole, numerator, denominator = 1.0, 1.0, 0.0
    for step in range(1, _MOST_STEPS):
        half = step // 2
        if step % 2:
            part = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            part = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        denominator = 1 / ((1 + part * denominator) or _TINY)
        numerator = (1 + part / numerator) or _TINY
        whole *= numerator * denominator
        if abs(numerator * denominator - 1) < _CLOSE:
            break
    return front / whole
