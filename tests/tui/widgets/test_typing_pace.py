"""A turn types itself at the end of the pause before it, and is whole when the pause is over."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from turnwise.tui.widgets.typing_pace import typed_characters

LENGTHS = st.integers(0, 50_000)
PAUSES = st.floats(0.4, 6)
SHARES = st.floats(0, 1)


@given(LENGTHS, PAUSES, SHARES, SHARES)
def test_more_is_never_followed_by_less(length: int, pause: float, one: float, other: float) -> None:
    first, then = sorted((one, other))
    assert typed_characters(length, pause, first) <= typed_characters(length, pause, then) <= length


@given(LENGTHS, PAUSES)
def test_it_begins_empty_and_ends_whole(length: int, pause: float) -> None:
    assert typed_characters(length, pause, 0) == 0
    assert typed_characters(length, pause, 1) == length


def test_a_short_turn_after_a_long_pause_waits_for_its_time() -> None:
    assert typed_characters(45, 6, 0.9) == 0
    assert 0 < typed_characters(45, 6, 0.97) < 45
