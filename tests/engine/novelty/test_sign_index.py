from hypothesis import given
from hypothesis import strategies as st

from turnwise.engine.novelty.sign_index import TOGETHER, index_signs, standing_out


def test_what_one_shows_alone_and_what_most_show_do_not_count() -> None:
    shown = [{"all", f"alone {place}", *(["some"] if place < 4 else [])} for place in range(40)]
    assert index_signs(shown).shown_in == [[0, 1, 2, 3]]


def test_signs_that_come_together_count_as_one() -> None:
    shown = [{"call", "back", "call back"} if place < 5 else set() for place in range(40)]
    index = index_signs(shown)
    assert index.shown_in == [[0, 1, 2, 3, 4]]
    assert index.shown_by[0] == [0]


@given(st.lists(st.sets(st.integers(0, 12)), max_size=60))
def test_both_ways_say_the_same_and_no_two_signs_come_mostly_together(shown: list[set[int]]) -> None:
    index = index_signs(shown)
    for sign, places in enumerate(index.shown_in):
        assert [place for place, signs in enumerate(index.shown_by) if sign in signs] == list(places)
        for other in index.shown_in[:sign]:
            both, either = set(places) & set(other), set(places) | set(other)
            assert len(both) < TOGETHER * len(either)


def test_figures_stand_out_at_both_ends_and_never_where_they_are_usual() -> None:
    shapes = [{"turns": float(place), "errors": float(place == 7)} for place in range(100)]
    found = standing_out(shapes)
    assert found[0] == ["turns least 0.01", "turns least 0.03"]
    assert found[99] == ["turns greatest 0.01", "turns greatest 0.03"]
    assert not found[50]


def test_a_figure_that_few_have_stands_out() -> None:
    found = standing_out([{"errors": float(place < 2)} for place in range(100)])
    assert found[0] == found[1] == ["errors greatest 0.01"]
    assert not any(found[2:])
