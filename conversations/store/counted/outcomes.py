"""Outcomes: what of them is counted, in the words of SQL that triggers and statements share."""

BUCKETS = 10
"""A histogram of scores has so many parts, of equal width; the last one holds the score 1 too."""
PRICE_UNITS = 10**12
"""So many make a US dollar: whole numbers add up to the same in any order, and come off again exactly."""
NEWEST = "max(coalesce(c.exchange, 0) * 1099511627776 + c.id)"
"""As in lists: of a last-turn metric, what it found about the last exchange; of that, the newest."""
IS_FAILED_TURN = "v.passed = 0 AND v.turn IS NOT NULL"
"""Whether a verdict v says at which turn a session fails."""


def mark_of(row: str) -> str:
    """Return the SQL for how an outcome came out, a part of the histogram, else f or s.

    row: by what name the statement knows it in `scores`.
    """
    part = f"min(CAST({row}.score * {BUCKETS} AS INTEGER), {BUCKETS - 1})"
    return f"CAST(iif({row}.score IS NULL, substr({row}.outcome, 1, 1), {part}) AS TEXT)"


def costs(row: str) -> str:
    """Return the condition that an outcome is one that a judge gave. row: of `scores`.

    A check asks none, and what a file brought was judged elsewhere: without a price they cost nothing here.
    """
    asked = f"{row}.outcome = 'score' AND {row}.judge NOT IN ('', 'none') AND {row}.came_from = ''"
    return f"({row}.cost IS NOT NULL OR ({asked}))"


def price_of(row: str) -> str:
    """Return the SQL for what an outcome cost, in units of PRICE_UNITS; 0 where it is not known."""
    return f"CAST(round(coalesce({row}.cost, 0) * {PRICE_UNITS}.0) AS INTEGER)"
