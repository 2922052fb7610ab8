"""However the app ends, the terminal is as it was, and words say why: tried in a real pseudo-terminal."""

from __future__ import annotations

import re
import signal
import sqlite3
from pathlib import Path

import pytest
from app_in_terminal import apart, program
from terminal import Terminal
from tui_driver import conversation

from turnwise.conversations.store import Store

_RAISING = """
import threading
from turnwise.tui.library.library_screen import LibraryScreen
def fail(*_):
    raise KeyError("a mistake of ours")
"""
MOUSE = re.compile(rb"\x1b\[\?(?:9|100[012356]|101[56])h")
"""Any of the ways in which a terminal tells of the mouse."""
MISTAKES = {
    "a key": "LibraryScreen.action_samples = fail\n",
    "a worker": "async def late(self):\n    fail()\n"
    "LibraryScreen.action_samples = lambda self: self.run_worker(late(self)) and None\n",
    "a thread worker": "import turnwise.tui.library.samples as samples\n"
    "async def yes(*_):\n    return True\n"
    "samples.are_wanted, samples.add_and_tell = yes, fail\n",
    "a thread": "LibraryScreen.action_samples = lambda self: threading.Thread(target=fail).start()\n",
    "a timer": "LibraryScreen.action_samples = lambda self: self.set_timer(0.01, fail) and None\n",
    "drawing": "def draw(self):\n"
    "    from turnwise.tui.parts.key_line import KeyLine\n"
    "    KeyLine.render_line = fail\n"
    "    self.query_one(KeyLine).refresh()\n"
    "LibraryScreen.action_samples = draw\n",
}


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    with Store.open(tmp_path / "turnwise.db") as store:
        store.sessions.add(conversation("Refund"), source="cases.json", format="deepeval", created_at=1.0)
    return apart(tmp_path)


def app(environment: dict[str, str], before: str = "", *arguments: str) -> Terminal:
    return Terminal(before + program(*arguments), environment)


def test_ctrl_c_twice_leaves(environment: dict[str, str]) -> None:
    with app(environment) as terminal:
        terminal.wait_for("Refund")
        terminal.press("\x03")
        terminal.wait_for("Press again")
        terminal.press("\x03")
        assert terminal.end() == 0
        assert terminal.left_as_found
        assert terminal.told.strip() == ""


def test_ctrl_z_goes_to_the_shell_and_comes_back(environment: dict[str, str]) -> None:
    with app(environment) as terminal:
        terminal.wait_for("Refund")
        terminal.press("\x1a")
        terminal.wait_until(lambda: terminal.is_stopped, "it never stopped")
        while terminal.read():
            pass
        assert terminal.left_as_found
        drawn = terminal.text.count("Refund")
        terminal.send(signal.SIGCONT)
        terminal.wait_until(lambda: terminal.text.count("Refund") > drawn, "it was never drawn again")
        terminal.press("\x03")
        terminal.wait_for("Press again")
        terminal.press("\x03")
        assert terminal.end() == 0
        assert terminal.left_as_found


@pytest.mark.parametrize("where", MISTAKES)
def test_a_mistake_of_ours_ends_with_words_and_a_log(environment: dict[str, str], where: str) -> None:
    with app(environment, _RAISING + MISTAKES[where]) as terminal:
        terminal.wait_for("Refund")
        terminal.press("*")
        assert terminal.end() == 3
        assert terminal.left_as_found
        told = terminal.told
    assert "Error: turnwise broke off by a mistake of its own" in told
    assert "KeyError: 'a mistake of ours'" in told
    assert "→ What was kept is kept: start again." in told
    assert "Traceback" not in told
    (log,) = (Path(environment["XDG_DATA_HOME"]) / "turnwise" / "crashes").iterdir()
    assert log.name in told
    assert log.stat().st_mode & 0o077 == 0
    assert "Traceback" in log.read_text()
    assert "a mistake of ours" in log.read_text()


def test_the_traceback_is_shown_to_who_asks_for_it(environment: dict[str, str]) -> None:
    asking = {**environment, "TURNWISE_TRACEBACK": "1"}
    with app(asking, _RAISING + MISTAKES["a key"]) as terminal:
        terminal.wait_for("Refund")
        terminal.press("*")
        assert terminal.end() == 1
        assert terminal.left_as_found
        assert "Traceback" in terminal.told


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT], ids=lambda s: s.name
)
def test_a_signal_ends_it_in_good_order(environment: dict[str, str], number: signal.Signals) -> None:
    with app(environment) as terminal:
        terminal.wait_for("Refund")
        terminal.send(number)
        assert terminal.end() == 128 + number
        assert terminal.left_as_found
        assert "Traceback" not in terminal.told


