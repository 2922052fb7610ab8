"""LibraryHistory: what the library did to sessions in this sitting, and taking it back, the newest first."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from turnwise.conversations.undo import ChangeHistory
from turnwise.conversations.words import counted

if TYPE_CHECKING:
    from turnwise.conversations.store import BroughtIn, Forgotten, Store, TagChange


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What was taken back, in words. sessions: those that came back; () where none did. some_went: whether
    sessions may have gone.
    """

    words: str
    sessions: tuple[int, ...] = ()
    some_went: bool = False


class LibraryHistory:
    """Changes of tags, sessions that were forgotten, and imports."""

    def __init__(self) -> None:
        self._history: ChangeHistory[TagChange | Forgotten | BroughtIn] = ChangeHistory()

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

    def add_import(self, brought: BroughtIn) -> None:
        """Keep what an import brought in."""
        self._history.make(brought)

    @property
    def import_to_undo(self) -> BroughtIn | None:
        """The import that an undo takes back; None where that takes back something else, or nothing."""
        from turnwise.conversations.store import BroughtIn

        change = self._history.to_undo
        return change if isinstance(change, BroughtIn) else None

    def undo(self, store: Store, *, stop: Callable[[], bool] = lambda: False) -> TakenBack | None:
        """Take the last change back; None where there is none. Raises a StoreError.

        stop: asked now and then while an import is taken back; where it says so, the rest stays.
        """
        change = self._history.to_undo
        if change is None:
            return None
        # Before it is done: a key that comes again meanwhile takes back the change before it.
        self._history.undo()
        try:
            return _take_back(change, store, stop)
        except BaseException:
            self._history.redo()
            raise


def _take_back(
    change: TagChange | Forgotten | BroughtIn, store: Store, stop: Callable[[], bool]
) -> TakenBack:
    from turnwise.conversations.store import BroughtIn, Forgotten

    if isinstance(change, Forgotten):
        return TakenBack(_back_words(store.forgetting.bring_back(change), change), change.sessions)
    if isinstance(change, BroughtIn):
        from turnwise.tui.importing.taken_back_words import taken_back_words

        return TakenBack(
            taken_back_words(store.taking_back.take_back(change, stop=stop), change), some_went=True
        )
    return TakenBack(_tag_words(store.tags.undo(change)))


def _tag_words(undone: TagChange) -> str:
    tags = dict.fromkeys(tag for _, tag in (*undone.given, *undone.taken))
    return f"Taken back: {', '.join(tags)}, {counted(undone.sessions, 'session')}."


def _back_words(came: int, forgotten: Forgotten) -> str:
    again = len(forgotten.sessions) - came
    since = f" {again:,} had been brought in again since, and stayed as it is." if again else ""
    return f"Brought back: {counted(came, 'session')}.{since}"
