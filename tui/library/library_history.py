"""LibraryHistory: what the library did to sessions in this sitting, and taking it back, the newest first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnwise.conversations.undo import ChangeHistory
from turnwise.conversations.words import counted

if TYPE_CHECKING:
    from turnwise.conversations.store import Forgotten, Store, TagChange


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What was taken back, in words. sessions: those that came back; () where only tags changed."""

    words: str
    sessions: tuple[int, ...] = ()


class LibraryHistory:
    """Changes of tags, and sessions that were forgotten."""

    def __init__(self) -> None:
        self._history: ChangeHistory[TagChange | Forgotten] = ChangeHistory()

    def __bool__(self) -> bool:
        """Whether there is a change to take back."""
        return self._history.to_undo is not None

    def add_tags(self, changes: Iterable[TagChange]) -> int:
        """Keep changes of tags that were made, oldest first; return how many sessions they changed."""
        made = [change for change in changes if change.sessions]
        for change in made:
            self._history.make(change)
        return len({session for one in made for session, _ in (*one.given, *one.taken)})

    def add_forgotten(self, forgotten: Forgotten) -> None:
        """Keep what was forgotten, where it can be brought back."""
        if forgotten.sessions:
            self._history.make(forgotten)

    def undo(self, store: Store) -> TakenBack | None:
        """Take the last change back; None where there is none. Raises a StoreError."""
        from turnwise.conversations.store import Forgotten

        change = self._history.to_undo
        if change is None:
            return None
        if isinstance(change, Forgotten):
            taken = TakenBack(_back_words(store.forgetting.bring_back(change), change), change.sessions)
        else:
            taken = TakenBack(_tag_words(store.tags.undo(change)))
        self._history.undo()
        return taken


def _tag_words(undone: TagChange) -> str:
    tags = dict.fromkeys(tag for _, tag in (*undone.given, *undone.taken))
    return f"Taken back: {', '.join(tags)}, {counted(undone.sessions, 'session')}."


def _back_words(came: int, forgotten: Forgotten) -> str:
    again = len(forgotten.sessions) - came
    since = f" {again:,} had been brought in again since, and stayed as it is." if again else ""
    return f"Brought back: {counted(came, 'session')}.{since}"
