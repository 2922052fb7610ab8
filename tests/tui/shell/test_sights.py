"""What counts as seen of a list, what is said of it, and what is kept for the next sitting."""

from __future__ import annotations

import pytest
from stored import keep

from turnwise.conversations.store import Store
from turnwise.tui.shell.sights import FEW, Sights, looked_at, seen_before_words


@pytest.mark.parametrize(("count", "seen"), [(0, 0), (FEW, FEW), (FEW + 1, 1)])
def test_all_of_a_short_list_is_looked_at_and_one_row_of_a_longer_one(count: int, seen: int) -> None:
    rows = range(count)
    assert len(list(looked_at(count, lambda: rows, rows[-1] if rows else None))) == seen


def test_of_a_long_list_without_a_cursor_nothing_is_looked_at() -> None:
    def rows() -> list[int]:
        raise AssertionError("a long list is not gone through")

    assert list(looked_at(100_000, rows, None)) == []
    assert list(looked_at(100_000, rows, 7)) == [7]


@pytest.mark.parametrize(
    ("seen", "of", "words"),
    [
        (0, 10, ""),
        (1, 1, "It was seen with its scores before: its label is not blind."),
        (1, 10, "1 of 10 was seen with its scores before: its label is not blind."),
        (4, 1000, "4 of 1,000 were seen with their scores before: their labels are not blind."),
        (10, 10, "All 10 were seen with their scores before: their labels are not blind."),
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
