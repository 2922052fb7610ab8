"""FirstWords: what stands on the terminal until the app draws there itself, which takes half a second."""

from __future__ import annotations

import os
import sys

OTHER_SCREEN, USUAL_SCREEN = "\x1b[?1049h", "\x1b[?1049l"
"""What turns a terminal to the screen that programs draw on, and back to that of the shell."""
# At its top, for the app asks the terminal in the second row how wide it draws.
_WORDS = "\x1b[H \x1b[1mturnwise\x1b[22m  \x1b[2mOpening…\x1b[22m\r\n\n"
_PLAIN = (None, "", "dumb")


class FirstWords:
    """Words on the terminal's other screen that say that the app is opening.

    words = FirstWords()
    try:
        words.show()
        ...
    finally:
        words.take_away()
    """

    def __init__(self) -> None:
        self._are_shown = False

    def show(self) -> None:
        """Turn to the other screen, where there is one, and say it there."""
        if os.name == "posix" and os.environ.get("TERM") not in _PLAIN and sys.stderr.isatty():
            # First: an interruption may come at any moment.
            self._are_shown = True
            self._write(OTHER_SCREEN + _WORDS)

    def hand_over(self) -> bool:
        """Let the app have the screen, which it then gives back; return whether it shows the other one."""
        shown, self._are_shown = self._are_shown, False
        return shown

    def take_away(self) -> None:
        """Turn back where the app never came to draw, so that an error is told where one can read it."""
        if self.hand_over():
            self._write(USUAL_SCREEN)

    def _write(self, sequence: str) -> None:
        # Where Textual draws too.
        sys.stderr.write(sequence)
        sys.stderr.flush()