def test_a_terminal_that_goes_away_leaves_no_process_behind(environment: dict[str, str]) -> None:
    with app(environment) as terminal:
        terminal.wait_for("Refund")
        terminal.hang_up()
        assert terminal.process.wait(timeout=20) != 0


def test_a_locked_database_is_waited_for_with_words(environment: dict[str, str]) -> None:
    with app(environment, "") as terminal:
        terminal.wait_for("Refund")
        other = sqlite3.connect(environment["TURNWISE_DB"], isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        terminal.press("*")
        terminal.wait_for("Bring in")
        terminal.press("j\r")
        terminal.wait_for("Another program is writing")
        other.close()
        terminal.wait_for("conversations are in")
        terminal.press("\x03\x03")
        assert terminal.end() == 0
        assert terminal.left_as_found


@pytest.mark.parametrize("where", ["a key", "a worker", "a thread worker"])
def test_a_full_disk_is_told_and_the_app_goes_on(environment: dict[str, str], where: str) -> None:
    full = _RAISING.replace(
        'KeyError("a mistake of ours")', 'sqlite3.OperationalError("database or disk is full")'
    )
    with app(environment, "import sqlite3\n" + full + MISTAKES[where]) as terminal:
        terminal.wait_for("Refund")
        terminal.press("*")
        terminal.wait_for("The disk is full")
        terminal.press("\x03\x03")
        assert terminal.end() == 0
        assert terminal.left_as_found


def test_a_full_disk_where_the_app_cannot_go_on_ends_with_words(environment: dict[str, str]) -> None:
    full = _RAISING.replace(
        'KeyError("a mistake of ours")', 'sqlite3.OperationalError("database or disk is full")'
    )
    with app(environment, "import sqlite3\n" + full + MISTAKES["a timer"]) as terminal:
        terminal.wait_for("Refund")
        terminal.press("*")
        assert terminal.end() == 3
        assert terminal.left_as_found
        assert "Error: The disk is full" in terminal.told


def test_a_mistake_in_the_settings_is_told_before_anything_is_drawn(
    environment: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "settings.toml").write_text("[keymap.library]\nscroe = 'x'\n")
    with app({**environment, "TURNWISE_CONFIG": str(tmp_path)}) as terminal:
        assert terminal.end() == 2
        assert "line 2, keymap.library.scroe" in terminal.told
        assert "Library" not in terminal.text


class TestTheMouse:
    def test_it_is_the_apps(self, environment: dict[str, str]) -> None:
        with app(environment) as terminal:
            terminal.wait_for("Refund")
            assert b"\x1b[?1000h" in terminal.written

    def test_it_may_be_left_to_the_terminal(self, environment: dict[str, str], tmp_path: Path) -> None:
        with app(environment, "", "--no-mouse") as terminal:
            terminal.wait_for("Refund")
            assert not MOUSE.search(terminal.written)
        (tmp_path / "settings.toml").write_text("mouse = false\n")
        with app({**environment, "TURNWISE_CONFIG": str(tmp_path)}) as terminal:
            terminal.wait_for("Refund")
            assert not MOUSE.search(terminal.written)


class TestColours:
    def test_truecolor_is_used_where_the_terminal_has_it(self, environment: dict[str, str]) -> None:
        with app(environment) as terminal:
            terminal.wait_for("Refund")
            assert b"38;2;" in terminal.written

    @pytest.mark.parametrize("more", [{"TERM": "linux", "COLORTERM": ""}, {"TURNWISE_THEME": "ansi"}])
    def test_sixteen_colours_are_the_terminals_own(
        self, environment: dict[str, str], more: dict[str, str]
    ) -> None:
        with app({**environment, **more}) as terminal:
            terminal.wait_for("Refund")
            assert b"38;2;" not in terminal.written
            assert b"48;2;" not in terminal.written
            assert b"38;5;" not in terminal.written

    def test_no_color_sends_no_colour_at_all(self, environment: dict[str, str]) -> None:
        with app({**environment, "NO_COLOR": "1"}) as terminal:
            terminal.wait_for("Refund")
            terminal.press("\x10")
            terminal.wait_for("review")
            for codes in re.findall(rb"\x1b\[([\d;]*)m", terminal.written):
                numbers = [int(one) for one in codes.split(b";") if one]
                assert not [n for n in numbers if n in (38, 48) or 30 <= n <= 37 or 40 <= n <= 47 or n >= 90]
