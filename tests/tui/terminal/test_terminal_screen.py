"""The terminal that tests draw into shows the same however what is written comes in pieces."""

from __future__ import annotations

import pytest
from terminal_screen import TerminalScreen

WRITTEN = "\x1b[2;3Hab 請退款 👋🏽. 👩🏽\u200d💻 नि\x1b[1;1He\u0301x".encode()


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, len(WRITTEN)])
def test_a_sign_that_comes_in_two_pieces_is_drawn_as_one(size: int) -> None:
    screen = TerminalScreen((40, 3))
    for start in range(0, len(WRITTEN), size):
        screen.feed(WRITTEN[start : start + size])
    assert screen.lines == TerminalScreen((40, 3)).feed(WRITTEN).lines
    assert "👋🏽. 👩🏽\u200d💻 नि" in screen.lines[1]
    assert screen.overflowing == []
