"""Which sessions are taken together, and which changes of their tags can be taken back."""

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from turnwise.conversations.store import Store
from turnwise.tui.session_lists.ids_when_asked import IdsWhenAsked
from turnwise.tui.session_lists.selection import Selection
from turnwise.tui.session_lists.stored_sessions import FoundSessions

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
    selection.toggle(5)
    assert len(selection) == 1
    selection.clear()
    assert 5 not in selection


class Listed(FoundSessions):
    """The sessions of a list; counts how often it is asked which they are."""

    def __init__(self, store: Store, ids: Iterable[int]) -> None:
        super().__init__(store, ids)
        self.asked = 0

    def ids(self) -> list[int]:
        self.asked += 1
        return super().ids()


def all_of(listed: Listed) -> IdsWhenAsked:
    return IdsWhenAsked(listed)


def test_all_of_a_list_are_taken_before_it_is_asked_which_they_are(store: Store) -> None:
    listed, selection = Listed(store, SHOWN), Selection()
    selection.take_all(all_of(listed))
    assert len(selection) == 5
    assert all(session in selection for session in SHOWN)
    assert not selection.toggle(9)
    assert (len(selection), 9 in selection) == (4, False)
    assert not listed.asked
    assert selection.in_order(SHOWN) == [5, 3, 1, 7]
    assert (len(selection), 9 in selection, listed.asked) == (4, False, 1)


def test_all_of_a_list_that_were_left_again_are_never_asked_for(store: Store) -> None:
    listed, selection = Listed(store, SHOWN), Selection()
    selection.take_all(all_of(listed))
    selection.clear()
    selection.settle()
    assert (len(selection), listed.asked) == (0, 0)


def test_what_is_taken_stays_where_another_list_is_shown(store: Store) -> None:
    selection = Selection()
    selection.toggle(100)
    selection.take_all(all_of(Listed(store, SHOWN)))
    assert len(selection) == 6
    selection.clear()
    selection.take_all(all_of(Listed(store, SHOWN)))
    selection.settle()
    selection.take_all(all_of(Listed(store, [7, 8])))
    assert selection.in_order([8, 7]) == [8, 7, 1, 3, 5, 9]


def test_what_a_list_does_not_show_is_counted_once_for_each_list() -> None:
    selection = Selection()
    for session in (5, 3):
        selection.toggle(session)
    assert selection.unlisted_count == 0
    selection.is_listed_by([3, 9])
    assert selection.unlisted == [5]
    selection.toggle(9)
    selection.toggle(3)
    assert selection.unlisted == [5]
    selection.is_listed_by(None)
    assert selection.unlisted_count == 0
    selection.is_listed_by([1])
    assert selection.unlisted == [5, 9]
    selection.clear()
    assert selection.unlisted_count == 0
