"""What the library says where a filter finds nothing: why that may be, and what leads out of there."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store import terms_of
from turnwise.tui.library.library_keys import LibraryMoment
from turnwise.tui.session_lists.covered import waiting_words

if TYPE_CHECKING:
    from turnwise.conversations.store import Vocabulary
    from turnwise.tui.session_lists.pages import SessionProvider

MOST_TERMS = 5
"""A filter of more terms is not tried without each of them."""


def nothing_matches(query: str, left_out: int, words: Vocabulary) -> list[str]:
    """Say that a filter finds nothing, of how many sessions it was not asked, and what it may have meant."""
    from turnwise.conversations.store import filter_hints

    waiting = [f"{waiting_words(left_out)}."] if left_out else []
    return ["Nothing matches this filter.", *waiting, *filter_hints(query, words)]


def found_without(query: str, find: Callable[[str], SessionProvider]) -> str:
    """Say how many sessions a filter that finds nothing would find without one of its terms; empty where
    that is none, whichever it is.

    find: finds what another query means. Call it from a thread.
    """
    terms = [term.text for term in terms_of(query)]
    if not 1 < len(terms) <= MOST_TERMS:
        return ""
    told: list[str] = []
    for at, term in enumerate(terms):
        with suppress(TurnwiseError):
            if found := find(" ".join([*terms[:at], *terms[at + 1 :]])).count():
                told.append(f"{found:,} without “{term}”")
    return f"It finds {', '.join(told)}." if told else ""


def way_out(now: LibraryMoment, filter_key: str, clear_key: str) -> str:
    """Say what leads to sessions again, as the keys are at a moment."""
    if now.typing:
        return f"{clear_key} clears it."
    if now.selected:
        return f"{filter_key} changes it."
    return f"{filter_key} changes it; {clear_key} {f'goes {now.way_back}' if now.way_back else 'clears it'}."
