"""Words about failure modes: shares with their intervals, bars, and the queries that lead to the sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from turnwise.conversations.store import written_key
from turnwise.conversations.words import percent
from turnwise.engine.people.statistics.intervals import wilson

if TYPE_CHECKING:
    from turnwise.conversations.store import ModeRate

BLOCKS = " ▏▎▍▌▋▊▉"


def interval(rate: ModeRate) -> tuple[float, float] | None:
    """Return the 95 % Wilson interval of a rate's share; None where nothing was reviewed."""
    return wilson(rate.sessions, rate.reviewed) if rate.reviewed else None


def share_words(rate: ModeRate) -> str:
    """Say a share with its interval in percent: "30 % (17-48)"."""
    ends = interval(rate)
    if ends is None:
        return "–"
    low, high = (round(100 * end) for end in ends)
    return f"{percent(rate.share)} ({low}-{high})"


def count_words(rate: ModeRate) -> str:
    """Say how many of how many: "12 of 40"."""
    return f"{rate.sessions:,} of {rate.reviewed:,}"


def bar(share: float, width: int) -> str:
    """Draw a share from 0 to 1 as a bar in `width` cells, fine to an eighth; never empty for a share."""
    eighths = round(share * width * 8)
    eighths = max(eighths, 1) if share > 0 else 0
    full, rest = divmod(eighths, 8)
    return ("█" * full + (BLOCKS[rest] if rest else "")).ljust(width)


def mode_query(name: str, by: str | None = None, group: str | None = None) -> str:
    """Return the query that finds the sessions of a mode, within a group such as a role or tag."""
    terms = [_term("mode", name)]
    head, _, key = (by or "").partition(".")
    field = written_key(head, key) if key else head
    if field and group:
        terms.append(_term(field, group))
    elif field and group is not None and field not in ("role", "tag"):
        terms.append(f"-{field}:*" if key else f'-{field}:""')
    return " ".join(terms)


def _term(field: str, text: str) -> str:
    # The language has no way to write a double quote; a role is found by any part, so its longest one serves.
    if '"' in text:
        text = max(text.split('"'), key=len)
    return f'{field}:"{text}"' if not text or set(text) & set(" \t:<>=") else f"{field}:{text}"
