"""Which sessions are taken together, and which changes of their tags can be taken back."""

from hypothesis import given
from hypothesis import strategies as st
from stored import keep

from turnwise.conversations.store import Store
from turnwise.tui.session_lists.selection import Selection, TagHistory

SHOWN = [5, 3, 9, 1, 7]


def test_a_range_goes_from_the_one_before_and_both_ways() -> None:
    selection = Selection()
    assert selection.toggle(9)
    selection.take_range(SHOWN, 5)
    assert selection.in_order(SHOWN) == [5, 3, 9]
    selection.take_range(SHOWN, 1)
    assert selection.in_order(SHOWN) == [5, 3, 9, 1]


def test_without_an_anchor_in_sight_a_range_is_one() -> None:
    selection = Selection()
    selection.take_range(SHOWN, 9)
    assert selection.in_order(SHOWN) == [9]
    selection.toggle(100)
    selection.take_range(SHOWN, 1)
    assert selection.in_order(SHOWN) == [9, 1, 100]


@given(st.lists(st.sampled_from(SHOWN)))
def test_twice_is_not_at_all(toggled: list[int]) -> None:
    selection = Selection()
    for session in (*toggled, *toggled):
        selection.toggle(session)
    assert not selection
    selection.take(SHOWN)
    assert len(selection) == len(SHOWN)
    selection.clear()
    assert 5 not in selection


def test_changes_of_tags_are_taken_back_the_last_one_first(store: Store) -> None:
    first, second = keep(store, "a"), keep(store, "b")
    history = TagHistory()
    assert history.undo(store.tags) is None
    old = store.tags.change([first, second], give=["old"])
    assert history.add([old, store.tags.change([first], give=["new"], take=["old"])]) == 2
    # What changed nothing is nothing to take back.
    assert history.add([store.tags.change([first], give=["new"])]) == 0
    history.undo(store.tags)
    assert store.tags.counts() == {"old": 2}
    assert history
    undone = history.undo(store.tags)
    assert undone is not None
    assert undone.sessions == 2
    assert store.tags.counts() == {}
    assert not history
