"""Children: processes that end with this program, however it ends, with all that they started themselves.

A child is a group of processes of its own, which a signal for this program does not reach. One small process
watches over all of them: it waits at a pipe that closes when this program is gone, even killed, and then ends
the groups that are still there. Only where a system has groups (not on Windows); elsewhere nothing watches.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache

_WATCHING = """
import os, signal
groups = set()
with open(0, "rb", buffering=0) as told:
    rest = b""
    while part := told.read(4096):
        *lines, rest = (rest + part).split(b"\\n")
        for line in lines:
            (groups.add if line[:1] == b"+" else groups.discard)(int(line[1:]))
for group in groups:
    try:
        os.killpg(group, signal.SIGKILL)
    except OSError:
        pass
"""


class Watch:
    """The process that watches over children; it is started with the first of them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def begin(self, group: int) -> None:
        """Let a group of processes end when this program does."""
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._process = self._start()
            self._tell("+", group)

    def over(self, group: int) -> None:
        """Forget a group that has ended: its number may soon be another's."""
        with self._lock:
            self._tell("-", group)

    def _tell(self, sign: str, group: int) -> None:
        if self._process is None or self._process.stdin is None:
            return
        with suppress(OSError):
            self._process.stdin.write(f"{sign}{group}\n".encode())

    def _start(self) -> subprocess.Popen[bytes] | None:
        with suppress(OSError):
            # A session of its own: what ends everything at this terminal must not end this first.
            return subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _WATCHING],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,
            )
        return None


@cache
def _watch() -> Watch:
    return Watch()


def watch_over(process: subprocess.Popen[bytes]) -> None:
    """Let a process that leads a group end with this program; `let_go` has to follow once it has ended."""
    if os.name == "posix":
        _watch().begin(process.pid)


def let_go(process: subprocess.Popen[bytes]) -> None:
    """Say that a process and its group have ended."""
    if os.name == "posix":
        _watch().over(process.pid)


@contextmanager
def watched(process: subprocess.Popen[bytes]) -> Iterator[None]:
    """Watch over a process in the block, at whose end it has ended."""
    watch_over(process)
    try:
        yield
    finally:
        let_go(process)
