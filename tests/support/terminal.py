"""A real pseudo-terminal with a program in it: keys in, what is drawn out, and how it was left."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping
from types import TracebackType

_CODES = re.compile(
    rb"\x1b\[[0-9;?<>=]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1bP[^\x1b]*\x1b\\|\x1b."
)
# The terminal becomes the session's own, so that it hangs up when it goes.
_OWN = "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
SECONDS = 30.0


class Terminal:
    """Runs a Python program in a terminal of its own; a context manager that ends what is left of it."""

    def __init__(
        self, program: str, environment: Mapping[str, str], *, size: tuple[int, int] = (100, 30)
    ) -> None:
        """size: columns and lines."""
        self._ours, theirs = pty.openpty()
        self._theirs = theirs
        self.resize(size)
        self._before = termios.tcgetattr(theirs)
        self.written = b""
        # A size that stands in the environment would go before the one that this terminal has.
        elsewhere = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", _OWN + program],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env={**elsewhere, "TERM": "xterm-256color", "COLORTERM": "truecolor", **environment},
        )

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(timeout=SECONDS)
        for end in (self._ours, self._theirs):
            if end >= 0:
                os.close(end)

    def press(self, keys: str) -> None:
        """Send keys as a keyboard does."""
        self.press_bytes(keys.encode())

    def press_bytes(self, sent: bytes) -> None:
        """Send what a keyboard sends, byte by byte."""
        os.write(self._ours, sent)

    def resize(self, size: tuple[int, int]) -> None:
        """Give the terminal another size, in columns and lines; the program is told."""
        fcntl.ioctl(self._theirs, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    def send(self, number: signal.Signals) -> None:
        """Send the program a signal."""
        self.process.send_signal(number)

    def hang_up(self) -> None:
        """Take the terminal away."""
        for end in (self._ours, self._theirs):
            os.close(end)
        self._ours = self._theirs = -1

    @property
    def text(self) -> str:
        """All that was written so far, without what only moves or colours."""
        return _CODES.sub(b"", self.written).decode(errors="replace")

    def wait_for(self, text: str) -> None:
        """Read until a text was drawn; a word that is drawn in one go is best."""
        self.wait_until(lambda: text in self.text, f"{text!r} never came")

    def wait_until(self, true: Callable[[], bool], otherwise: str) -> None:
        """Read until something is so. otherwise: what to say where it never comes to be."""
        until = time.monotonic() + SECONDS
        while not true():
            if time.monotonic() > until or (not self.read() and self.process.poll() is not None):
                raise AssertionError(f"{otherwise}; there is: {self.text[-2000:]}")

    @property
    def is_stopped(self) -> bool:
        """Whether the program waits for a shell to let it go on."""
        ways = os.WSTOPPED | os.WEXITED | os.WNOWAIT | os.WNOHANG
        state = os.waitid(os.P_PID, self.process.pid, ways)
        return state is not None and state.si_code == os.CLD_STOPPED

    def end(self) -> int:
        """Read until the program has ended, and return its exit code."""
        until = time.monotonic() + SECONDS
        while self.process.poll() is None and time.monotonic() < until:
            self.read()
        while self.read() and time.monotonic() < until:
            pass
        return self.process.wait(timeout=1)

    def read(self) -> bool:
        """Read what was drawn for a moment, and say whether there was anything."""
        if self._ours < 0:
            time.sleep(0.05)
            return False
        if not select.select([self._ours], [], [], 0.05)[0]:
            return False
        try:
            part = os.read(self._ours, 1 << 16)
        except OSError:
            return False
        self.written += part
        return bool(part)

    @property
    def left_as_found(self) -> bool:
        """Whether screen, cursor, mouse, paste, keyboard and line settings are as they were."""
        modes = {}
        for name, state in re.findall(rb"\x1b\[\?(\d+)([hl])", self.written):
            modes[name] = state
        switched_on = {b"1049", b"1000", b"1002", b"1003", b"1006", b"1004", b"1015", b"2004", b"2048"}
        left_on = [name for name in switched_on if modes.get(name) == b"h"]
        cursor_is_back = modes.get(b"25", b"h") == b"h" and modes.get(b"7", b"h") == b"h"
        keyboard = self.written.count(b"\x1b[<u") >= len(re.findall(rb"\x1b\[>\d+u", self.written))
        same_lines = termios.tcgetattr(self._theirs) == self._before
        return not left_on and cursor_is_back and keyboard and same_lines

    @property
    def told(self) -> str:
        """What was written once the app had left the screen."""
        after = self.written.rpartition(b"\x1b[?1049l")[2]
        return _CODES.sub(b"", after).decode(errors="replace").replace("\r\n", "\n")
