"""Where a dialog gets shorter or taller, all that stands below it is drawn as on a screen drawn anew."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from app_in_terminal import program
from terminal import Terminal
from terminal_screen import TerminalScreen
from tui_driver import conversation

from turnwise.conversations.store import Store

CLEAR = b"\x1b[2J"
REDRAW = "\x0c"


class Watched:
    """The app in a terminal, and what is in each cell of it."""

    def __init__(self, terminal: Terminal, size: tuple[int, int]) -> None:
        self._terminal = terminal
        self._screen = TerminalScreen(size)
        self._read = 0

    @property
    def lines(self) -> list[str]:
        written = self._terminal.written[self._read :]
        self._read += len(written)
        return self._screen.feed(written).lines

    def press(self, keys: str, *shows: str) -> None:
        """Press keys, and wait until texts are there and nothing more comes."""
        self._terminal.press(keys)
        self._terminal.wait_until(
            lambda: all(any(text in line for line in self.lines) for text in shows), f"{shows} never came"
        )
        self._come_to_rest()

    def drawn_anew(self) -> list[str]:
        """What there is once all was wiped and drawn again."""
        cleared = self._terminal.written.count(CLEAR)
        self._terminal.press(REDRAW)
        self._terminal.wait_until(lambda: self._terminal.written.count(CLEAR) > cleared, "nothing was wiped")
        self._come_to_rest()
        return self.lines

    def _come_to_rest(self) -> None:
        quiet = time.monotonic() + 0.4
        while time.monotonic() < quiet:
            if self._terminal.read():
                quiet = time.monotonic() + 0.4


@pytest.fixture(params=[(80, 24), (160, 50)], ids=["80", "160"])
def watched(request: pytest.FixtureRequest, store: Store) -> Iterator[Watched]:
    for number in range(40):
        added = store.sessions.add(conversation(f"Lost bag {number}"), source="x", format="deepeval")
        store.tags.change([added.session_id], give=[f"bag {number:02}"])
    store.close()
    environment = {"TURNWISE_DB": str(store.path), "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    with Terminal(program(), environment, size=request.param) as terminal:
        yield Watched(terminal, request.param)


def test_whole_lines_come_and_go_beside_a_dialog_that_gets_shorter_or_taller(watched: Watched) -> None:
    watched.press("", "40 sessions", "not reachable")
    watched.press("t", "type to find a tag")
    for keys, shows in (("9", "bag 09"), ("\x7f", "type to find a tag")):
        before = watched.lines
        watched.press(keys, shows)
        seen = watched.lines
        assert seen != before
        assert seen == watched.drawn_anew()
