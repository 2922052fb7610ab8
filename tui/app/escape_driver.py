"""EscapeDriver: Textual's driver for Unix terminals, with an escape key that answers at once.

It also writes text whose width terminals disagree on so that nothing beside it moves, and asks the terminal
which pictures it draws.
"""

from __future__ import annotations

import os
import struct
import termios
from codecs import getincrementaldecoder
from collections.abc import Callable
from dataclasses import replace
from fcntl import ioctl
from selectors import EVENT_READ, SelectSelector
from typing import TYPE_CHECKING, Any

from textual import constants, events
from textual.app import App
from textual.drivers.linux_driver import LinuxDriver
from textual.message import Message

from turnwise.tui.terminal.anchoring import JOINED, MARKED, Joining, anchored
from turnwise.tui.terminal.first_words import OTHER_SCREEN
from turnwise.tui.terminal.terminal_title import RESTORE, SAVE, title_sequence
from turnwise.tui.textual_internals.terminals import SequenceParser, count_spacing_marks

if TYPE_CHECKING:
    from turnwise.tui.terminal.graphics import Graphics, GraphicsAnswers

READ_BYTES = 4096
IDLE_SECONDS = 0.1
"""How long to wait for a key before looking whether the app has ended."""
MARGIN_SECONDS = 0.0005
"""The parser waits for longer than the delay, not as long."""


# In the second row: of the first row, the answer is that of a function key. What is drawn is wiped at once.
_ASK_WIDTHS = "".join(f"\x1b[2;1H{text}\x1b[6n" for text in (MARKED, JOINED)) + "\x1b[2;1H\x1b[2K"


def _not_begun() -> bool:
    return False


class EscapeDriver(LinuxDriver):
    """Waits for the rest of a sequence only as long as `ESCDELAY` says, in milliseconds.

    The escape key sends the byte that arrows and other keys begin with. Textual looks ten times a second
    whether more followed, so that every dialog takes a tenth of a second to close.
    """

    _answers: int | None = None
    """How many questions about widths the terminal has answered; None where it is not asked."""
    _joining = Joining.UNKNOWN
    _answering = False
    """Whether the terminal has answered what it was asked at the start."""
    _graphics: GraphicsAnswers | None = None
    """Takes the answers about pictures out of what is read; None where none is awaited."""
    _heard: Callable[[Graphics], object] | None = None

    def __init__(
        self,
        app: App[Any],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        """app: where it has a `begun`, that tells whether the terminal shows its other screen already."""
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._is_on_screen: bool = getattr(app, "begun", _not_begun)()

    def write(self, data: str) -> None:
        """Write what is to be drawn."""
        # Turned to once more, that screen would be blank until the first picture is there.
        if not (self._is_on_screen and data == OTHER_SCREEN):
            super().write(anchored(data, self._joining))

    def start_application_mode(self) -> None:
        """Take the terminal, and ask it how wide it draws; until it answers, all is as wide as it may be."""
        count_spacing_marks(as_cells=True)
        super().start_application_mode()  # type: ignore[no-untyped-call]
        self._is_on_screen = False
        super().write(SAVE)
        if self.input_tty:
            self._answers = 0
            super().write(_ASK_WIDTHS)
            self.flush()

    def stop_application_mode(self) -> None:
        """Give the terminal back, with the title that it had."""
        super().write(title_sequence("") + RESTORE)
        super().stop_application_mode()

    def ask_graphics(self, heard: Callable[[Graphics], object]) -> None:
        """Ask the terminal which pictures it draws, and call `heard` with it in the thread that reads keys.

        A terminal that has answered nothing yet is asked nothing more, and `heard` is never called.
        """
        from turnwise.tui.terminal.graphics import QUESTIONS, GraphicsAnswers, may_be_asked

        if not self._answering or not may_be_asked(os.environ):
            return
        self._heard = heard
        self._graphics = GraphicsAnswers()
        super().write(QUESTIONS)
        self.flush()

    def process_message(self, message: Message) -> None:
        """Hand on what the terminal says, but the answers to what it was asked."""
        if self._answers is None or not isinstance(message, events.CursorPosition):
            super().process_message(message)
            return
        self._answers += 1
        if self._answers == 1:
            count_spacing_marks(as_cells=message.x > 1)
        else:
            self._answers = None
            self._answering = True
            between = "TMUX" in os.environ or os.environ.get("TERM", "").startswith(("screen", "tmux"))
            if between or message.x == 2:
                self._joining = Joining.BETWEEN if between else Joining.JOINS

    def run_input_thread(self) -> None:
        """Hand on what is typed, until the driver stops."""
        parser = SequenceParser()
        decoder = getincrementaldecoder("utf-8")("replace")
        seconds = IDLE_SECONDS
        with SelectSelector() as selector:
            selector.register(self.fileno, EVENT_READ)
            while not self.exit_event.is_set():
                if selector.select(seconds):
                    if not (typed := os.read(self.fileno, READ_BYTES)):
                        return
                    # To the parser no text is the end, and here it may be half a character.
                    text = decoder.decode(typed)
                    if self._graphics is not None:
                        text = self._take_answers(self._graphics, text)
                    if text:
                        for message in parser.feed(text):
                            self.process_message(message)
                    seconds = constants.ESCAPE_DELAY + MARGIN_SECONDS
                else:
                    seconds = IDLE_SECONDS
                    if self._graphics is not None and (text := self._graphics.rest()):
                        for message in parser.feed(text):
                            self.process_message(message)
                        seconds = constants.ESCAPE_DELAY + MARGIN_SECONDS
                for message in parser.tick():
                    self.process_message(message)

    def _take_answers(self, answers: GraphicsAnswers, text: str) -> str:
        """Return what was typed without what the terminal answered; tell of that once it is whole."""
        text = answers.feed(text)
        if answers.complete:
            self._graphics = None
            if self._heard is not None:
                told = answers.graphics
                self._heard(told if told.cell else replace(told, cell=self._cell_of_window()))
        return text

    def _cell_of_window(self) -> tuple[int, int] | None:
        """Return the pixels of a cell by the size of the window: all that xterm says unasked."""
        size = ioctl(self.fileno, termios.TIOCGWINSZ, bytes(8))
        rows, columns, width, height = struct.unpack("HHHH", size)
        return (width // columns, height // rows) if rows and columns and width and height else None
