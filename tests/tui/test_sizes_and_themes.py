"""Every main screen in a real terminal, at three sizes and in four ways of colouring: it fits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from compared_runs import two_targets
from scored_sessions import add_outcomes, add_talk, retention
from terminal import Terminal
from terminal_screen import TerminalScreen
from turnwise.conversations.store import Store

RUN = "import sys\nfrom turnwise.tui.cli.main import main\nsys.argv = ['turnwise']\nmain()"
SIZES = {"80x24": (80, 24), "120x40": (120, 40), "200x60": (200, 60)}
COLOURS = {
    "dark": {"TURNWISE_THEME": "dark"},
    "light": {"TURNWISE_THEME": "light"},
    "16-colours": {"TURNWISE_THEME": "ansi", "COLORTERM": "", "TERM": "xterm"},
    "no-color": {"NO_COLOR": "1"},
}
SCREENS = {
    "help": ("?", "Keys · library", "esc close"),
    "judge": ("J", "Which model judges?", "esc cancel"),
    "score": ("r", "Judge 7 sessions by", "esc cancel"),
    "queue": ("q", "Review a queue", "esc cancel"),
    "sort": ("o", "Sort by", "esc cancel"),
    "columns": ("w", "Metrics that have a column", "esc cancel"),
    "import": ("i", "Import conversations", "esc cancel"),
    "export": ("e", "Export", "esc cancel"),
    "talk": ("n", "Talk to a chatbot", "esc cancel"),
    "failure modes": ("m", "Failure modes", "? help"),
    "criteria": ("c", "Criteria", "? help"),
    "agreement": ("A", "Agreement", "? help"),
    "compare": ("C", "in both", "? help"),
    "replay": ("R", "Replay · Refund", "? help"),
    "review": ("\r", "scores hidden", "? help"),
}
"""Name -> the keys that open it from the library, what it shows, and what its line of keys says."""
IN_REVIEW = {
    "history": ("h", "Labels of this session", "esc close"),
    "why": ("w", "Why · ", "? help"),
}


class Seen:
    """The app in a terminal, and what is on its screen."""

    def __init__(self, terminal: Terminal, size: tuple[int, int]) -> None:
        self._terminal = terminal
        self._screen = TerminalScreen(size)
        self._read = 0

    def press(self, keys: str, *texts: str, gone: str = "") -> None:
        """Press keys, wait until these texts are there and another one is gone; check what is drawn."""
        if keys:
            self._terminal.press(keys)
        self._terminal.wait_until(lambda: self._shows(texts, gone), f"{keys!r} never brought {texts}")
        assert self._screen.overflowing == []
        assert "Traceback" not in self.text

    def _shows(self, texts: Sequence[str], gone: str) -> bool:
        written = self._terminal.written
        self._screen.feed(written[self._read :])
        self._read = len(written)
        text = self.text
        return all(one in text for one in texts) and not (gone and gone in text)

    @property
    def text(self) -> str:
        """The screen as it is now."""
        return "\n".join(self._screen.lines)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    with Store.open(tmp_path / "turnwise.db") as store:
        two_targets(store, [(0.9, 0.2), (0.4, 0.8), (0.7, 0.7)])
        session = add_talk(store, name="Refund 退款", words="Hello, 請退款 👋🏽. " * 12)
        add_outcomes(store, session, retention(4))
        store.labels.add(session, "fail", author="ann", blind=True, note="asks again " * 20, turn=4)
    return {
        "TURNWISE_DB": str(tmp_path / "turnwise.db"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "TURNWISE_MODELS": str(tmp_path / "models"),
        "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
    }


@pytest.mark.parametrize("colours", COLOURS.values(), ids=COLOURS)
@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_every_screen_fits(
    environment: dict[str, str], size: tuple[int, int], colours: dict[str, str]
) -> None:
    with Terminal(RUN, {**environment, **colours}, size=size) as terminal:
        seen = Seen(terminal, size)
        seen.press("", "7 sessions", "? help")
        for name, (keys, shows, line_of_keys) in SCREENS.items():
            seen.press(keys, shows, line_of_keys)
            if name != "review":
                seen.press("\x1b", gone=shows)
        seen.press("v", "knowledge retention", gone="scores hidden")
        for keys, shows, line_of_keys in IN_REVIEW.values():
            seen.press(keys, shows, line_of_keys)
            seen.press("\x1b", gone=shows)
        terminal.press("\x03\x03")
        assert terminal.end() == 0
        assert terminal.left_as_found
        assert terminal.told.strip() == ""
