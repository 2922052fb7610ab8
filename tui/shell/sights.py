"""Sights: which sessions somebody saw with their scores before they labelled them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from textual.dom import DOMNode

from turnwise.conversations.errors import TurnwiseError
from turnwise.conversations.store import Store


def seen_before_words(seen: int, of: int) -> str:
    """Say of how many of the sessions that a queue is chosen from somebody saw the scores; empty for none.

    of: how many these are.
    """
    if not seen:
        return ""
    if of == 1:
        return "You saw its scores before: its label will not be blind."
    which = f"all {of:,}" if seen == of else f"{seen:,} of these"
    label = "its label" if seen == 1 else "their labels"
    return f"You saw the scores of {which} before: {label} will not be blind."


def is_in_sight(part: DOMNode) -> bool:
    """Return whether the screen of a part was opened: nobody sees what is made before it is asked for."""
    return part.screen in part.app.screen_stack


class Sights:
    """Remembers what was seen, at once and without the store; `keep` writes it there, from a thread.

    Seen is what stood on the screen with its marks, in whatever row. Nobody remembers which mark stood where
    in a list of hundreds; but nobody can tell either which of them somebody did remember, and a label that
    is called blind must be. Whoever wants to label blind makes a queue, which hides the marks of its rows.
    """

    def __init__(self, store: Store, author: Callable[[], str]) -> None:
        """author: says who looks."""
        self._store = store
        self._author = author
        self._seen: dict[int, str] = {}
        self._unkept: set[int] = set()

    def add(self, session_id: int, where: str) -> None:
        """Remember that a session's scores are seen. where: in words that go on "you saw some"."""
        if session_id not in self._seen:
            self._seen[session_id] = where
            self._unkept.add(session_id)

    def where(self, session_id: int) -> str:
        """Return where a session's scores were seen first in this sitting; empty where they were not."""
        return self._seen.get(session_id, "")

    @property
    def count(self) -> int:
        """Of how many sessions the scores were seen in this sitting."""
        return len(self._seen)

    def __contains__(self, session_id: int) -> bool:
        """Return whether a session's scores were seen in this sitting."""
        return session_id in self._seen

    def among(self, sessions: Iterable[int]) -> Sequence[int]:
        """Return those whose scores were seen, also in an earlier sitting: call it from a thread."""
        earlier = self._store.labels.seen_sessions(self._author())
        return [one for one in sessions if one in self or one in earlier]

    def keep(self) -> None:
        """Write down what was seen since; where the store is locked or full, the next time will do."""
        wanted, self._unkept = self._unkept, set()
        try:
            if wanted:
                with self._store.impatient():
                    self._store.labels.add_sights(wanted, self._author())
        except TurnwiseError:
            self._unkept |= wanted
