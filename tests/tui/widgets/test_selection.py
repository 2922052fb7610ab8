"""Selection: which sessions are taken together."""

from hypothesis import given
from hypothesis import strategies as st

from turnwise.tui.widgets.selection import Selection

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
