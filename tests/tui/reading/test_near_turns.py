"""Near turns: those in the window, and those that the next keys may bring there."""

from __future__ import annotations

import pytest

from turnwise.conversations.store import TurnRow
from turnwise.tui.reading.drawn_transcript import DrawnTranscript
from turnwise.tui.reading.near_turns import turns_ahead, turns_in_sight

WINDOW = 6
"""Lines: three turns of two lines."""


@pytest.fixture
def turns() -> DrawnTranscript:
    """Fifty turns, each with a line and an empty one below, of which the window begins with the tenth."""
    rows = [TurnRow(place, place + 1, "user", "x") for place in range(50)]
    drawn = DrawnTranscript(rows)
    drawn.place.item = 10
    return drawn


def test_turns_in_sight_are_told_with_their_rows(turns: DrawnTranscript) -> None:
    assert list(turns_in_sight(turns, WINDOW)) == [(10, 0), (11, 2), (12, 4)]
    turns.place.line = 1
    assert list(turns_in_sight(turns, WINDOW)) == [(10, 0), (11, 1), (12, 3), (13, 5)]


def test_the_page_below_comes_first_and_the_one_above_last(turns: DrawnTranscript) -> None:
    assert list(turns_ahead(turns, WINDOW, [], cursor=10)) == [13, 14, 15, 16, 9, 8, 7, 6]


def test_where_a_key_leaps_to_comes_after_the_page_below(turns: DrawnTranscript) -> None:
    # One that is far away begins the window.
    assert list(turns_ahead(turns, WINDOW, [40], cursor=10))[4:8] == [40, 41, 42, 43]


def test_once_a_key_has_leapt_the_next_leap_comes_first(turns: DrawnTranscript) -> None:
    assert list(turns_ahead(turns, WINDOW, [10, 40], cursor=10))[:4] == [40, 41, 42, 43]


def test_a_turn_that_is_near_ends_the_window_and_so_does_one_that_is_shown_next(
    turns: DrawnTranscript,
) -> None:
    assert list(turns_ahead(turns, WINDOW, [10, 15], cursor=10))[:4] == [15, 14, 13, 12]
    turns.place.shown = 20
    assert list(turns_ahead(turns, WINDOW, [10, 40], cursor=10))[:4] == [40, 39, 38, 37]
