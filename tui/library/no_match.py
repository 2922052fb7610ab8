"""What the library says where a filter finds nothing: why that may be, and what leads out of there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store import terms_of, written_term
from turnwise.conversations.words import counted
from turnwise.tui.library.library_keys import LibraryMoment
from turnwise.tui.session_lists.covered import waiting_words

if TYPE_CHECKING:
    from turnwise.conversations.store import Vocabulary
    from turnwise.tui.session_lists.pages import SessionProvider

_NAMED = {
    "tag": ("has that tag", "have that tag"),
    "mode": ("has that failure mode", "have that failure mode"),
    "label": ("is labelled so", "are labelled so"),
}
"""Fields whose values are names that one looks for as words -> what is said of one session with such a value,
and of several.
"""
_FAILS = ("fails by that metric", "fail by that metric")
"""The same of sessions that fail by a metric."""
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


def found_by_name(query: str, words: Vocabulary, find: Callable[[str], SessionProvider]) -> list[str]:
    """Say which words of a filter are no word of a session but the name of a tag, a failure mode and such.

    words: what there is in the database. find: finds what another query means. Call it from a thread.
    """
    terms = [term.words for term in terms_of(query) if term.words and not term.is_scoped]
    # A name of several words is typed as several.
    together = [" ".join(terms)] if len(terms) > 1 else []
    told: list[str] = []
    for sought in dict.fromkeys([*together, *terms[:MOST_TERMS]]):
        for field, what in _NAMED.items():
            if name := _named_so(words.values(field), sought):
                told.append(_told_by(written_term(field, name), what, find))
        if metric := _named_so(words.metrics, sought):
            told.append(_told_by(written_term(metric, "fail"), _FAILS, find))
    return [sentence for sentence in told if sentence][:MOST_TERMS]


def _named_so(names: Iterable[str], sought: str) -> str:
    return next((name for name in names if _plain(name) == _plain(sought)), "")


def _told_by(query: str, what: tuple[str, str], find: Callable[[str], SessionProvider]) -> str:
    with suppress(TurnwiseError):
        if count := find(query).count():
            return f"{counted(count, 'session')} {what[count > 1]}: {query}"
    return ""


def _plain(name: str) -> str:
    return name.replace("_", " ").strip().casefold()


def way_out(now: LibraryMoment, filter_key: str, clear_key: str) -> str:
    """Say what leads to sessions again, as the keys are at a moment."""
    if now.typing:
        return f"{clear_key} clears it."
    if now.selected:
        return f"{filter_key} changes it."
    return f"{filter_key} changes it; {clear_key} {f'goes {now.way_back}' if now.way_back else 'clears it'}."
