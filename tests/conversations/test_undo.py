"""An undo takes the newest change back, a redo makes the one undone last again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.undo import ChangeHistory


def made(*changes: str) -> ChangeHistory[str]:
    history = ChangeHistory[str]()
    for change in changes:
        history.make(change)
    return history


def test_changes_are_taken_back_from_the_newest_on_and_made_again_in_their_order() -> None:
    history = made("one", "two")
    assert (history.to_undo, history.to_redo) == ("two", None)
    history.undo()
    history.undo()
    assert (history.to_undo, history.to_redo) == (None, "one")
    history.redo()
    assert (history.to_undo, history.to_redo) == ("one", "two")


def test_a_new_change_leaves_nothing_to_make_again() -> None:
    history = made("one", "two")
    history.undo()
    history.make("three")
    assert history.to_redo is None
    history.undo()
    # What was undone before the newest change stays undone.
    assert (history.to_undo, history.to_redo) == ("one", "three")


def test_where_there_is_nothing_to_take_back_nothing_happens() -> None:
    history = made()
    history.undo()
    history.redo()
    assert (history.to_undo, history.to_redo) == (None, None)


@given(st.integers(1, 8), st.integers(0, 8))
def test_as_many_redos_as_undos_come_back_to_where_it_was(count: int, steps: int) -> None:
    history = made(*map(str, range(count)))
    for _ in range(min(count, steps)):
        history.undo()
    for _ in range(min(count, steps)):
        history.redo()
    assert (history.to_undo, history.to_redo) == (str(count - 1), None)


def test_a_change_that_is_named_is_taken_back_wherever_it_stands() -> None:
    history = made("one", "two")
    history.undo("one")
    assert (history.to_undo, history.to_redo) == ("two", "one")
    history.redo("one")
    assert (history.to_undo, history.to_redo) == ("one", None)
    history.undo("three")
    assert history.to_redo is None


def test_what_stood_before_is_taken_back_last_and_leaves_what_was_undone_to_be_redone() -> None:
    history = made("two", "three")
    history.undo()
    history.begin_with(["zero", "one"])
    assert history.to_redo == "three"
    taken = []
    while (change := history.to_undo) is not None:
        taken.append(change)
        history.undo()
    assert taken == ["two", "one", "zero"]
