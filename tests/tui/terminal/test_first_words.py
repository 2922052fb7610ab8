"""Words stand in the terminal while the app is being loaded, and never where an error is to be read."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from app_in_terminal import apart, program
from terminal import Terminal
from tui_driver import conversation

from turnwise.conversations.store import Store

# Whatever the app is made of is loaded by this module, which no longer loads. It sleeps in short naps,
# because a signal that comes just before a sleep begins is heard when that ends.
_STAYS = """
import sys, time
class Waits:
    def find_spec(self, name, path=None, target=None):
        if name == "turnwise.tui.app.running":
            for _ in range(1200):
                time.sleep(0.05)
sys.meta_path.insert(0, Waits())
"""


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    with Store.open(tmp_path / "turnwise.db") as store:
        store.sessions.add(conversation("Refund"), source="cases.json", format="deepeval", created_at=1.0)
    return apart(tmp_path)


def test_they_say_what_opens_on_the_screen_that_the_app_then_draws_on(environment: dict[str, str]) -> None:
    with Terminal(program(), environment) as terminal:
        terminal.wait_for("turnwise  Opening…")
        assert "Refund" not in terminal.text
        terminal.wait_for("Refund")
        # Turned to twice, that screen would be blank in between.
        assert terminal.written.count(b"\x1b[?1049h") == 1
        terminal.press("q")
        assert terminal.end() == 0
        assert terminal.left_as_found
        assert terminal.told.strip() == ""


def test_an_error_before_the_app_is_told_on_the_usual_screen(
    environment: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "settings.toml").write_text("[keymap.library]\nscroe = 'x'\n")
    with Terminal(program(), environment) as terminal:
        assert terminal.end() == 2
        assert terminal.left_as_found
        assert "line 2, keymap.library.scroe" in terminal.told
        assert "Opening" not in terminal.told


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_whoever_interrupts_has_the_usual_screen_back(
    environment: dict[str, str], sent: signal.Signals, code: int
) -> None:
    with Terminal(_STAYS + program(), environment) as terminal:
        terminal.wait_for("Opening…")
        terminal.send(sent)
        assert terminal.end() == code
        assert terminal.left_as_found


def test_a_terminal_that_only_prints_is_told_nothing(environment: dict[str, str]) -> None:
    with Terminal(program(), {**environment, "TERM": "dumb"}) as terminal:
        terminal.wait_for("Refund")
        assert "Opening" not in terminal.text
