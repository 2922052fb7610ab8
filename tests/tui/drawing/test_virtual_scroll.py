"""The place keeps what is being read where it is, while heights become known."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnwise.tui.drawing.virtual_scroll import Heights, WindowPlace

heights = st.lists(st.integers(1, 12), min_size=1, max_size=40)
moves = st.lists(st.integers(-15, 15), max_size=20)


def place_over(real: list[int]) -> WindowPlace:
    """A place that believes every item has 3 lines, until it measures."""
    return WindowPlace(Heights([3] * len(real)), real.__getitem__)


@given(heights, moves, st.integers(1, 20))
def test_what_is_in_the_window_has_its_true_height(real: list[int], steps: list[int], window: int) -> None:
    place = place_over(real)
    place.go(0, 0, window)
    for step in steps:
        place.go_to_line(max(0, place.top + step), window)
        item, filled = place.item, -place.line
        while filled < window and item < len(real):
            assert place.heights[item] == real[item]
            filled += real[item]
            item += 1
        assert 0 <= place.line < real[place.item]


@given(heights, moves, st.integers(1, 20))
def test_a_move_of_a_window_or_less_goes_exactly_so_many_lines(
    real: list[int], steps: list[int], window: int
) -> None:
    place = place_over(real)
    place.go(0, 0, window)
    lines = [(item, line) for item, height in enumerate(real) for line in range(height)]
    last = max(0, len(lines) - window)
    for step in (min(step, window) for step in steps):
        before = lines.index((place.item, place.line))
        place.go_to_line(max(0, place.top + step), window)
        assert lines.index((place.item, place.line)) == min(max(0, before + step), last)


@given(heights, st.integers(1, 20))
def test_the_end_fills_the_window(real: list[int], window: int) -> None:
    place = place_over(real)
    place.go(len(real) - 1, 1 << 30, window)
    assert place.lines - place.top <= window or place.top == 0
    assert place.top == max(0, place.lines - window)


def test_nothing_has_no_place() -> None:
    place = place_over([])
    place.go(3, 3, 10)
    assert (place.item, place.line, place.lines) == (0, 0, 0)
