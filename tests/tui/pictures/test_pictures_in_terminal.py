"""Images in a terminal that draws pictures itself: sent once it said so, and gone when they are left."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from terminal import Terminal

from turnwise.conversations import MLLMImage, MLLMTestCase
from turnwise.conversations.images import as_conversation
from turnwise.conversations.store import Store
from turnwise.tui.terminal.graphics import KITTY_REMOVED, QUESTIONS

Image = pytest.importorskip("PIL.Image")
RUN = """
import os, sys
if not os.environ["TMUX"]:
    del os.environ["TMUX"]
from turnwise.tui.cli.main import main
sys.argv = ["turnwise"]
main()
"""
WIDTHS = "\x1b[2;2R\x1b[2;3R"
KITTY = "\x1b_Gi=7302;OK\x1b\\\x1b[6;20;10t\x1b[?62;c"
SIXELS = "\x1b[6;20;10t\x1b[?63;1;4c"
NEITHER = "\x1b[?1;2c"
DRAWN_BY_KITTY, DRAWN_BY_SIXELS = b"\x1b_Ga=T", b'\x1bP0;1q"1;1;'


@contextmanager
def reviewing(folder: Path, **environment: str) -> Iterator[Terminal]:
    """A terminal with the review of a session that has two images."""
    held = io.BytesIO()
    Image.new("RGB", (60, 40), "blue").save(held, "PNG")
    url = "data:image/png;base64," + base64.b64encode(held.getvalue()).decode()
    case = MLLMTestCase(
        input=["Paint it.", MLLMImage(url=url), MLLMImage(url="https://boats.example/blue.png")],
        actual_output=["Here."],
        name="A boat",
    )
    with Store.open(folder / "turnwise.db") as store:
        store.sessions.add(as_conversation(case), source="python", format="python")
    kept = {
        "TURNWISE_DB": str(folder / "turnwise.db"),
        "TURNWISE_CONFIG": str(folder / "config.toml"),
        "XDG_DATA_HOME": str(folder),
        "TMUX": "",
    }
    with Terminal(RUN, {**kept, **environment}) as terminal:
        terminal.wait_for("boat")
        yield terminal


def open_pictures(terminal: Terminal) -> None:
    terminal.press("\r")
    terminal.wait_for("No scores yet")
    terminal.press("I")
    terminal.wait_for("60 x 40 pixels")


def answered(terminal: Terminal, answer: str) -> None:
    terminal.wait_until(lambda: QUESTIONS.encode() in terminal.written, "nothing was asked")
    terminal.press(answer)


def test_kitty_is_sent_the_picture_and_it_is_removed_when_left(tmp_path: Path) -> None:
    with reviewing(tmp_path) as terminal:
        terminal.press(WIDTHS)
        open_pictures(terminal)
        answered(terminal, KITTY)
        terminal.wait_until(lambda: DRAWN_BY_KITTY in terminal.written, "no picture came")
        assert DRAWN_BY_SIXELS not in terminal.written
        drawn = len(terminal.written)
        terminal.press("?")
        terminal.wait_until(lambda: KITTY_REMOVED.encode() in terminal.written[drawn:], "it covers the help")
        terminal.press("\x1b")
        terminal.wait_until(lambda: DRAWN_BY_KITTY in terminal.written[drawn:], "it never came back")
        closed = len(terminal.written)
        terminal.press("\x1b")
        terminal.wait_until(lambda: KITTY_REMOVED.encode() in terminal.written[closed:], "it stays")
        # It may have been drawn once more before the key was heard, and never is after it.
        assert DRAWN_BY_KITTY not in terminal.written.rpartition(KITTY_REMOVED.encode())[2]


def test_a_terminal_of_sixels_is_sent_them_and_another_size_has_them_drawn_anew(tmp_path: Path) -> None:
    with reviewing(tmp_path) as terminal:
        terminal.press(WIDTHS)
        open_pictures(terminal)
        answered(terminal, SIXELS)
        terminal.wait_until(lambda: DRAWN_BY_SIXELS in terminal.written, "no picture came")
        assert b"\x1b_Ga=T" not in terminal.written
        drawn = len(terminal.written)
        terminal.resize((80, 24))
        terminal.wait_until(lambda: DRAWN_BY_SIXELS in terminal.written[drawn:], "it was not drawn anew")
        terminal.press("\x1b[C")
        terminal.wait_for("boats.example")


@pytest.mark.parametrize("answer", [NEITHER, ""])
def test_a_terminal_that_does_not_say_it_can_is_sent_no_picture(tmp_path: Path, answer: str) -> None:
    with reviewing(tmp_path) as terminal:
        terminal.press(WIDTHS)
        open_pictures(terminal)
        answered(terminal, answer)
        terminal.press("\x1b[C")
        terminal.wait_for("boats.example")
        assert DRAWN_BY_KITTY not in terminal.written
        assert DRAWN_BY_SIXELS not in terminal.written


def test_one_that_answered_nothing_is_asked_nothing_more(tmp_path: Path) -> None:
    with reviewing(tmp_path) as terminal:
        open_pictures(terminal)
        terminal.press("\x1b[C")
        terminal.wait_for("boats.example")
        assert QUESTIONS.encode() not in terminal.written


def test_tmux_is_asked_nothing_as_it_answers_for_another(tmp_path: Path) -> None:
    with reviewing(tmp_path, TMUX="default,1,0") as terminal:
        terminal.press(WIDTHS)
        open_pictures(terminal)
        assert QUESTIONS.encode() not in terminal.written
