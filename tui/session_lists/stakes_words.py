"""What goes with sessions that are forgotten, in words."""

from __future__ import annotations

from turnwise.conversations.store import Stakes
from turnwise.conversations.words import counted, listed


def stakes_words(stakes: Stakes) -> str:
    """Return words such as "3 sessions with 12 scores, 2 labels and 1 given failure mode"."""
    return f"{counted(stakes.sessions, 'session')} with {found_words(stakes) or 'no score and no label'}"


def found_words(stakes: Stakes) -> str:
    """Return the same without the sessions; empty where nothing was found of them."""
    parts = [
        counted(stakes.labels, "label") if stakes.labels else "",
        counted(stakes.modes, "given failure mode") if stakes.modes else "",
        counted(stakes.preferences, "preference") if stakes.preferences else "",
        # More than a list shows: it has the newest of each metric.
        counted(stakes.scores, "score") + " of all runs" * (stakes.scores > 1) if stakes.scores else "",
    ]
    return listed([part for part in parts if part])
