"""What is said of what was seen, and what is kept for the next sitting."""

from __future__ import annotations

import pytest
from stored import keep

from turnwise.conversations.store import Store
from turnwise.tui.shell.sights import Sights, seen_before_words


@pytest.mark.parametrize(
    ("seen", "of", "words"),
    [
        (0, 10, ""),
        (1, 1, "You saw its scores before: its label will not be blind."),
        (1, 10, "You saw the scores of 1 of these before: its label will not be blind."),
        (4, 1000, "You saw the scores of 4 of these before: their labels will not be blind."),
        (10, 10, "You saw the scores of all 10 before: their labels will not be blind."),
    ],
)
def test_how_many_were_seen_is_said_in_one_sentence(seen: int, of: int, words: str) -> None:
    assert seen_before_words(seen, of) == words


def test_what_was_seen_in_an_earlier_sitting_counts_and_what_others_saw_does_not(store: Store) -> None:
    ids = [keep(store, f"Where is bag {number}?", "In Oslo.") for number in range(4)]
    earlier = Sights(store, lambda: "mia")
    earlier.add(ids[0], "in the library")
    earlier.keep()
    store.labels.add_sights([ids[1]], "ben")
    now = Sights(store, lambda: "mia")
    now.add(ids[2], "in the library")
    assert now.among(ids) == [ids[0], ids[2]]
    assert store.labels.seen_sessions("mia") == {ids[0]}
