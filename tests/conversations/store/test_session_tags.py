"""Tags: given to many sessions at once, and taken back."""

import pytest
from stored import keep


@pytest.fixture
def three(store) -> list[int]:
    return [keep(store, f"number {number}", "yes", tags=["old"] if number else []) for number in range(3)]


def test_a_change_says_what_it_did_and_can_be_taken_back(store, three: list[int]) -> None:
    change = store.tags.change(three, give=["old", "new"], take=["never"])
    assert change.sessions == 3
    assert set(change.given) == {(three[0], "old"), *((one, "new") for one in three)}
    assert store.tags.counts() == {"new": 3, "old": 3}
    undone = store.tags.undo(change)
    assert set(undone.taken) == set(change.given)
    assert store.tags.counts(three) == {"old": 2}
    assert store.tags.undo(undone) == change or store.tags.counts() == {"new": 3, "old": 3}


def test_counts_of_some(store, three: list[int]) -> None:
    assert store.tags.counts(three[:2]) == {"old": 1}
    assert store.tags.counts([]) == {}


def test_a_session_that_is_not_there_gets_none(store, three: list[int]) -> None:
    assert store.tags.change([10**6], give=["x"]).sessions == 0
    assert "x" not in store.tags.counts()
