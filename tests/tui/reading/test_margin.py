"""Verdict marks: one sign a metric, the worst where there are several, nothing by colour alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnwise.tui.reading.margin import Margin, failing, letters, merge, slot_marks, slots_of


def test_the_worst_of_several_verdicts_stands() -> None:
    assert merge([("f", True), ("f", None), ("k", True)]) == {"f": None, "k": True}
    assert merge([("f", False), ("f", True)]) == {"f": False}


def test_one_metric_keeps_the_sign_that_it_has_in_lists() -> None:
    assert slot_marks([("r", True)], ("r",)) == [("✓", True)]
    assert slot_marks([("r", False)], ("r",)) == [("✗", False)]
    assert slot_marks([], ("r",)) == [(" ", None)]


def test_every_metric_has_the_same_slot_in_every_turn() -> None:
    slots = slots_of(("r", "k", "b"), 6)
    assert slots == ("b", "k", "r")
    assert slot_marks([("r", False), ("k", True)], slots) == [("–", None), ("✓", True), ("✗", False)]
    assert slot_marks([("b", None)], slots) == [("~", None), ("–", None), ("–", None)]
    assert slot_marks([], slots) == [(" ", None)] * 3


def test_metrics_without_room_share_the_last_slot_which_shows_their_worst() -> None:
    slots = slots_of(("a", "b", "c", "d"), 3)
    assert slots == ("a", "b", "+")
    assert slot_marks([("a", True), ("c", True), ("d", False)], slots)[-1] == ("✗", False)


def test_a_click_on_a_slot_names_its_metric() -> None:
    margin = Margin.of(9, 60, {2: [("a", True), ("c", False)], 4: [("b", True)]})
    start = margin.slots_start
    assert [margin.letter_at(2, start + cell) for cell in range(-1, 4)] == [None, "a", None, "c", None]
    many = Margin.of(9, 60, {2: [(letter, letter != "h") for letter in "abcdefgh"]})
    assert many.letter_at(2, many.slots_start + 5) == "h"


def test_letters_and_failing_turns_are_read_off_the_verdicts() -> None:
    verdicts = {4: [("k", True)], 2: [("r", False)]}
    assert letters(verdicts.values()) == ("k", "r")
    assert failing(verdicts) == [2]


@given(
    st.dictionaries(
        st.integers(1, 9),
        st.lists(st.tuples(st.sampled_from("abcdefghij"), st.sampled_from((True, False, None))), max_size=9),
    ),
    st.sampled_from((40, 200)),
)
def test_there_are_gaps_where_a_turn_shows_a_dash(
    verdicts: dict[int, list[tuple[str, bool | None]]], window: int
) -> None:
    margin = Margin.of(9, window, verdicts)
    shown = [sign for marks in verdicts.values() if marks for sign, _ in slot_marks(marks, margin.slots)]
    assert margin.has_gaps == ("–" in shown)
