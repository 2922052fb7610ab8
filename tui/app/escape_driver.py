"""EscapeDriver: Textual's driver for Unix terminals, with an escape key that answers at once."""

from __future__ import annotations

import os
from codecs import getincrementaldecoder
from selectors import EVENT_READ, SelectSelector

from textual import constants
from textual.drivers.linux_driver import LinuxDriver

from turnwise.tui.textual_internals import SequenceParser

READ_BYTES = 4096
IDLE_SECONDS = 0.1
"""How long to wait for a key before looking whether the app has ended."""
MARGIN_SECONDS = 0.001
"""The parser waits for longer than the delay, not as long."""


class EscapeDriver(LinuxDriver):
    """Waits for the rest of a sequence only as long as `ESCDELAY` says, in milliseconds.

    The escape key sends the byte that arrows and other keys begin with. Textual looks ten times a second
    whether more followed, so that every dialog takes a tenth of a second to close.
    """

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
                    if text := decoder.decode(typed):
                        for message in parser.feed(text):
                            self.process_message(message)
                    seconds = constants.ESCAPE_DELAY + MARGIN_SECONDS
                else:
                    seconds = IDLE_SECONDS
                for message in parser.tick():
                    self.process_message(message)
