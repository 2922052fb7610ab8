"""What the library did is taken back, the newest first."""

from __future__ import annotations

from stored import keep

from turnwise.conversations.store import Store
from turnwise.tui.library.library_history import LibraryHistory


def test_changes_of_tags_are_taken_back_the_last_one_first(store: Store) -> None:
    first, second = keep(store, "a"), keep(store, "b")
    history = LibraryHistory()
    assert history.undo(store) is None
    old = store.tags.change([first, second], give=["old"])
    assert history.add_tags([old, store.tags.change([first], give=["new"], take=["old"])]) == 2
    # What changed nothing is nothing to take back.
    assert history.add_tags([store.tags.change([first], give=["new"])]) == 0
    history.undo(store)
    assert store.tags.counts() == {"old": 2}
    assert history
    undone = history.undo(store)
    assert undone is not None
    assert undone.words == "Taken back: old, 2 sessions."
    assert store.tags.counts() == {}
    assert not history


def test_what_was_forgotten_comes_back_in_its_turn(store: Store) -> None:
    first, second = keep(store, "a"), keep(store, "b")
    history = LibraryHistory()
    history.add_tags([store.tags.change([first], give=["old"])])
    history.add_forgotten(store.forgetting.forget([first, second], to_bring_back=True))
    back = history.undo(store)
    assert back is not None
    assert (back.words, back.sessions) == ("Brought back: 2 sessions.", (first, second))
    assert store.tags.counts() == {"old": 1}
    assert history
    history.undo(store)
    assert store.tags.counts() == {}


def test_one_that_came_in_again_meanwhile_is_told(store: Store) -> None:
    history = LibraryHistory()
    history.add_forgotten(store.forgetting.forget([keep(store, "a"), keep(store, "b")], to_bring_back=True))
    keep(store, "a")
    back = history.undo(store)
    assert back is not None
    assert back.words == "Brought back: 1 session. 1 had been brought in again since, and stayed as it is."


def test_what_cannot_be_brought_back_is_nothing_to_take_back(store: Store) -> None:
    history = LibraryHistory()
    history.add_forgotten(store.forgetting.forget([keep(store, "a")]))
    history.add_forgotten(store.forgetting.forget([10**6], to_bring_back=True))
    assert not history
