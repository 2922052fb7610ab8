"""In a terminal that counts cells otherwise than the app, nothing stays of what was drawn before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from app_in_terminal import program
from terminal import Terminal
from terminal_screen import TerminalScreen

from turnwise.conversations.cases import ConversationalTestCase, Turn
from turnwise.conversations.store import Store
from turnwise.tui.textual_internals.terminals import count_spacing_marks

SIZE = (80, 24)
CLEAR = b"\x1b[2J"
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
FLAGS = "\U0001f1f3\U0001f1f4 \U0001f3f3\ufe0f\u200d\U0001f308"
HARD = (
    f"{FAMILY} family {FLAGS} flags \U0001f44b\U0001f3fd wave \u2764\ufe0f heart 1\ufe0f\u20e3 key "
    "\u0939\u093f\u0928\u094d\u0926\u0940 \u092e\u0947\u0902 \u0e01\u0e33\u0e25\u0e31\u0e07 "
    "\u05e9\u05dc\u05d5\u05dd e\u0301 "
)


class Watched:
    """The app in two terminals at once: one that counts as the app does, one that joins nothing."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self._meant = TerminalScreen(SIZE)
        self._screen = TerminalScreen(SIZE, joins=False)
        self._read = 0

    @property
    def lines(self) -> list[str]:
        """What the app means to show."""
        written = self.terminal.written[self._read :]
        self._read += len(written)
        self._screen.feed(written)
        return self._meant.feed(written).lines

    def press(self, keys: str, shows: str) -> None:
        """Press keys, and wait until a text is there."""
        self.terminal.press(keys)
        self.terminal.wait_until(lambda: any(shows in line for line in self.lines), f"{shows} never came")

    def holds_no_ghost(self) -> None:
        """Plain text and blanks stand where the app means them to stand, once all of a screen has come."""

        def ghosts() -> list[str]:
            rows = enumerate(zip(self._meant.cells, self._screen.cells, strict=True), 1) if self.lines else ()
            return [
                f"{number}: {''.join(seen)}"
                for number, (meant, seen) in rows
                if any(cell and cell.isascii() and seen[x] != cell for x, cell in enumerate(meant))
            ]

        self.terminal.wait_until(lambda: not ghosts(), "a ghost stays")

    def draws_anew(self) -> None:
        """ctrl+l wipes all and draws it again."""
        before, cleared = self.lines, self.terminal.written.count(CLEAR)
        self.terminal.press("\x0c")
        self.terminal.wait_until(lambda: self.terminal.written.count(CLEAR) > cleared, "nothing was wiped")
        self.terminal.wait_until(lambda: self.lines[-1] == before[-1] != "", "nothing was drawn")


@pytest.fixture
def watched(store: Store) -> Iterator[Watched]:
    turns = [Turn(role=("user", "assistant")[n % 2], content=f"{n} {HARD * 3}") for n in range(8)]
    for name in (f"Refund {HARD}", "Plain refund"):
        store.sessions.add(
            ConversationalTestCase(name=name, chatbot_role=HARD, turns=turns), source="test", format="test"
        )
    store.close()
    environment = {"TURNWISE_DB": str(store.path), "OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}
    with Terminal(program(), environment, size=SIZE) as terminal:
        yield Watched(terminal)


@pytest.fixture(autouse=True)
def _cells_as_in_the_app() -> Iterator[None]:
    # A terminal that is asked how it counts, and does not answer, is taken to give vowel signs a cell.
    count_spacing_marks(as_cells=True)
    yield
    count_spacing_marks(as_cells=False)


WALK = (
    ("", "not reachable"),
    ("jk", "2 sessions"),
    ("j\r", "assistant"),
    ("jjj\x1b[6~", "assistant"),
    ("R", "Replay"),
    ("\x1b", "assistant"),
    ("\x1b", "2 sessions"),
    ("?", "esc close"),
    ("\x1b", "2 sessions"),
    ("2", "Overview"),
)


def test_no_ghost_stays_where_one_goes(watched: Watched) -> None:
    for keys, shows in WALK:
        watched.press(keys, shows)
        watched.holds_no_ghost()
    watched.terminal.press("\x03\x03")
    assert watched.terminal.end() == 0


def test_all_is_drawn_anew_on_screens_in_dialogs_and_where_one_types(watched: Watched) -> None:
    for keys, shows in (
        ("", "not reachable"),
        ("?", "esc close"),
        ("\x1b", "2 sessions"),
        ("/plain", "1 of 2"),
    ):
        watched.press(keys, shows)
        watched.draws_anew()
