"""What came of pairs in words: how often each group is preferred, and who leans to a side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwise.conversations.words import counted, percent, percent_range

if TYPE_CHECKING:
    from turnwise.engine.people.agreement import Figure
    from turnwise.engine.people.preferring import SideBias


def share_words(share: Figure) -> tuple[str, str]:
    """Say how often a group is preferred to the others, and the interval or why there is none."""
    if share.value is None:
        return "–", share.why
    told = (
        percent_range(share.low, share.high)
        if share.low is not None and share.high is not None
        else share.why
    )
    return percent(share.value), told


def strength_words(strength: float | None) -> str:
    """Write a strength with its sign, in natural logarithms."""
    return "–" if strength is None else f"{strength:+.2f}".replace("-", "−")


def side_words(person: SideBias) -> str:
    """Say how often somebody preferred the left side, and whether that is a lean."""
    share = person.left
    if share.value is None or share.low is None or share.high is None:
        return f"{person.author} said {counted(person.said, 'tie')}: {share.why}"
    leans = "leans to the left" if share.low > 0.5 else "leans to the right" if share.high < 0.5 else ""
    told = leans or "no lean to a side that is sure"
    chosen = counted(person.chosen, "pair")
    return (
        f"{person.author} preferred the left in {percent(share.value)} of {chosen} "
        f"({percent_range(share.low, share.high)}): {told}"
    )
