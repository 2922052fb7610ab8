"""A review in a real terminal: what is selected with the mouse and copied, and a note in one's own editor."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from app_in_terminal import apart, program
from rich.cells import cell_len
from terminal import Terminal
from terminal_screen import TerminalScreen

from turnwise.conversations import ConversationalTestCase
from turnwise.conversations.store import Store

SIZE = (80, 24)
TURNS = [
    {"role": "user", "content": "Where is my 退款 👋🏽 money?"},
    {
        "role": "assistant",
        "content": "Let me look.",
        "tools_called": [{"name": "find", "input_parameters": {"no": "退-17"}, "output": "sent on Monday"}],
    },
    {"role": "user", "content": "Thanks."},
]


class Reviewer:
    """Somebody at a terminal, with keys and a mouse."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self._screen = TerminalScreen(SIZE)
        self._read = 0

    @property
    def lines(self) -> list[str]:
        """What stands on the screen now."""
        written = self.terminal.written
        self._screen.feed(written[self._read :])
        self._read = len(written)
        return self._screen.lines

    def until(self, text: str) -> None:
        self.terminal.wait_until(lambda: text in "\n".join(self.lines), f"{text!r} never came")

    def place(self, text: str) -> tuple[int, int]:
        """Return column and line of a text, from 1, as a terminal counts cells, once it is there."""
        self.until(text)
        y, line = next((y, line) for y, line in enumerate(self.lines) if text in line)
        return cell_len(line[: line.index(text)]) + 1, y + 1

    def drag(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Select from one cell to another, both included."""
        for button, (x, y), way in ((0, start, "M"), (32, end, "M"), (0, end, "m")):
            self.terminal.press(f"\x1b[<{button};{x};{y}{way}")

    def copied(self) -> str:
        """Copy by key, and return what the terminal was told to put on the clipboard."""
        before = len(self._sent)
        self.until("copy selection")
        self.terminal.press("y")
        self.terminal.wait_until(lambda: len(self._sent) > before, "nothing was copied")
        return base64.b64decode(self._sent[-1]).decode()

    @property
    def _sent(self) -> list[bytes]:
        return re.findall(rb"\x1b\]52;c;([^\x07\x1b]*)(?:\x07|\x1b\\)", self.terminal.written)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    with Store.open(tmp_path / "turnwise.db") as store:
        case = ConversationalTestCase.model_validate({"name": "Refund", "turns": TURNS})
        store.sessions.add(case, source="test", format="test")
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nprintf "THE EDITOR"\nprintf "line one 退款\\nline two\\n" > "$1"\n')
    editor.chmod(0o755)
    return {**apart(tmp_path), "EDITOR": str(editor), "VISUAL": ""}


@pytest.fixture
def reviewer(environment: dict[str, str]) -> Iterator[Reviewer]:
    with Terminal(program(), environment, size=SIZE) as terminal:
        at = Reviewer(terminal)
        at.until("1 session")
        terminal.press("\r")
        at.until("Let me look.")
        yield at
        terminal.press("\x03\x03")
        assert terminal.end() == 0
        assert terminal.left_as_found


def test_what_the_mouse_selects_is_what_the_terminal_is_given(reviewer: Reviewer) -> None:
    x, y = reviewer.place("退款")
    # Two wide characters, a space, and a hand of two code points in two cells.
    reviewer.drag((x, y), (x + 6, y))
    assert reviewer.copied() == "退款 👋🏽"
    reviewer.drag((x + 5, y), reviewer.place("Let me"))
    assert reviewer.copied() == "👋🏽 money?\n\nassistant\nL"


def test_what_is_folded_is_copied_as_it_stands_and_whole_once_it_is_open(reviewer: Reviewer) -> None:
    x, y = reviewer.place("▸ find")
    reviewer.drag((x, y), (SIZE[0] - 2, y))
    assert reviewer.copied() == "▸ find(退-17) → sent on Monday"
    reviewer.terminal.press("z")
    # All that it holds, not only the head of it, which a busy machine may show before the rest.
    reviewer.until('{no: "退-17"}')
    reviewer.until("▾ find")
    x, y = reviewer.place("▾ find")
    reviewer.terminal.wait_until(lambda: reviewer.place("sent on Monday")[1] > y, "its reply is not below it")
    reviewer.drag((x, y), (SIZE[0] - 2, reviewer.place("sent on Monday")[1]))
    copied = reviewer.copied()
    assert "退-17" in copied
    assert copied.endswith("sent on Monday")


def test_an_interrupt_that_is_meant_for_the_editor_leaves_turnwise_as_it_is(
    reviewer: Reviewer, environment: dict[str, str]
) -> None:
    # It says when it hears ctrl+c, and ends with what was written until then.
    Path(environment["EDITOR"]).write_text(
        '#!/bin/sh\ntrap \'printf "kept" > "$1"; exit 0\' INT\nprintf "THE EDITOR"\n'
        "while true; do sleep 0.05; done\n"
    )
    reviewer.terminal.press("E")
    reviewer.terminal.wait_until(lambda: "THE EDITOR" in reviewer.terminal.text, "no editor came")
    reviewer.terminal.press("\x03")
    reviewer.until("kept")
    reviewer.until("Let me look.")
    reviewer.terminal.press("p")
    reviewer.until("✓ pass")
    with Store.open(Path(environment["TURNWISE_DB"])) as store:
        label = store.labels.of(1)[-1]
    assert (label.label, label.note) == ("pass", "kept")


def test_a_note_is_written_in_the_editor_and_the_screen_comes_back(
    reviewer: Reviewer, environment: dict[str, str]
) -> None:
    reviewer.terminal.press("E")
    reviewer.until("line one 退款 line two")
    assert "THE EDITOR" in reviewer.terminal.text
    reviewer.until("Let me look.")
    reviewer.terminal.press("f")
    reviewer.until("✗ fail")
    with Store.open(Path(environment["TURNWISE_DB"])) as store:
        label = store.labels.of(1)[-1]
    assert (label.label, label.note) == ("fail", "line one 退款\nline two")
