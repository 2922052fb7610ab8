"""The window over a transcript: where it goes so that a turn can be read, and what stays in its sight."""

from __future__ import annotations

import pytest
from rich.style import Style

from turnwise.conversations.store import TurnRow
from turnwise.tui.drawing.palette import Palette
from turnwise.tui.reading.drawn_transcript import DrawnTranscript
from turnwise.tui.reading.transcript_window import TranscriptWindow

EACH = 3
"""Lines of a turn: who speaks, a word, and an empty one."""


class Size:
    """How many lines a window has, and how often it was told that it may stand elsewhere."""

    lines = 12
    settled = 0

    def settle(self) -> None:
        self.settled += 1


@pytest.fixture
def size() -> Size:
    return Size()


@pytest.fixture
def window(size: Size) -> TranscriptWindow:
    """A window of twelve lines over fifty turns of three."""
    turns = DrawnTranscript(TurnRow(place, place + 1, "user", "x") for place in range(50))
    turns.lay_out(40, Palette(*[Style.null()] * len(Palette.__slots__)), size.lines)
    window = TranscriptWindow(turns, lambda: size.lines, size.settle)
    window.keep_in_sight(0, window.stay)
    return window


def test_a_turn_in_sight_moves_nothing_and_a_near_one_ends_the_window(window: TranscriptWindow) -> None:
    window.reveal(2)
    assert window.place.top == 0
    window.reveal(6)
    assert window.place.top + window.height == 7 * EACH - 1
    window.reveal(40)
    assert (window.place.item, window.place.line) == (40, 0)


def test_nothing_moves_before_it_is_known_how_turns_are_drawn(size: Size) -> None:
    turns = DrawnTranscript([TurnRow(0, 1, "user", "x"), TurnRow(1, 2, "user", "x")])
    window = TranscriptWindow(turns, lambda: 1, size.settle)
    window.reveal(1)
    assert (window.place.item, size.settled) == (0, 0)


def test_a_page_keeps_a_line_in_sight_and_stops_at_both_ends(window: TranscriptWindow) -> None:
    window.page(1)
    assert window.place.top == 11
    # The turn that the window begins in the middle of is not the one to read.
    assert window.turn_to_read() == 4
    window.page(-1)
    window.page(-1)
    assert window.place.top == 0
    window.go_to_end()
    assert window.is_at_end
    assert window.turn_to_read() == 49


def test_what_is_in_sight_stays_so_where_something_covers_the_last_lines(
    window: TranscriptWindow, size: Size
) -> None:
    window.cover(6, turn=3)
    assert window.height == 6
    assert window.place.top + window.height == 4 * EACH - 1
    window.go_to_end()
    size.lines = 9
    window.keep_in_sight(49, window.stay)
    assert window.is_at_end
    # A turn that is out of sight is not fetched back.
    window.keep_in_sight(3, window.stay)
    assert window.is_at_end


def test_a_line_out_of_sight_is_gone_to_with_some_before_it(window: TranscriptWindow) -> None:
    window.reveal_line(1, 1)
    assert window.place.top == 0
    window.reveal_line(20, 2)
    assert window.place.top <= 20 * EACH + 2 < window.place.top + window.height
