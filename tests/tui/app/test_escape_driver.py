"""The escape key answers soon, and what begins with its byte still arrives whole, in a real terminal."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

import pytest
from terminal import Terminal

APP = """
import os
os.environ["ESCDELAY"] = "{milliseconds}"
from textual.app import App
from turnwise.tui.app.escape_driver import EscapeDriver

class Keys(App):
    def get_driver_class(self):
        return EscapeDriver
    def on_ready(self):
        self.log_line("ready")
    def on_key(self, event):
        self.log_line(event.key)
        if event.key == "q":
            self.exit()
    def log_line(self, text):
        with open({log!r}, "a") as file:
            print(text, file=file)

Keys().run()
"""


class Keyboard:
    """An app in a terminal that writes down the keys it hears; a context manager."""

    def __init__(self, folder: Path, milliseconds: int) -> None:
        """milliseconds: what ESCDELAY says."""
        self._log = folder / "keys.txt"
        self.terminal = Terminal(APP.format(milliseconds=milliseconds, log=str(self._log)), {})

    def __enter__(self) -> Keyboard:
        self.terminal.__enter__()
        self.terminal.wait_until(self._log.exists, "the app never came")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.terminal.__exit__(kind, error, trace)

    @property
    def heard(self) -> list[str]:
        return self._log.read_text().split()[1:] if self._log.exists() else []

    def until(self, keys: list[str]) -> None:
        self.terminal.wait_until(lambda: self.heard == keys, f"{keys} never came, but {self.heard}")


@pytest.fixture
def patient(tmp_path: Path) -> Iterator[Keyboard]:
    """A keyboard on a slow line: what follows an escape may take two seconds."""
    with Keyboard(tmp_path, 2000) as keyboard:
        yield keyboard


@pytest.fixture
def quick(tmp_path: Path) -> Iterator[Keyboard]:
    """A keyboard whose sequences come at once."""
    with Keyboard(tmp_path, 15) as keyboard:
        yield keyboard


def test_an_escape_that_nothing_follows_is_a_key(quick: Keyboard) -> None:
    for count in range(1, 4):
        quick.terminal.press("\x1b")
        quick.until(["escape"] * count)


def test_keys_of_several_bytes_arrive_whole(quick: Keyboard) -> None:
    quick.terminal.press("\x1b[A")
    quick.terminal.press("é")
    quick.terminal.press("\x1b[B\x1b[5~x")
    quick.until(["up", "é", "down", "pageup", "x"])


def test_a_sequence_may_come_in_parts_where_the_delay_allows_it(patient: Keyboard) -> None:
    for part in ("\x1b", "[", "A"):
        patient.terminal.press(part)
        time.sleep(0.2)
    patient.until(["up"])


def test_what_the_terminal_answers_about_widths_is_no_key(quick: Keyboard) -> None:
    quick.terminal.press("\x1b[2;2R\x1b[2;3Rx")
    quick.until(["x"])


def test_half_a_letter_waits_for_its_other_half(quick: Keyboard) -> None:
    letter = "é".encode()
    for half in (letter[:1], letter[1:]):
        quick.terminal.press_bytes(half)
        time.sleep(0.2)
    quick.until(["é"])


def test_the_terminal_is_left_as_it_was(quick: Keyboard) -> None:
    quick.terminal.press("q")
    assert quick.terminal.end() == 0
    assert quick.terminal.left_as_found
