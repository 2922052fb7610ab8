"""Selected sessions that the list does not show, as a filter took them off it: which they are, in words."""

from __future__ import annotations

from collections.abc import Sequence

from turnwise.conversations.safe_text import make_safe_line
from turnwise.conversations.store import Store

MOST_NAMED = 3
"""So many of them are named; of the others it is told how many there are."""


def unlisted_title(selected: int, unlisted: int) -> str:
    """Say how many sessions are selected, and how many of them the list does not show; empty without any."""
    if not selected:
        return ""
    return f"{selected:,} selected, {unlisted:,} not in this list" if unlisted else f"{selected:,} selected"


def unlisted_words(store: Store, selected: int, unlisted: Sequence[int], clear: str) -> str:
    """Say which of the selected sessions are not in the list, in a thread; empty where all are.

    clear: the key that leaves all selected ones.
    """
    if not unlisted:
        return ""
    named = [f"“{make_safe_line(row.name)}”" for row in store.sessions.rows(unlisted[:MOST_NAMED])]
    others = len(unlisted) - len(named)
    names = ", ".join(named) + (f" and {others:,} more" if others else "")
    if selected == 1:
        which = "It is selected and not in this list"
    elif len(unlisted) == selected:
        which = "None of them is in this list"
    else:
        which = f"{len(unlisted):,} of them {'is' if len(unlisted) == 1 else 'are'} not in this list"
    return f"{which}: {names}. {clear} in the library unselects all."
