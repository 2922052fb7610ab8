"""What goes with sessions that are forgotten, in words."""

from __future__ import annotations

from turnwise.conversations.store import Stakes
from turnwise.conversations.words import counted, listed


def stakes_words(stakes: Stakes) -> str:
    """Return words such as "3 sessions with 12 scores, 2 labels and 1 given failure mode"."""
    parts = [
        counted(stakes.labels, "label") if stakes.labels else "",
        counted(stakes.modes, "given failure mode") if stakes.modes else "",
        counted(stakes.preferences, "preference") if stakes.preferences else "",
        counted(stakes.scores, "score") if stakes.scores else "",
    ]
    told = listed([part for part in parts if part]) or "no score and no label"
    return f"{counted(stakes.sessions, 'session')} with {told}"
